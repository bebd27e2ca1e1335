/** Reads user agent client hints (Sec-CH-UA…), which hold what Chromium's frozen user agent omits. */
import type { IncomingHttpHeaders } from 'node:http';
import { firstCharacters } from './first-characters.ts';

/** The parsed hints; absent values were not sent. */
export interface ClientHints {
  /** Product names and versions, the full versions when the client sends them. */
  readonly brands: { brand: string; version: string }[];
  readonly mobile?: boolean;
  readonly platform?: string;
  readonly platformVersion?: string;
}

/** The hints in use, in the order in which {@link hintTexts} gives them. */
const HINT_HEADERS = [
  'sec-ch-ua-full-version-list',
  'sec-ch-ua',
  'sec-ch-ua-mobile',
  'sec-ch-ua-platform',
  'sec-ch-ua-platform-version',
] as const;

/** Longest hint that is read; real ones have about 150 characters. */
const LONGEST_HINT = 512;

/** A member of a list of structured fields (RFC 9651) as browsers write it: `"Google Chrome";v="124"`. */
const BRAND = /"((?:[^"\\]|\\.){1,64})"\s*;\s*v="([\w.]{1,32})"/g;
const QUOTED = /^"((?:[^"\\]|\\.){0,64})"$/;

/** The hints of a request as text; null if it has none, as with most clients except Chromium. */
export function hintTexts(headers: IncomingHttpHeaders): readonly string[] | null {
  if (headers['sec-ch-ua'] === undefined && headers['sec-ch-ua-platform'] === undefined) return null;
  return HINT_HEADERS.map((name) => {
    const value = headers[name];
    return typeof value === 'string' ? firstCharacters(value, LONGEST_HINT) : '';
  });
}

/** Parses {@link hintTexts}; malformed parts are skipped. */
export function parseHints(texts: readonly string[]): ClientHints {
  const [fullVersions = '', majorVersions = '', mobile, platform = '', platformVersion = ''] = texts;
  const full = brandsOf(fullVersions);
  return {
    brands: full.length > 0 ? full : brandsOf(majorVersions),
    mobile: mobile === '?1' ? true : mobile === '?0' ? false : undefined,
    platform: quoted(platform),
    platformVersion: quoted(platformVersion),
  };
}

function brandsOf(text: string): ClientHints['brands'] {
  return [...text.matchAll(BRAND)].map(([, brand = '', version = '']) => ({ brand, version }));
}

function quoted(text: string): string | undefined {
  return QUOTED.exec(text)?.[1] || undefined;
}
