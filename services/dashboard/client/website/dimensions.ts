/**
 * What numbers of a website can be filtered by: the name in the address, the field of the API, and how its values are named. A test
 * holds the fields equal to those that `GET /v1/query/types` tells.
 */

/** What the names of a list are, so that they are shown in the reader's language where they have one. */
export type NameKind = 'text' | 'country' | 'place' | 'language' | 'device' | 'channel' | 'source';

export interface Dimension {
  /** The field of the API; the same as its name where it is left out. */
  readonly field?: string;
  readonly kind?: NameKind;
  /** It is a property of the session: a filter by it keeps sessions whole, whatever it is asked of. */
  readonly isOfSession?: true;
  /** Not every dataset can keep single events by it: it is asked of sessions or visitors alone. */
  readonly isWholeOnly?: true;
}

export const DIMENSIONS = {
  path: {},
  entry_path: { isOfSession: true },
  exit_path: { isOfSession: true },
  hostname: {},
  channel: { kind: 'channel', isOfSession: true },
  source: { field: 'session_source', kind: 'source', isOfSession: true },
  referrer: { field: 'session_referrer', kind: 'source', isOfSession: true },
  referrer_host: {},
  country: { kind: 'country' },
  region: { kind: 'place' },
  city: { kind: 'place' },
  browser: { field: 'browser_name' },
  browser_version: {},
  os: { field: 'os_name' },
  os_version: {},
  device: { field: 'device_type', kind: 'device' },
  screen: { field: 'screen_resolution' },
  language: { kind: 'language' },
  timezone: {},
  utm_source: { field: 'session_utm_source', isOfSession: true },
  utm_medium: { field: 'session_utm_medium', isOfSession: true },
  utm_campaign: { field: 'session_utm_campaign', isOfSession: true },
  utm_term: { field: 'session_utm_term', isOfSession: true },
  utm_content: { field: 'session_utm_content', isOfSession: true },
  event: { field: 'event_name', isWholeOnly: true },
  message: { isWholeOnly: true },
  href: { isWholeOnly: true },
  href_host: { isWholeOnly: true },
  visitor: { field: 'visitor_id' },
  profile: { field: 'profile_id' },
  session: { field: 'session_id' },
} as const satisfies Readonly<Record<string, Dimension>>;

/** A dimension, or a property of events as `properties.<key>`. */
export type DimensionName = keyof typeof DIMENSIONS | `properties.${string}`;

const PROPERTY = /^properties\..{1,128}$/su;

export function isDimension(name: unknown): name is DimensionName {
  return typeof name === 'string' && (Object.hasOwn(DIMENSIONS, name) || PROPERTY.test(name));
}

export function dimensionOf(name: DimensionName): Dimension {
  return Object.hasOwn(DIMENSIONS, name)
    ? DIMENSIONS[name as keyof typeof DIMENSIONS]
    : { isWholeOnly: true };
}

/** The field that the API filters by. */
export function fieldOf(name: DimensionName): string {
  return dimensionOf(name).field ?? name;
}
