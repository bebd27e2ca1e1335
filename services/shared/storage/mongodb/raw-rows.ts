/** Translates the documents that pipelines give into rows of the port. */
import { mongo } from 'mongoose';
import type { RawRow } from '../../ports/event-store.ts';

/** A flat row of a document: integers beyond 2^53 become text, dates epoch milliseconds, anything nested its JSON. */
export function toRawRow(document: Readonly<Record<string, unknown>>): RawRow {
  return Object.fromEntries(Object.entries(document).map(([name, value]) => [name, toRaw(value)]));
}

function toRaw(value: unknown): RawRow[string] {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return exact(value);
  if (typeof value === 'bigint' || value instanceof mongo.Long) return integer(BigInt(value.toString()));
  if (value instanceof Date) return value.getTime();
  if (value instanceof mongo.Decimal128 || value instanceof mongo.ObjectId) return value.toString();
  return mongo.BSON.EJSON.stringify(value);
}

/** A sum that left the whole numbers which doubles hold is text, as it is where integers are longer. */
function exact(value: number): number | string {
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(value).toString() : value;
}

function integer(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}
