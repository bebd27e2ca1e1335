/** A series as a line or a table shows it: its numbers, which of its rows have begun, and what each is compared with. */
import type { DatasetAnswer } from '../api/wire.ts';
import { type DatasetRow, previousOf, textOf } from '../website/batch.ts';
import { type BucketState, type Clock, stateOf } from '../website/buckets.ts';
import { daysOf } from '../website/range.ts';
import type { Scene } from '../website/scene.ts';
import type { ColumnKind } from './listing.ts';

/** A number of a series. */
export interface SeriesColumn {
  readonly key: string;
  readonly kind: ColumnKind;
  /** The column without which there is no number, such as that of the values which a percentile is of. */
  readonly needs?: string;
}

export interface Series {
  readonly dataset: string;
  /** The first one is drawn. */
  readonly columns: readonly [SeriesColumn, ...SeriesColumn[]];
}

export interface SeriesRow {
  readonly date: string;
  readonly timestamp?: string;
  readonly state: BucketState;
  readonly row: DatasetRow;
  readonly before: DatasetRow | undefined;
}

/** `now`: when the answer came. */
export function seriesRows(
  { data }: DatasetAnswer,
  { granularity, range }: Scene,
  clock: Clock,
): readonly SeriesRow[] {
  return data.map((row) => {
    const timestamp = textOf(row, 'timestamp') || undefined;
    const date = textOf(row, 'date');
    const state = stateOf({ date, timestamp }, granularity, clock, daysOf(range, clock.today));
    return { date, timestamp, state, row, before: previousOf(row) };
  });
}
