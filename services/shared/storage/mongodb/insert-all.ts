/** Inserts documents with chosen `_id`s, so that a retry stores none twice. */
import { mongo } from 'mongoose';
import { answeredWithin, majorityWithin } from './answered-within.ts';
import { type Deadline, persistently } from './event-faults.ts';
import { writeErrorsOf } from './outage.ts';

/** The outcome for each document, by its position in the list; those in neither list were inserted by this call. */
export interface Inserted {
  /** Those whose `_id` existed already. */
  readonly present: ReadonlySet<number>;
  /** Earlier attempts without an answer: what is `present` may then come from them. */
  readonly unanswered: number;
  /** Those that the server will never take. */
  readonly refused: ReadonlyMap<number, mongo.WriteError>;
}

/** E11000, and the index by which a document is known to exist. */
const DUPLICATE = 11_000;
const ID_INDEX = /\b_id_\b/;

/**
 * When it resolves, every document that was not refused is stored, on a majority with its journal. When it rejects, any
 * of them may be stored, or may still arrive.
 * @throws what the driver threw last
 */
export async function insertAll<D extends { readonly _id: unknown }>(
  collection: mongo.Collection<D>,
  documents: readonly D[],
  deadline: Deadline,
): Promise<Inserted> {
  const rest = documents.map((document) => document as unknown as mongo.OptionalUnlessRequiredId<D>);
  return persistently(deadline, async (ms, tries) => {
    try {
      const options = { ordered: false, ...majorityWithin(ms) };
      await answeredWithin(ms, collection.insertMany(rest, options));
      return { present: new Set(), unanswered: tries, refused: new Map() };
    } catch (fault) {
      if (!(fault instanceof mongo.MongoBulkWriteError)) throw fault;
      const errors = writeErrorsOf(fault);
      // The command itself failed, perhaps besides faults of documents: which ones are stored is unknown.
      if (errors.length === 0 || fault.result.getWriteConcernError() !== undefined) throw fault;
      return outcomeOf(errors, tries);
    }
  });
}

function outcomeOf(errors: readonly mongo.WriteError[], tries: number): Inserted {
  const [present, refused] = [errors.filter(isPresent), errors.filter((error) => !isPresent(error))];
  return {
    present: new Set(present.map(({ index }) => index)),
    unanswered: tries,
    refused: new Map(refused.map((error) => [error.index, error])),
  };
}

function isPresent({ code, errmsg }: mongo.WriteError): boolean {
  return code === DUPLICATE && ID_INDEX.test(errmsg ?? '');
}
