/** The bucket of an instant as DuckDB SQL. */
import type { SqlValue } from '../../../shared/ports/event-store.ts';
import type { Bucket } from '../../time/buckets.ts';
import { chooseStretch, type Slots, waysToBucket } from '../bucket-stretches.ts';

/**
 * An expression over the column `ms` (epoch milliseconds) for events within the buckets; 0 when there are none. `bind`
 * adds a parameter and returns its placeholder.
 */
export function bucketIndexSql(buckets: readonly Bucket[], bind: (value: SqlValue) => string): string {
  const ways = waysToBucket(buckets);
  if ('slots' in ways) return lookupSql(ways.slots, bind);
  // No number stands in the text itself: a prepared statement suits other ranges, too.
  const number = (value: number) => `${bind(value)}::BIGINT`;
  return chooseStretch(ways.stretches, {
    inStretch: ({ index, from, width }) => `(${number(index)} + (ms - ${number(from)}) // ${number(width)})`,
    split: (pivot, before, after) => `CASE WHEN ms < ${number(pivot)} THEN ${before} ELSE ${after} END`,
    none: '0',
  });
}

function lookupSql({ from, width, indices, ends }: Slots, bind: (value: SqlValue) => string): string {
  const at = `(ms - ${bind(from)}::BIGINT) // ${bind(width)}::BIGINT + 1`;
  const [index$, end$] = [`${bind(indices)}[${at}]`, `${bind(ends)}[${at}]`];
  return `(${index$} + CASE WHEN ms >= ${end$} THEN 1 ELSE 0 END)`;
}
