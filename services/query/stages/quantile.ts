/** Where a quantile lies among sorted values, in integers: the one rule that SQL, order and shape share. */
import type { Measure } from '../catalogue/measure.ts';

/**
 * With n values, the quantile of `percent` lies (n − 1)·percent/100 positions after the first: between the neighbours at
 * its floor and its ceiling, this many hundredths of the way.
 */
export function hundredthsBeyondLower(values: bigint, percent: number): bigint {
  return values === 0n ? 0n : ((values - 1n) * BigInt(percent)) % 100n;
}

/** The percent of a measure that is a quantile. */
export function percentOf(measure: Measure | undefined): number {
  if (measure && 'percent' in measure) return measure.percent;
  throw new Error('A column of a quantile needs a measure that is one.');
}
