/** Inserts documents whose `_id`s are chosen, so that trying again stores none twice. */
import { mongo } from 'mongoose';
import { answeredWithin, majorityWithin } from './answered-within.ts';
import { type Deadline, persistently } from './event-faults.ts';
import { writeErrorsOf } from './outage.ts';

/** What became of each document, by its place in the list; those that stand in neither list were inserted by this call. */
export interface Inserted {
  /** Those whose `_id` was there already. */
  readonly present: ReadonlySet<number>;
  /** Tries before this one that got no answer: what is `present` may then be their work. */
  readonly unanswered: number;
  /** Those that the server will not take, whatever is tried. */
  readonly refused: ReadonlyMap<number, mongo.WriteError>;
}

/** E11000, and the index by which a document is known to be there. */
const DUPLICATE = 11_000;
const ID_INDEX = /\b_id_\b/;

/**
 * When it resolves, every document that was not refused is there, on a majority with its journal. When it rejects, any of
 * them may be there, or come yet. @throws what the driver threw last
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
      // Without a fault of a document, or besides them, the command itself failed: which are there is open.
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
