/** Pairs the buckets of a range with those of the period that it is compared with. */
import { type Bucket, bucketsOf, type Granularity, type TimeRange } from './buckets.ts';
import { type Comparison, endIn, startIn, wallTimeIn } from './comparison.ts';
import { HOUR_MS, type LocalTime, MINUTE_MS, type Zone } from './zone.ts';

export interface Counterparts {
  /** The other period in buckets without gaps; some may be no counterpart of any. */
  readonly buckets: readonly Bucket[];
  /** For each bucket of the range the index of its counterpart; null: it has none. */
  readonly pairs: readonly (number | null)[];
}

/** `buckets`: those of the range, in order. */
export function counterpartsOf(
  buckets: readonly Bucket[],
  granularity: Granularity,
  comparison: Comparison,
  zone: Zone,
): Counterparts {
  const { shift } = comparison;
  const isOfClock = granularity === 'minute' || granularity === 'hourly';
  if (isOfClock && shift.by !== 'time') return byClock(buckets, granularity, { ...comparison, shift }, zone);
  // The whole month, also where one of the two has a 29 February.
  const end = granularity === 'monthly' ? startIn : endIn;
  const moved = buckets.map(({ from, to }) => ({
    from: startIn(shift, from, zone),
    to: end(shift, to, zone),
  }));
  return filled(moved, comparison.range);
}

/** Those that the clock shows at the same time of the day; of one that it shows twice, the first and second pair up. */
function byClock(
  buckets: readonly Bucket[],
  granularity: 'minute' | 'hourly',
  { range, shift }: Comparison & { readonly shift: Parameters<typeof wallTimeIn>[0] },
  zone: Zone,
): Counterparts {
  const last = buckets.at(-1);
  const to = last ? Math.min(range.to, endIn(shift, last.to, zone)) : range.from;
  const others = bucketsOf(zone, { from: range.from, to }, granularity);
  const shownBy = createShown(granularity === 'minute' ? MINUTE_MS : HOUR_MS, zone);
  const found = new Map(others.map((other) => [shownBy(other, (local) => local), other]));
  const shown = createShown(granularity === 'minute' ? MINUTE_MS : HOUR_MS, zone);
  return filled(
    buckets.map((bucket) => found.get(shown(bucket, (local) => wallTimeIn(shift, local)))),
    range,
  );
}

/** Returns what the clock shows at a bucket's start, moved, and how often it did before. */
function createShown(width: number, zone: Zone) {
  const times = new Map<LocalTime, number>();
  return ({ from, start = from }: Bucket, move: (local: LocalTime) => LocalTime | null): string => {
    const local = Math.floor(zone.localOf(start) / width) * width;
    const before = times.get(local) ?? 0;
    times.set(local, before + 1);
    return `${move(local)}|${before}`;
  };
}

/** The parts of `range` as its buckets, with further ones in between. */
function filled(parts: readonly (TimeRange | undefined)[], range: TimeRange): Counterparts {
  const buckets: Bucket[] = [];
  let end = range.from;
  const add = (to: number) => {
    buckets.push({ from: end, to, label: '' });
    end = to;
  };
  const pairs = parts.map((part) => {
    if (!part) return null;
    const from = Math.max(part.from, end);
    const to = Math.min(part.to, range.to);
    if (from >= to) return null;
    if (from > end) add(from);
    add(to);
    return buckets.length - 1;
  });
  if (end < range.to) add(range.to);
  return { buckets, pairs };
}
