/** Turns answers of the API into what the overview shows. It computes no number: it picks, names and leaves out. */
import type { DatasetAnswer } from '../../api/wire.ts';
import { type DatasetRow, numberOf, previousOf, textOf } from '../../website/batch.ts';
import { type BucketState, type Clock, stateOf } from '../../website/buckets.ts';
import type { Days } from '../../website/calendar.ts';
import type { Granularity } from '../../website/range.ts';
import { MEASURES, type Measure } from './measures.ts';

export type Values = Readonly<Record<Measure['column'], number>>;

/** The values of a row by column; what the row lacks is 0. */
function valuesOf(row: DatasetRow | undefined): Values {
  return Object.fromEntries(MEASURES.map(({ column }) => [column, numberOf(row, column)])) as Values;
}

/** The totals of the range. */
export function totalsOf(answer: DatasetAnswer): Values {
  return valuesOf(answer.data[0]);
}

/** The totals of the period that the range is compared with; undefined: nothing is compared. */
export function totalsBefore(answer: DatasetAnswer): Values | undefined {
  const previous = previousOf(answer.data[0]);
  return previous && valuesOf(previous);
}

/** What a measure is; null for a rate or a duration of no session at all, which the API tells as 0. */
export function measured({ column, kind }: Measure, values: Values): number | null {
  return kind !== 'count' && values.sessions === 0 ? null : values[column];
}

/** Events of every name in the range; without any, there is nothing to show. */
export function eventsOf(answer: DatasetAnswer | undefined): number {
  return numberOf(answer?.data[0], 'total_events');
}

/** Distinct visitors of the last five minutes. */
export function activeOf(answer: DatasetAnswer | undefined): number | undefined {
  return answer?.success ? numberOf(answer.data[0], 'active_users') : undefined;
}

export interface Bucket {
  readonly date: string;
  readonly timestamp?: string;
  readonly state: BucketState;
  /** Values by column of the API. */
  readonly values: Values;
  /** Those of the bucket that it is compared with; undefined: there is none. */
  readonly before: Values | undefined;
}

/** The buckets of the series; those that have not begun are left out of lines and tables, not of the axis. */
export function bucketsOf(
  answer: DatasetAnswer,
  granularity: Granularity,
  clock: Clock,
  days: Days | undefined,
): readonly Bucket[] {
  return answer.data.map((row) => {
    const timestamp = textOf(row, 'timestamp') || undefined;
    const date = textOf(row, 'date');
    const previous = previousOf(row);
    return {
      date,
      timestamp,
      state: stateOf({ date, timestamp }, granularity, clock, days),
      values: valuesOf(row),
      before: previous && valuesOf(previous),
    };
  });
}
