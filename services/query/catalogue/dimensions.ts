/** Makers of dimensions and texts, so that the replacement of a missing text is stated once. */
import type { TextColumn } from '../../shared/model/event-record.ts';
import { COUNTRY_NAMES } from './country-names.ts';
import type { Dimension } from './dataset.ts';
import type { Measure } from './measure.ts';
import { IS_PAGEVIEW } from './measures.ts';
import type { Text } from './text.ts';

const UNKNOWN = 'Unknown';
const DIRECT = 'Direct';
const WHEN_OWN_DOMAIN = { column: 'referrer_group', is: 'direct' } as const;

/** The text of a column; `Unknown` when missing. */
export function dimension(name: string, column: TextColumn = name as TextColumn): Dimension {
  return { name, source: { column }, missing: UNKNOWN };
}

/** Like {@link dimension}, but nothing replaces a missing text: identifiers and details of single events. */
export function detail(name: string, column: TextColumn = name as TextColumn): Dimension {
  return { name, source: { column }, missing: null };
}

/** The host of the referrer; Direct without a referrer or when it is the website's own domain. */
export function referrerHost(name: string): Dimension {
  return { name, source: { column: 'referrer_host' }, missing: DIRECT, missingWhen: WHEN_OWN_DOMAIN };
}

/** The group of the referrer. */
export function referrerGroup(name: string): Dimension {
  return { name, source: { column: 'referrer_group' }, missing: 'direct' };
}

/** The English name of the country; the code itself when it is not in ISO 3166-1. */
export function countryName(name: string): Dimension {
  return { name, source: { column: 'country' }, missing: UNKNOWN, shown: COUNTRY_NAMES };
}

/** Path of a session's first or last pageview. */
export function pageOfSession(name: string, at: 'first' | 'last'): Dimension {
  return { ...dimension(name, 'path'), at, where: IS_PAGEVIEW };
}

/** The text of a session's first event that has one. */
export function ofSession(dimension: Dimension): Dimension {
  return { ...dimension, at: 'first' };
}

/** A measure: the text of the first event that has one. */
export function firstText(column: TextColumn, missing: string | null = UNKNOWN): Measure {
  return { kind: 'text', at: 'first', text: { source: { column }, missing } };
}

/** A measure: the text of the last event that has one, or null. */
export function lastText(column: TextColumn): Measure {
  return { kind: 'text', at: 'last', text: { source: { column }, missing: null } };
}

const REFERRER: Text = { source: { column: 'referrer' }, missing: DIRECT, missingWhen: WHEN_OWN_DOMAIN };

/** A measure: the referrer as sent, of the first event with one from elsewhere; Direct when none has. */
export const FIRST_REFERRER: Measure = { kind: 'text', at: 'first', text: REFERRER };
/** Like {@link FIRST_REFERRER}, for the last event. */
export const LAST_REFERRER: Measure = { kind: 'text', at: 'last', text: REFERRER };

/** What the website is called. */
export function websiteShown(shownOf: 'name' | 'domain'): Dimension {
  return { ...detail(shownOf, 'website_id'), shownOf };
}
