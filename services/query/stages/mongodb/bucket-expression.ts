/** The index of an instant's bucket as an expression: a division where buckets are equally wide, else a list lookup. */
import type { Bucket } from '../../time/buckets.ts';
import { chooseStretch, type Slots, waysToBucket } from '../bucket-stretches.ts';
import { type Expression, literal, oneIf, when } from './expressions.ts';

/** For an instant (epoch milliseconds) within the buckets; 0 when there are none. */
export function bucketExpression(buckets: readonly Bucket[], instant: Expression): Expression {
  const ways = waysToBucket(buckets);
  if ('slots' in ways) return lookup(ways.slots, instant);
  return chooseStretch(ways.stretches, {
    inStretch: ({ index, from, width }) => ({ $add: [index, quotient(instant, from, width)] }),
    split: (pivot, before, after) => when({ $lt: [instant, pivot] }, before, after),
    none: literal(0),
  });
}

/**
 * Whole widths since `from`. Exact: with so few widths, a quotient differs from a whole number by more than the error of
 * doubles.
 */
function quotient(instant: Expression, from: number, width: number): Expression {
  return { $floor: { $divide: [{ $subtract: [instant, from] }, width] } };
}

function lookup({ from, width, indices, ends }: Slots, instant: Expression): Expression {
  const slot = { $toInt: quotient(instant, from, width) };
  const end = { $arrayElemAt: [literal(ends), slot] };
  return { $add: [{ $arrayElemAt: [literal(indices), slot] }, oneIf({ $gte: [instant, end] })] };
}
