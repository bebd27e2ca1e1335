/** The type of a dataset: nothing but data, so that no stage of a query knows any dataset by name. */
import type { TextColumn } from '../../shared/model/event-record.ts';

/** Which events a dataset looks at, by name. Events of declared crawlers are in no dataset. */
export type EventScope =
  | { readonly events: 'all' }
  | { readonly events: 'only'; readonly names: readonly string[] }
  | { readonly events: 'except'; readonly names: readonly string[] };

/** What an event must be like to be counted. A text is present when it is neither missing nor empty. */
export type Condition =
  | { readonly column: TextColumn; readonly is: string }
  | { readonly column: TextColumn; readonly presentAndNot: readonly string[] };

/**
 * The closed set of what an engine computes: counts, instants, integer milliseconds. A session is an event's
 * non-empty session_id; in a series it belongs to the bucket of its first event in range.
 */
export type Measure =
  | { readonly kind: 'count'; readonly where?: Condition }
  /** Distinct non-empty texts. */
  | { readonly kind: 'distinct'; readonly column: TextColumn }
  /** The instant of the first or last event. */
  | { readonly kind: 'first' | 'last' }
  /** Sessions; with `pageviews`, those with exactly so many. */
  | { readonly kind: 'sessions'; readonly pageviews?: number }
  /** The median of the time between a session's first and last event. */
  | { readonly kind: 'sessionDuration' };

/** A text that rows are grouped by. */
export interface Dimension {
  readonly name: string;
  readonly column: TextColumn;
  /** What stands for a missing or empty text. */
  readonly missing: string;
  /** Events whose text counts as missing, whatever it is. */
  readonly missingWhen?: { readonly column: TextColumn; readonly is: string };
}

/** How the value of a column is made from what the engine returned; measures go by their name in the dataset. */
export type ColumnValue =
  | { readonly from: 'bucket' }
  | { readonly from: 'dimension'; readonly dimension: string }
  | { readonly from: 'count' | 'instant'; readonly measure: string }
  /** Median in seconds, two decimals. */
  | { readonly from: 'medianSeconds'; readonly measure: string }
  /** `of` per `by` in the same row, two decimals, 0 when `by` is 0; `percent` multiplies by 100. */
  | { readonly from: 'quotient'; readonly of: string; readonly by: string; readonly percent: boolean }
  /** Percentage of the measure's sum over all rows before `limit`, two decimals. */
  | { readonly from: 'share'; readonly measure: string };

export interface Column {
  readonly name: string;
  readonly type: 'string' | 'number' | 'date' | 'time';
  readonly description: string;
  readonly value: ColumnValue;
}

/**
 * A dataset. `series`: a row per bucket, ascending; `list`: a row per group, ordered and paged; `row`: exactly one row.
 * Session measures stand in series and rows only.
 */
export interface Dataset {
  /** All its names, the main one first. */
  readonly names: readonly [string, ...string[]];
  readonly description: string;
  readonly kind: 'series' | 'list' | 'row';
  readonly scope: EventScope;
  /** Fields that filters may name. `properties.<key>` stands for every property of an event. */
  readonly filters: readonly string[];
  readonly dimensions: readonly Dimension[];
  /** Dimensions that `groupBy` may add. */
  readonly extraDimensions: readonly Dimension[];
  readonly measures: Readonly<Record<string, Measure>>;
  readonly columns: readonly Column[];
  /** Default order of a list; ties go by the dimensions, ascending. */
  readonly order: { readonly column: string; readonly direction: 'asc' | 'desc' } | null;
  /** Rows of a page of a list when the client names no limit. */
  readonly defaultLimit: number;
}
