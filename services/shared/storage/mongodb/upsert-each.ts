/** Upserts many documents, each under a condition on what is stored, even when two processes create the same one at once. */
import { type Model, mongo } from 'mongoose';
import type { RawDocument } from './document-values.ts';

/** Changes to the document `_id`; none when it exists and does not meet `unless`. */
export interface Upsert {
  readonly _id: string;
  readonly unless: Readonly<Record<string, unknown>>;
  readonly update: Readonly<Record<string, unknown>>;
}

/** Documents per command. */
const MOST_AT_ONCE = 1_000;

/** How long the writes wait for their majority, in milliseconds. */
const MAJORITY_MS = 10_000;

const DUPLICATE_KEY = 11_000;

/**
 * Each change is applied once or, by its condition, not at all. A document that does not meet the condition is refused
 * as a duplicate of itself, and so is one that another process created at the same moment: these are retried without
 * creating one.
 * @throws MongoBulkWriteError, and what the connection throws
 */
export async function upsertEach(model: Model<RawDocument>, upserts: readonly Upsert[]): Promise<void> {
  for (let from = 0; from < upserts.length; from += MOST_AT_ONCE) {
    const refused = await write(model, upserts.slice(from, from + MOST_AT_ONCE), true);
    if (refused.length > 0) await write(model, refused, false);
  }
}

/** Those that were refused as duplicates. */
async function write(
  model: Model<RawDocument>,
  upserts: readonly Upsert[],
  upsert: boolean,
): Promise<Upsert[]> {
  const operations = upserts.map(({ _id, unless, update }) => ({
    updateOne: { filter: { _id, ...unless }, update: { ...update }, upsert },
  }));
  const writeConcern = { w: 'majority', journal: true, wtimeoutMS: MAJORITY_MS } as const;
  try {
    await model.collection.bulkWrite(operations as unknown as mongo.AnyBulkWriteOperation[], {
      ordered: false,
      writeConcern,
    });
    return [];
  } catch (fault) {
    const indexes = duplicatesOf(fault);
    if (indexes === null) throw fault;
    return upserts.filter((_, index) => indexes.has(index));
  }
}

/** The operations that were refused as duplicates, or null when anything else went wrong too. */
function duplicatesOf(fault: unknown): Set<number> | null {
  if (!(fault instanceof mongo.MongoBulkWriteError)) return null;
  const errors = [fault.writeErrors].flat();
  const isAll = errors.length > 0 && errors.every(({ code }) => code === DUPLICATE_KEY);
  return isAll && fault.result.getWriteConcernError() === undefined
    ? new Set(errors.map(({ index }) => index))
    : null;
}
