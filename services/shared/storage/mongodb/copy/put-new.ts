/** Stores documents, some of which may already be stored under their `_id`. */
import { mongo } from 'mongoose';

/** Documents per command, and commands at once. */
const COMMAND = 1_024;

const DUPLICATE_KEY = 11_000;

/** The part of a native collection that is used here. */
interface Insertable<T> {
  insertMany(documents: T[], options: { ordered: false }): Promise<unknown>;
}

/** @throws the driver's error when a document was not stored for another reason than being stored already */
export async function putNew<T>(collection: Insertable<T>, documents: readonly T[]): Promise<void> {
  const commands: Promise<void>[] = [];
  for (let from = 0; from < documents.length; from += COMMAND) {
    commands.push(insert(collection, documents.slice(from, from + COMMAND)));
  }
  // All commands have ended before a failed one is reported, so that nothing is written after the caller continues.
  for (const outcome of await Promise.allSettled(commands)) {
    if (outcome.status === 'rejected') throw outcome.reason;
  }
}

async function insert<T>(collection: Insertable<T>, documents: T[]): Promise<void> {
  try {
    await collection.insertMany(documents, { ordered: false });
  } catch (fault) {
    if (!isOnlyRepeats(fault)) throw fault;
  }
}

function isOnlyRepeats(fault: unknown): boolean {
  if (!(fault instanceof mongo.MongoBulkWriteError) || fault.result.getWriteConcernError()) return false;
  const errors = [fault.writeErrors].flat();
  return errors.length > 0 && errors.every(({ code }) => code === DUPLICATE_KEY);
}
