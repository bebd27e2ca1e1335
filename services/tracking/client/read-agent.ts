/** Reads browser, operating system and device from user agent and client hints; each text is parsed once. */
import type { IncomingHttpHeaders } from 'node:http';
import Bowser from 'bowser';
import { LRUCache } from 'lru-cache';
import { atMost } from '../../shared/caches/at-most.ts';
import { type ClientHints, hintTexts, parseHints } from './client-hints.ts';
import { type Agent, type Device, type DeviceType, NO_DEVICE } from './client-traits.ts';
import { firstCharacters } from './first-characters.ts';
import { isCrawler } from './is-crawler.ts';

/** Longest user agent that is read, in characters; the longest real ones have about 400. */
const LONGEST_USER_AGENT = 512;
/** Cached texts: at most about 10 MB. */
const REMEMBERED_TEXTS = 5_000;
const LONGEST_VERSION = 32;

/** The user agent of Android's own HTTP client in apps, which is not a browser. */
const ANDROID_HTTP_CLIENT = /^Dalvik\//;

const BROWSERS: ReadonlySet<string> = new Set(Object.values(Bowser.BROWSER_MAP));
const DEVICE_TYPES: ReadonlySet<string> = new Set<DeviceType>(['desktop', 'mobile', 'tablet', 'tv']);

/** Systems by the name of the platform in client hints. */
const SYSTEM_OF_PLATFORM: ReadonlyMap<string, string> = new Map([
  ['Android', 'Android'],
  ['Chrome OS', 'Chrome OS'],
  ['Chromium OS', 'Chrome OS'],
  ['iOS', 'iOS'],
  ['Linux', 'Linux'],
  ['macOS', 'macOS'],
  ['Windows', 'Windows'],
]);

/** Desktop systems, for clients that do not name their device. */
const DESKTOP_SYSTEMS: ReadonlySet<string> = new Set(['Chrome OS', 'Linux', 'macOS', 'Windows']);

/** Brands in client hints whose name differs from the browser's. */
const BRAND_OF_BROWSER: Readonly<Record<string, string>> = {
  Chrome: 'Google Chrome',
  'Samsung Internet for Android': 'Samsung Internet',
};

/** From this major platform version on Windows is 11 (developer.chrome.com, User-Agent Client Hints). */
const WINDOWS_11_PLATFORM = 13;

/** Reads the agent from the headers of a request. */
export type ReadAgent = (headers: IncomingHttpHeaders) => Agent;

/** The reader with its bounded cache. */
export function createReadAgent(): ReadAgent {
  const remembered = new LRUCache<string, Agent>(atMost(REMEMBERED_TEXTS));
  return function readAgent(headers) {
    const userAgent = firstCharacters(headers['user-agent'] ?? '', LONGEST_USER_AGENT);
    const hints = hintTexts(headers);
    const text = hints === null ? userAgent : `${userAgent}\n${hints.join('\n')}`;
    const known = remembered.get(text);
    if (known !== undefined) return known;
    const agent = judge(userAgent, hints === null ? null : parseHints(hints));
    remembered.set(text, agent);
    return agent;
  };
}

function judge(userAgent: string, hints: ClientHints | null): Agent {
  if (isCrawler(userAgent)) return { isCrawler: true, device: NO_DEVICE };
  return { isCrawler: false, device: userAgent.trim() === '' ? NO_DEVICE : deviceOf(userAgent, hints) };
}

function deviceOf(userAgent: string, hints: ClientHints | null): Device {
  const { browser, os, platform } = Bowser.parse(userAgent, hints ?? undefined);
  const isBrowser =
    browser.name !== undefined && BROWSERS.has(browser.name) && !ANDROID_HTTP_CLIENT.test(userAgent);
  const name = isBrowser ? (browser.name ?? null) : null;
  const hintedSystem = SYSTEM_OF_PLATFORM.get(hints?.platform ?? '');
  const system = hintedSystem ?? os.name ?? null;
  const saidVersion = os.name === 'Windows' ? os.versionName : os.version;
  const hintedVersion =
    hintedSystem === undefined ? null : systemVersion(hintedSystem, hints?.platformVersion);
  return {
    browser_name: name,
    browser_version: name === null ? null : version(hintedBrowserVersion(name, hints) ?? browser.version),
    os_name: system,
    os_version: version(hintedVersion ?? (system === os.name ? saidVersion : undefined)),
    device_type: isBrowser || system === null ? deviceType(platform.type, system, hints?.mobile) : null,
  };
}

/** The browser's version by its brand, if the client sends the full version. */
function hintedBrowserVersion(browser: string, hints: ClientHints | null): string | undefined {
  const brand = BRAND_OF_BROWSER[browser] ?? browser;
  const hinted = hints?.brands.find((each) => each.brand === brand)?.version;
  return hinted?.includes('.') ? hinted : undefined;
}

/** The system's version from the hint; null if it has none. Windows numbers its platform versions differently. */
function systemVersion(system: string, platformVersion: string | undefined): string | null {
  if (platformVersion === undefined || !/^\d+(\.\d+)*$/.test(platformVersion)) return null;
  if (system !== 'Windows') return platformVersion.replace(/(\.0)+$/, '');
  const major = Number.parseInt(platformVersion, 10);
  if (major === 0) return null;
  return major >= WINDOWS_11_PLATFORM ? '11' : '10';
}

function deviceType(
  said: string | undefined,
  system: string | null,
  mobile: boolean | undefined,
): DeviceType | null {
  if (said === 'tv') return 'tv';
  if (mobile === true) return 'mobile';
  if (mobile === false && system === 'Android') return 'tablet';
  if (said !== undefined && DEVICE_TYPES.has(said)) return said as DeviceType;
  return system !== null && DESKTOP_SYSTEMS.has(system) ? 'desktop' : null;
}

function version(text: string | undefined): string | null {
  return text?.slice(0, LONGEST_VERSION) || null;
}
