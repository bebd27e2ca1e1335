/** Reads from the user agent of a session how people know their devices; each text is parsed once. */
import Bowser from 'bowser';
import { LRUCache } from 'lru-cache';
import { type OwnSession, ownSessionSchema } from '../../../services/shared/accounts/session-schema.ts';
import { atMost } from '../../../services/shared/caches/at-most.ts';

const DEVICE_TYPES = ownSessionSchema.shape.agent.unwrap().shape.deviceType;
/** Names that the parser knows; from other texts it takes whatever stands where a name would. */
const BROWSERS: ReadonlySet<string> = new Set(Object.values(Bowser.BROWSER_MAP));
const SYSTEMS: ReadonlySet<string> = new Set(Object.values(Bowser.OS_MAP));
/** Cached texts: at most about 1 MB. A user has a hundred sessions, whose list shall not cost the gateway a parse each. */
const REMEMBERED_TEXTS = 500;

/** Browser, system and kind of device by what a text says; null each where it says nothing that is known. */
export type ReadDevice = (text: string | null) => OwnSession['agent'];

/** The reader with its bounded cache. */
export function createReadDevice(): ReadDevice {
  const remembered = new LRUCache<string, NonNullable<OwnSession['agent']>>(atMost(REMEMBERED_TEXTS));
  return function readDevice(text) {
    if (text === null || text.trim() === '') return null;
    const known = remembered.get(text);
    if (known !== undefined) return known;
    const device = parse(text);
    remembered.set(text, device);
    return device;
  };
}

function parse(text: string): NonNullable<OwnSession['agent']> {
  const { browser, os, platform } = Bowser.parse(text);
  const deviceType = DEVICE_TYPES.safeParse(platform.type);
  return {
    browser: knownAmong(BROWSERS, browser.name),
    os: knownAmong(SYSTEMS, os.name),
    deviceType: deviceType.success ? deviceType.data : null,
    text,
  };
}

function knownAmong(names: ReadonlySet<string>, name: string | undefined): string | null {
  return name !== undefined && names.has(name) ? name : null;
}
