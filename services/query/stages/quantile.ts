/** Where a quantile falls among sorted values, in integers: the one rule that engines, order and shape share. */

/**
 * With n values, the quantile of `percent` lies (n − 1)·percent/100 places behind the first: between the neighbours at
 * the floor and the ceiling of that, at this many hundredths of the way.
 */
export function hundredthsBeyondLower(values: bigint, percent: number): bigint {
  return values === 0n ? 0n : ((values - 1n) * BigInt(percent)) % 100n;
}
