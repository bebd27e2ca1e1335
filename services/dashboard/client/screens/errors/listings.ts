/** What the screen of errors asks: their totals and line, the list by message, and what is known of one message. */
import type { Listing } from '../../drill/listing.ts';
import { narrowedFields } from '../../drill/narrowed-fields.ts';
import type { Series } from '../../drill/series.ts';
import type { Total } from '../../drill/total.ts';
import type { Question, Scene } from '../../website/scene.ts';
import { type Filter, filterField, rowFilter } from '../../website/scene-filters.ts';

/** Rows of lists that stand below each other. */
const FEW_ROWS = 20;
/** Longer messages are named by their beginning: addresses have an end. */
export const MOST_OF_MESSAGE = 1_000;
/** What the list calls errors without a message. */
const NONE = 'Unknown';

export const MESSAGES: Listing = {
  dataset: 'error_types',
  sort: '-count',
  searched: ['name'],
  columns: [
    { key: 'name', kind: 'text' },
    { key: 'count', kind: 'count' },
    { key: 'users', kind: 'count' },
    { key: 'first_seen', kind: 'instant' },
    { key: 'last_seen', kind: 'instant' },
  ],
};

/** The filter that keeps sessions with such an error. */
export function messageFilter(message: string): Filter {
  const filter = rowFilter('message', message === NONE ? null : message);
  return message.length >= MOST_OF_MESSAGE ? { ...filter, operator: 'starts_with' } : filter;
}

/** The errors of one message alone; undefined: all. */
export function ofMessage(message: string | undefined): readonly object[] {
  if (message === undefined) return [];
  const own = filterField({ ...messageFilter(message), of: 'event' });
  // Somebody may have thrown the very word that stands for none.
  return message === NONE ? [{ any: [own, { field: 'message', op: 'eq', value: NONE }] }] : [own];
}

/** The lists about one message. */
export interface OpenedListings {
  readonly occurrences: Listing;
  readonly pages: Listing;
}

export function openedListings(message: string): OpenedListings {
  const shared = { where: ofMessage(message), rows: FEW_ROWS };
  return {
    occurrences: {
      ...shared,
      dataset: 'errors',
      isUncompared: true,
      sort: '-timestamp',
      searched: ['path', 'filename', 'stack'],
      columns: [
        { key: 'timestamp', kind: 'instant' },
        { key: 'path', kind: 'text', dimension: 'path' },
        { key: 'browser_name', kind: 'text', dimension: 'browser' },
        { key: 'os_name', kind: 'text', dimension: 'os' },
        { key: 'anonymous_id', kind: 'text', dimension: 'visitor' },
        { key: 'stack', kind: 'text', isUnsorted: true },
      ],
    },
    pages: {
      ...shared,
      dataset: 'errors_by_page',
      sort: '-errors',
      columns: [
        { key: 'name', kind: 'text', dimension: 'path' },
        { key: 'errors', kind: 'count' },
        { key: 'users', kind: 'count' },
      ],
    },
  };
}

const total = (key: string): Total => ({ dataset: 'error_summary', key, kind: 'count' });
export const TOTALS: readonly Total[] = [
  total('total_errors'),
  total('affected_users'),
  total('affected_sessions'),
];
export const TOTALS_OF_ALL: readonly Total[] = [...TOTALS, total('unique_errors')];

/** `message`: of that alone; absent: of all. */
export const totalsQuestion = (scene: Scene, message?: string): Question => ({
  id: 'totals',
  parameters: ['error_summary'],
  ...narrowedFields(scene, ofMessage(message)),
});

export const SERIES: Series = {
  dataset: 'errors_over_time',
  columns: [
    { key: 'errors', kind: 'count' },
    { key: 'users', kind: 'count' },
    { key: 'sessions', kind: 'count' },
  ],
};

export const seriesQuestion = (scene: Scene, message?: string): Question => ({
  id: 'series',
  parameters: ['errors_over_time'],
  ...narrowedFields(scene, ofMessage(message)),
  granularity: scene.granularity,
});
