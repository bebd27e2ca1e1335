/** The plan of one dataset, for compilers and the shape stage: only types, so that no stage imports another for them. */
import type { TextColumn } from '../../shared/model/event-record.ts';
import type { ArgumentValues } from '../catalogue/arguments.ts';
import type { Band, Column, Dataset, Dimension, EventScope, Unit } from '../catalogue/dataset.ts';
import type { FilterField } from '../catalogue/filter-fields.ts';
import type { Measure, SessionCondition } from '../catalogue/measure.ts';
import type { Bucket, TimeRange } from '../time/buckets.ts';
import type { FilterTree } from './filter-groups.ts';
import type { FilterOperator, FilterSubject } from './filter-schema.ts';
import type { Reach } from './resolve.ts';

/** A single filter. Values of numbers are numbers as text. */
export interface PlannedTest {
  readonly on: FilterField;
  readonly op: FilterOperator;
  readonly values: readonly string[];
  readonly of: FilterSubject;
}

export type PlannedFilter = FilterTree<PlannedTest>;

/** What a list is ordered by. Counts, quotients and quantiles of nothing are 0; other missing values sort below all. */
export type OrderKey =
  | { readonly band: true }
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
  readonly filters: readonly PlannedFilter[];
  readonly dimensions: readonly Dimension[];
  readonly bands?: readonly Band[];
  readonly measures: Readonly<Record<string, Measure>>;
  /** Measures that are also needed over all filtered events. */
  readonly totals: readonly string[];
  readonly having?: Dataset['having'];
  /** Only for series. */
  readonly buckets: readonly Bucket[];
  /** Only for lists: a total order. */
  readonly order: readonly OrderTerm[];
  readonly limit: number;
  readonly offset: number;
  readonly columns: readonly Column[];
}

/** Why one dataset of a call cannot be answered, for the client. */
export interface Refusal {
  readonly refused: string;
}
