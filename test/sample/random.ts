/** Numbers that look random and are the same for the same seed, and choices among things of unequal share. */

export interface Random {
  /** 0 to below 1. */
  next(): number;
  /** A whole number of 0 to below `below`. */
  whole(below: number): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  /** Around `median`, never below 0, with a long tail as durations have. */
  skewed(median: number): number;
}

/** A stream of numbers of its own (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    whole: (below) => Math.floor(next() * below),
    chance: (probability) => next() < probability,
    skewed: (median) => median * Math.exp((next() + next() + next() - 1.5) * 1.6),
  };
}

/** Gives one of the things. */
export type Choice<T> = (random: Random) => T;

/** Each with its share; the shares need not sum to anything. */
export function byShare<T>(shares: readonly (readonly [T, number])[]): Choice<T> {
  const ends: number[] = [];
  let sum = 0;
  for (const [, share] of shares) {
    sum += share;
    ends.push(sum);
  }
  const things = shares.map(([thing]) => thing);
  return (random) => {
    const at = random.next() * sum;
    let low = 0;
    let high = ends.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    return things[low] as T;
  };
}

/** By Zipf's law: the second half as often as the first, the third a third as often. */
export function byRank<T>(things: readonly T[]): Choice<T> {
  return byShare(things.map((thing, rank) => [thing, 1 / (rank + 1)]));
}
