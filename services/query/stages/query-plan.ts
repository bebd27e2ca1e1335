/** The plan of one dataset, for compilers and the shape stage: only types, so that no stage imports another for them. */
import type { TextColumn } from '../../shared/model/event-record.ts';
import type { ArgumentValues } from '../catalogue/arguments.ts';
import type { Band, Column, Dataset, Dimension, EventScope, Unit } from '../catalogue/dataset.ts';
import type { FilterField } from '../catalogue/filter-fields.ts';
import type { Measure, SessionCondition } from '../catalogue/measure.ts';
import type { Bucket, TimeRange } from '../time/buckets.ts';
import type { NamedRange } from '../time/comparison.ts';
import type { FilterTree } from './filter-groups.ts';
import type { FilterOperator, FilterSubject } from './filter-schema.ts';
import type { Reach } from './resolve.ts';

/** A single filter. Values of numbers are numbers as text. */
export interface PlannedTest {
  readonly on: FilterField;
  /** Only matches of events have `ends_with`. */
  readonly op: FilterOperator | 'ends_with';
  readonly values: readonly string[];
  readonly of: FilterSubject;
}

export type PlannedFilter = FilterTree<PlannedTest>;

/** What a list is ordered by. Counts, quotients and quantiles of nothing are 0; other missing values sort below all. */
export type OrderKey =
  | { readonly band: true }
  | { readonly bucket: true }
  | { readonly dimension: string }
  | { readonly measure: string }
  | { readonly count: string }
  | { readonly quantile: string; readonly percent: number }
  | { readonly last: string; readonly first: string }
  | { readonly of: string; readonly by: string };

export interface OrderTerm {
  readonly key: OrderKey;
  readonly direction: 'asc' | 'desc';
}

/** What the plan of a feed knows of the answers before. */
export interface FeedPlan {
  /** Of what it is; a cursor of another feed is of no use. */
  readonly digest: string;
  /** Whether there was an answer before. */
  readonly goesOn: boolean;
  /** The instants of given rows by their identities: all that are in the range of the plan. */
  readonly given: ReadonlyMap<string, number>;
  /** How many rows the answer has at most; the plan itself reads those that were given, too. */
  readonly take: number;
}

/** A step of a funnel, with the name that its rows show. */
export interface PlannedStep {
  readonly name: string;
  readonly on: PlannedFilter;
}

/** A goal that is counted. */
export interface PlannedGoal {
  readonly id: string;
  readonly name: string;
  readonly position: number;
  readonly on: PlannedFilter;
  /** The property that holds what an event is worth, and which events name the currency or none; null: they are worth nothing. */
  readonly worth: { readonly property: string; readonly inCurrency: PlannedFilter | null } | null;
  readonly currency: string | null;
}

/** What is asked of the order of events; a statement of its own answers it over the events of the plan. */
export type Sequence =
  | {
      readonly kind: 'funnel';
      readonly steps: readonly PlannedStep[];
      readonly ordered: boolean;
      readonly windowMs: number;
      readonly exclude: PlannedFilter | null;
    }
  | {
      readonly kind: 'retention';
      /** Null: any event. */
      readonly start: PlannedFilter | null;
      /** Null: any event. */
      readonly returning: PlannedFilter | null;
      readonly mode: 'exact' | 'rolling';
    }
  | {
      readonly kind: 'goals';
      readonly goals: readonly PlannedGoal[];
    }
  | {
      readonly kind: 'journey';
      readonly start: PlannedFilter;
      readonly direction: 'forward' | 'backward';
      readonly steps: number;
      readonly width: number;
    };

/** Everything an engine needs to know, with instants instead of dates and catalogue columns instead of texts. */
export interface QueryPlan {
  readonly kind: Dataset['kind'];
  readonly unit: Unit;
  readonly reach: Reach;
  readonly range: TimeRange;
  readonly scope: EventScope;
  readonly needs?: TextColumn;
  readonly sessions?: SessionCondition;
  /** Those that the dataset declares, checked. */
  readonly arguments: ArgumentValues;
  /** What an argument says of the events, which is decided before filters are. */
  readonly onlyWhere?: PlannedFilter;
  /** For a feed: what was given before, which its rows include. */
  readonly feed?: FeedPlan;
  readonly filters: readonly PlannedFilter[];
  readonly dimensions: readonly Dimension[];
  readonly bands?: readonly Band[];
  readonly measures: Readonly<Record<string, Measure>>;
  /** Measures that are also needed over all filtered events. */
  readonly totals: readonly string[];
  readonly having?: Dataset['having'];
  /** Websites that have a row or line also without events; their identifier is the text of all dimensions. */
  readonly everyWebsite?: readonly string[];
  /** Absent: rows are grouped events. */
  readonly sequence?: Sequence;
  /** What measures of sessions count. */
  readonly goal?: PlannedGoal;
  /** The measures that, with the dimensions, tell rows of a sequence apart; `bucket` stands for the bucket. */
  readonly sequenceKeys?: readonly string[];
  /** For series, and for rows that belong to a bucket. */
  readonly buckets: readonly Bucket[];
  /** Only for lists: a total order. */
  readonly order: readonly OrderTerm[];
  /** Only for lists: rows have the text in one of these dimensions, whatever the case. */
  readonly search?: { readonly text: string; readonly dimensions: readonly string[] };
  readonly limit: number;
  readonly offset: number;
  readonly columns: readonly Column[];
  /** Absent: nothing to compare with. */
  readonly compared?: ComparedPlan;
  /** Of a list that another one is compared with: only the rows of these keys, in any order, on no page. */
  readonly keys?: readonly RowKey[];
  /** Of several lists that are read together: each of them; the rest of the plan is what they share. */
  readonly lists?: readonly BundledList[];
  /** Of several rows and series that are read together: the buckets of each; the rest of the plan is what they share. */
  readonly series?: readonly (readonly Bucket[])[];
}

/** One of the lists that one plan reads together. */
export interface BundledList {
  /** The names of its dimensions in that plan. */
  readonly dimensions: readonly string[];
  /** These as in the plan of the list alone. */
  readonly limit: number;
  readonly offset: number;
  readonly keys?: readonly RowKey[];
}

/** What tells a row of a list from others: the texts that it is grouped by, before anything is shown in their place. */
export type RowKey = readonly (string | null)[];

/** What rows are compared with. */
export interface ComparedPlan {
  readonly period: NamedRange;
  /** The same over the other period; null where each event is a row, which has no counterpart. */
  readonly plan: QueryPlan | null;
  /** For series: for each bucket the index of its counterpart, or null. */
  readonly pairs: readonly (number | null)[];
}

/** Why one dataset of a call cannot be answered, for the client. */
export interface Refusal {
  readonly refused: string;
}
