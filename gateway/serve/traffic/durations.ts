/** How long a share of requests took at most, from their numbers by bucket. */

export interface DurationBucket {
  /** Infinity: they took longer than the last bound. */
  readonly upToMs: number;
  /** Requests that took at most so long, those of the buckets below among them. */
  readonly atMost: number;
}

/** `buckets` ascending. Null: there were none, or the share lies beyond the last bound, where nothing is known but that. */
export function withinMs(buckets: readonly DurationBucket[], share: number): number | null {
  const all = buckets.at(-1)?.atMost ?? 0;
  const found = all === 0 ? undefined : buckets.find(({ atMost }) => atMost >= share * all);
  return found === undefined || found.upToMs === Number.POSITIVE_INFINITY ? null : found.upToMs;
}

/** Buckets of numbers that stand for themselves, by their upper bounds. */
export function cumulated(counts: ReadonlyMap<number, number>): DurationBucket[] {
  let atMost = 0;
  return [...counts]
    .sort(([one], [other]) => one - other)
    .map(([upToMs, count]) => {
      atMost += count;
      return { upToMs, atMost };
    });
}
