/** What the buckets of a series stand for: which are whole, which still run or are cut by the range, and what each zooms into. */
import { addDays, type Days, monthEnd } from './calendar.ts';
import type { Granularity, Range } from './range.ts';

/**
 * `cut`: the range holds a part of it. `running`: it has begun and not ended. `future`: it has not begun, and its zero says nothing.
 */
export type BucketState = 'whole' | 'cut' | 'running' | 'future';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Milliseconds of a bucket that carries its instant. */
export const lengthOf = (granularity: Granularity): number =>
  granularity === 'minute' ? MINUTE_MS : HOUR_MS;

export interface BucketRow {
  /** As the API writes it: `2026-11-23`, or `2026-11-23 14:00:00` of an hour or a minute. */
  readonly date: string;
  /** Start of the hour or minute; of their rows alone. */
  readonly timestamp?: string;
}

export interface Clock {
  readonly now: number;
  /** The date in the zone of the series. */
  readonly today: string;
}

/** First and last day of the period that a bucket is of. */
export function periodOf(date: string, granularity: Granularity): Days {
  const last = { daily: date, weekly: addDays(date, 6), monthly: monthEnd(date), hourly: date, minute: date }[
    granularity
  ];
  return { first: date, last };
}

export function stateOf(
  { date, timestamp }: BucketRow,
  granularity: Granularity,
  { now, today }: Clock,
  days: Days | undefined,
): BucketState {
  if (timestamp !== undefined) {
    const start = Date.parse(timestamp);
    if (start > now) return 'future';
    return start + lengthOf(granularity) > now ? 'running' : 'whole';
  }
  const { first, last } = periodOf(date, granularity);
  if (first > today) return 'future';
  if (last >= today && (days === undefined || days.last >= today)) return 'running';
  const isCut = days !== undefined && (first < days.first || last > days.last);
  return isCut ? 'cut' : 'whole';
}

/** The range of the buckets from one to another, as far as they lie in the range that they are of. */
export function zoomedInto(
  rows: readonly BucketRow[],
  from: number,
  to: number,
  granularity: Granularity,
  whole: Days | undefined,
): Range | null {
  const [left, right] = [rows[Math.min(from, to)], rows[Math.max(from, to)]];
  if (!left || !right) return null;
  if (left.timestamp !== undefined && right.timestamp !== undefined) {
    const next = rows[Math.max(from, to) + 1]?.timestamp;
    const end = next ?? new Date(Date.parse(right.timestamp) + lengthOf(granularity)).toISOString();
    return { from: left.timestamp, to: end };
  }
  const first = left.date;
  const { last } = periodOf(right.date, granularity);
  return {
    first: whole && first < whole.first ? whole.first : first,
    last: whole && last > whole.last ? whole.last : last,
  };
}
