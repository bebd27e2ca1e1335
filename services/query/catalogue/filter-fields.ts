/** What the field of a filter reads in an event: columns, numbers, and the texts that lists show for them. */
import {
  NUMBER_COLUMNS,
  type NumberColumn,
  TEXT_COLUMNS,
  type TextColumn,
} from '../../shared/model/event-record.ts';
import type { Dataset } from './dataset.ts';
import { referrerGroup, referrerHost } from './dimensions.ts';
import {
  CUSTOM_EVENT_FILTERS,
  ERROR_FILTERS,
  LINK_FILTERS,
  OUTBOUND_FILTERS,
  PROPERTY_PREFIX,
  VITAL_FILTERS,
} from './event-filters.ts';
import { ENTRY_TEXTS } from './session-entry.ts';
import type { Text } from './text.ts';

/** What a filter reads. A property's key comes from the client and never becomes an identifier. */
export type FilterField =
  | { readonly column: TextColumn }
  | { readonly property: string }
  | { readonly text: Text }
  | { readonly number: NumberColumn }
  /** The path of the first or last pageview of the event's session in range that has one. */
  | { readonly pageOfSession: 'first' | 'last' }
  /** The text of the first pageview of the event's session in range. */
  | { readonly entryText: Text };

/** Fields that are not called like a column of text, or read it as lists show it. */
const READ_OTHERWISE: Readonly<Record<string, FilterField>> = {
  referrer_host: { text: referrerHost('referrer_host') },
  referrer_group: { text: referrerGroup('referrer_group') },
  href_host: { text: { source: { hostOf: 'href' }, missing: null } },
  visitor_id: { column: 'anonymous_id' },
  entry_path: { pageOfSession: 'first' },
  exit_path: { pageOfSession: 'last' },
  ...Object.fromEntries(Object.entries(ENTRY_TEXTS).map(([name, text]) => [name, { entryText: text }])),
};

/** Fields of every dataset besides its own. */
const OF_ALL_DATASETS: readonly string[] = [
  ...Object.keys(READ_OTHERWISE),
  'hostname',
  'browser_version',
  'os_version',
  'screen_resolution',
  'session_id',
  'profile_id',
  'stack',
  ...NUMBER_COLUMNS,
];

/** The fields that a filter on the events of a dataset may name. */
export function filterFieldsOf({ filters }: Dataset): readonly string[] {
  return [...filters, ...OF_ALL_DATASETS];
}

/** The fields that filters on whole sessions and visitors may name, of every dataset: they read all events. */
export const FIELDS_OF_ALL_EVENTS: readonly string[] = [
  ...new Set([
    ...CUSTOM_EVENT_FILTERS,
    ...ERROR_FILTERS,
    ...VITAL_FILTERS,
    ...OUTBOUND_FILTERS,
    ...LINK_FILTERS,
    ...OF_ALL_DATASETS,
  ]),
];

const textColumns: ReadonlySet<string> = new Set(TEXT_COLUMNS);
const numberColumns: ReadonlySet<string> = new Set(NUMBER_COLUMNS);

/** What the field of this name reads, which is one of the allowed names. */
export function readFilterField(name: string): FilterField | null {
  const otherwise = Object.hasOwn(READ_OTHERWISE, name) ? READ_OTHERWISE[name] : undefined;
  if (otherwise) return otherwise;
  if (name.startsWith(PROPERTY_PREFIX)) return { property: name.slice(PROPERTY_PREFIX.length) };
  if (numberColumns.has(name)) return { number: name as NumberColumn };
  return textColumns.has(name) ? { column: name as TextColumn } : null;
}
