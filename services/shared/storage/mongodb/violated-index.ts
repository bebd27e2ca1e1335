/** Which unique index a refused write would have violated, according to the server. */
import type { mongo } from 'mongoose';

/** Servers name the index in their text, with or without the collection before it. */
const INDEX_IN_TEXT = /\bindex: (?:\S+\$)?(\S+)/;

/** The name as `model/collections.ts` declares it in `unique`; `id` for the identifier. @throws the fault when it names no declared index */
export function violatedIndex(
  fault: mongo.MongoServerError,
  unique: Readonly<Record<string, readonly string[]>>,
): string {
  const pattern: unknown = fault.keyPattern;
  const fields = typeof pattern === 'object' && pattern !== null ? Object.keys(pattern).join() : null;
  const named = INDEX_IN_TEXT.exec(fault.message)?.[1];
  if (fields === '_id' || named === '_id_') return 'id';
  const found = Object.entries(unique).find(([name, keys]) => fields === keys.join() || named === name);
  if (found === undefined) throw fault;
  return found[0];
}
