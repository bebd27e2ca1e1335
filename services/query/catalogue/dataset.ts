/** The type of a dataset: nothing but data, so that no stage of a query knows any dataset by name. */
import type { TextColumn } from '../../shared/model/event-record.ts';
import type { Condition, Measure, SessionCondition } from './measure.ts';
import type { Text } from './text.ts';

/** Which events a dataset looks at, by name. Events of declared crawlers are in no dataset. */
export type EventScope =
  | { readonly events: 'all' }
  | { readonly events: 'only'; readonly names: readonly string[] }
  | { readonly events: 'except'; readonly names: readonly string[] };

/**
 * What a dataset counts: events, the sessions that they make up (an event's non-empty session_id), or the properties
 * of events, one by one; or nothing: then each event is a row of its own.
 */
export type Unit = 'events' | 'sessions' | 'properties' | 'eachEvent';

/**
 * A text that rows are grouped by. Of sessions: that of the first or last event that has one and meets the condition;
 * of two events at one instant, the lesser text is the first.
 */
export interface Dimension extends Text {
  readonly name: string;
  readonly at?: 'first' | 'last';
  readonly where?: Condition;
}

/** A range of session durations: from the end of the one before it up to, but without, `below` milliseconds. */
export interface Band {
  readonly label: string;
  readonly below: number;
}

/** How the value of a column is made from what the engine returned; measures go by their name in the dataset. */
export type ColumnValue =
  | { readonly from: 'bucket' | 'band' }
  | { readonly from: 'dimension'; readonly dimension: string }
  /** The object that a dimension holds as JSON. */
  | { readonly from: 'json'; readonly dimension: string }
  | { readonly from: 'count' | 'instant' | 'text' | 'number'; readonly measure: string }
  /** Of a quantile, which is in thousandths of what the column shows. */
  | { readonly from: 'quantile'; readonly measure: string; readonly decimals: 2 | 3 }
  /** `of` per `by` in the same row, two decimals, 0 when `by` is 0; `of` counts what `times` says. */
  | { readonly from: 'quotient'; readonly of: string; readonly by: string; readonly times: QuotientOf }
  /** Seconds between two instants, two decimals. */
  | { readonly from: 'span'; readonly first: string; readonly last: string }
  /** Percentage of the measure over all filtered events, before `limit`, two decimals. */
  | { readonly from: 'share'; readonly measure: string };

/** A quotient is shown as it is, in percent, or is that of a sum of thousandths. */
export type QuotientOf = 'ones' | 'percent' | 'thousandths';

export interface Column {
  readonly name: string;
  readonly type: 'string' | 'number' | 'date' | 'time' | 'object';
  readonly description: string;
  readonly value: ColumnValue;
}

/** A range that holds whatever the dates of a request say: today in the timezone, or the last minutes. */
export type FixedRange = { readonly preset: 'today' } | { readonly lastMinutes: number };

/**
 * A dataset. `series`: a row per bucket, ascending; `list`: a row per group, or per event, ordered and paged; `row`:
 * exactly one row. Series and rows may hold measures of events and of sessions; lists those of their unit.
 */
export interface Dataset {
  /** All its names, the main one first. */
  readonly names: readonly [string, ...string[]];
  readonly description: string;
  readonly kind: 'series' | 'list' | 'row';
  readonly unit: Unit;
  readonly scope: EventScope;
  /** Events without this text are not looked at. */
  readonly needs?: TextColumn;
  /** Which sessions count; absent: all. */
  readonly sessions?: SessionCondition;
  /** Whether it is of short links: these, and no others, run under `link_id`. */
  readonly ofLinks?: true;
  readonly fixedRange?: FixedRange;
  /** Fields that filters may name. `properties.<key>` stands for every property of an event. */
  readonly filters: readonly string[];
  readonly dimensions: readonly Dimension[];
  /** In place of dimensions: a row for each band, also for empty ones, whose default order is that of the bands. */
  readonly bands?: readonly Band[];
  /** Fields that `groupBy` may add, as in `filters`. */
  readonly extraDimensions: readonly string[];
  readonly measures: Readonly<Record<string, Measure>>;
  /** Of lists: rows in which this count is less are left out. */
  readonly having?: { readonly measure: string; readonly atLeast: number };
  readonly columns: readonly Column[];
  /** Default order of a list; ties go by the dimensions, ascending. */
  readonly order: { readonly column: string; readonly direction: 'asc' | 'desc' } | null;
  /** Rows of a page of a list when the client names no limit. */
  readonly defaultLimit: number;
}
