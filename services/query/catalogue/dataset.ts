/** The type of a dataset: only data, so that no stage of a query knows any dataset by name. */
import type { TextColumn } from '../../shared/model/event-record.ts';
import type { ArgumentsSchema } from './arguments.ts';
import type { Condition, Measure, SessionCondition } from './measure.ts';
import type { Text } from './text.ts';

/** Which events a dataset includes, by name. No dataset includes events of declared crawlers. */
export type EventScope =
  | { readonly events: 'all' }
  | { readonly events: 'only'; readonly names: readonly string[] }
  | { readonly events: 'except'; readonly names: readonly string[] };

/**
 * What a dataset counts: events, their sessions (an event's non-empty session_id), or the single properties of events;
 * or nothing: then each event is a row.
 */
export type Unit = 'events' | 'sessions' | 'properties' | 'eachEvent';

/**
 * A text that rows are grouped by. For sessions: the text of the first or last event that has one and meets the
 * condition; `entry`: that of the first pageview, whether it has one or not. For two events at one instant, the smaller
 * text counts as first, none as the smallest.
 */
export interface Dimension extends Text {
  readonly name: string;
  readonly at?: 'first' | 'last' | 'entry';
  readonly where?: Condition;
  /** Shows this of the website that the text identifies; takes the place of `shown`, which is not known before a call. */
  readonly shownOf?: 'name' | 'domain';
  /** The field of filters that reads it, where the text does not say so. */
  readonly field?: string;
}

/** A range of session durations: from the end of the previous one up to, but excluding, `below` milliseconds. */
export interface Band {
  readonly label: string;
  readonly below: number;
}

/** How a column's value is computed from what the engine returned; measures are named as in the dataset. */
export type ColumnValue =
  | { readonly from: 'bucket' | 'band' }
  | { readonly from: 'dimension'; readonly dimension: string }
  /** The JSON object in a dimension. */
  | { readonly from: 'json'; readonly dimension: string }
  | { readonly from: 'count' | 'instant' | 'text' | 'number' | 'seconds'; readonly measure: string }
  /** For a sum of thousandths, with two decimals. */
  /** Of thousandths, with two decimals; nothing is 0, or null where it is nullable. */
  | { readonly from: 'sum'; readonly measure: string; readonly isNullable?: true }
  /** For a quantile, which is in thousandths of the shown value. */
  | { readonly from: 'quantile'; readonly measure: string; readonly decimals: 2 | 3 }
  /** `of` divided by `by` in the same row, with two decimals, 0 when `by` is 0; `times` says what `of` counts. */
  | { readonly from: 'quotient'; readonly of: string; readonly by: string; readonly times: QuotientOf }
  /** Seconds between two instants, with two decimals. */
  | { readonly from: 'span'; readonly first: string; readonly last: string }
  /** Percentage of the measure over all filtered events, before `limit`, with two decimals. */
  | { readonly from: 'share'; readonly measure: string };

/** A quotient is shown as it is or in percent, or divides a sum of thousandths. */
export type QuotientOf = 'ones' | 'percent' | 'thousandths';

export interface Column {
  readonly name: string;
  readonly type: 'string' | 'number' | 'date' | 'time' | 'object';
  readonly description: string;
  readonly value: ColumnValue;
  /** Whether it is there only when the parameter names a goal. */
  readonly ofGoal?: true;
}

/** A question about the order of events, or about goals, which the arguments of the parameter complete. */
export interface SequenceSource {
  readonly kind: 'funnel' | 'retention' | 'journey' | 'goals';
  /** Measures that, besides the dimensions, no two rows share; `bucket` stands for the bucket. */
  readonly keys: readonly string[];
}

/** A range that ignores the dates of a request: today in the timezone, or the last minutes. */
export type FixedRange = { readonly preset: 'today' } | { readonly lastMinutes: number };

/**
 * A dataset. `series`: a row per bucket, ascending, or a line of them for each group, by its texts ascending; `list`: a
 * row per group or per event, ordered and paged; `row`: exactly one row. All may have measures of events and of sessions,
 * except lists of another unit than events: there a session is grouped by itself. In groups of events, what a session
 * has in the group is a session of it.
 */
export interface Dataset {
  /** All its names, the main one first. */
  readonly names: readonly [string, ...string[]];
  readonly description: string;
  readonly kind: 'series' | 'list' | 'row';
  readonly unit: Unit;
  readonly scope: EventScope;
  /** Events without this text are excluded. */
  readonly needs?: TextColumn;
  /** Which sessions count; absent: all. */
  readonly sessions?: SessionCondition;
  /** Whether it is about short links: only such datasets run under `link_id`. */
  readonly ofLinks?: true;
  /**
   * Whether it tells websites apart: a website without events has its row or line too, unless there are filters, and a key
   * of several websites need not select one. Its first dimensions are of the website.
   */
  readonly ofWebsites?: true;
  readonly fixedRange?: FixedRange;
  /** What a parameter must or may tell it besides. */
  readonly arguments?: ArgumentsSchema;
  /** Only events, or all events of sessions or visitors with an event, where the text of `column` is the argument. */
  readonly onlyWhere?: {
    readonly column: TextColumn;
    readonly argument: string;
    readonly of: 'event' | 'session' | 'visitor';
  };
  /** A list that a client reads again and again: this argument is a cursor, behind which new rows are told from others. */
  readonly feed?: { readonly argument: string };
  /** What it asks of the order of events, whose statement returns all its rows: `measures` say their names. */
  readonly sequence?: SequenceSource;
  /** Its arguments say which events have a worth, and by which property: that of its sum. */
  readonly isRevenue?: true;
  /** Fields that filters may name. `properties.<key>` stands for every property of an event. */
  readonly filters: readonly string[];
  readonly dimensions: readonly Dimension[];
  /** Replaces dimensions: a row for each band, empty ones included, by default in the order of the bands. */
  readonly bands?: readonly Band[];
  /** Fields that `groupBy` may add, as in `filters`. */
  readonly extraDimensions: readonly string[];
  readonly measures: Readonly<Record<string, Measure>>;
  /** For lists: rows with a smaller count are left out. */
  readonly having?: { readonly measure: string; readonly atLeast: number };
  readonly columns: readonly Column[];
  /** Default order of a list; ties are ordered by the dimensions, ascending. */
  readonly order: { readonly column: string; readonly direction: 'asc' | 'desc' } | null;
  /** Rows per page of a list when the client gives no limit. */
  readonly defaultLimit: number;
}
