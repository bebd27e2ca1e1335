/**
 * Stores the events of several appends together: ids are claimed, events inserted, ids marked, and each append gets its
 * own outcome.
 */
import { mongo } from 'mongoose';
import { ApiError } from '../../errors/api-error.ts';
import type { AppendOutcome } from '../../ports/event-store.ts';
import { answeredWithin, majorityWithin } from './answered-within.ts';
import { EVENT_COLLECTION, type EventDocument } from './event-document.ts';
import { type Deadline, deadlineIn, toWriteError } from './event-faults.ts';
import type { Claim, EventIds, EventPlace } from './event-ids.ts';
import { type Inserted, insertAll } from './insert-all.ts';

/** How long a group is tried before its appends fail, and how long undoing may take after that, in milliseconds. */
const STORE_MS = 10_000;
const TAKE_BACK_MS = 5_000;

/** An event as it will be stored, and the key of its id, if any. */
export interface PreparedEvent {
  readonly key: string | null;
  readonly document: EventDocument & { readonly timestamp: number };
}

/** A waiting append. */
export interface Append {
  readonly events: readonly PreparedEvent[];
  readonly resolve: (outcome: AppendOutcome) => void;
  readonly reject: (fault: Error) => void;
}

/** A document as stored in the collection. */
type StoredEvent = mongo.Document & { readonly _id: mongo.ObjectId };

/** One event of the group, shared by every append that contains it. */
interface Entry {
  readonly key: string | null;
  /** The append that contained it first. */
  readonly owner: Append;
  readonly document: PreparedEvent['document'];
  place: EventPlace;
  /** It was stored before, or by another append at the same time. */
  isRepeat: boolean;
  /** Why the server refused it. */
  refusal: mongo.WriteError | null;
}

/** Events without id that were stored, or will be, although their append failed. */
export type Leftovers = readonly mongo.ObjectId[];

export class AppendGroup {
  readonly #appends: readonly Append[];
  readonly #entries: readonly Entry[];
  /** The entries of each append, one for each of its events. */
  readonly #entriesOf = new Map<Append, readonly Entry[]>();

  constructor(appends: readonly Append[]) {
    this.#appends = appends;
    const entries: Entry[] = [];
    const byKey = new Map<string, Entry>();
    for (const append of appends) {
      const own = append.events.map(({ key, document }) => {
        const known = key === null ? undefined : byKey.get(key);
        if (known) return known;
        const entry = newEntry(append, key, document);
        entries.push(entry);
        if (key !== null) byKey.set(key, entry);
        return entry;
      });
      this.#entriesOf.set(append, own);
    }
    this.#entries = entries;
  }

  /**
   * Settles every append except those that it returns: they share an event with one that failed, and must be tried
   * alone. Events of failed appends that the server may still hold go to `left`.
   */
  async store(
    database: mongo.Db,
    ids: EventIds,
    left: (events: Leftovers) => void,
  ): Promise<readonly Append[]> {
    const deadline = deadlineIn(STORE_MS);
    let isInserting = false;
    try {
      await this.#claim(ids, deadline);
      isInserting = true;
      await this.#insert(database.collection<StoredEvent>(EVENT_COLLECTION), deadline);
      await ids.markStored(placesOf(this.#wanted()), deadline);
    } catch (fault) {
      // Those with an id stay pending: whoever sends them again stores them under the same `_id`.
      if (isInserting) left(withoutId(this.#entries));
      for (const append of this.#appends) append.reject(toWriteError(fault));
      return [];
    }
    for (const append of this.#good()) append.resolve({ repeated: this.#repeatedOf(append) });
    return this.#refuse(database, ids, left);
  }

  /** The appends whose events the server took completely. */
  #good(): readonly Append[] {
    return this.#appends.filter((append) => this.#of(append).every(({ refusal }) => refusal === null));
  }

  #wanted(): readonly Entry[] {
    return [...new Set(this.#good().flatMap((append) => this.#of(append)))];
  }

  async #claim(ids: EventIds, deadline: Deadline): Promise<void> {
    const claims: ReadonlyMap<string, Claim> = await ids.claim(placesOf(this.#entries), deadline);
    for (const entry of this.#entries) {
      const claim = entry.key === null ? undefined : claims.get(entry.key);
      if (claim === undefined) continue;
      entry.place = claim;
      entry.isRepeat = claim.kind === 'repeat';
    }
  }

  async #insert(events: mongo.Collection<StoredEvent>, deadline: Deadline): Promise<void> {
    const fresh = this.#entries.filter(({ isRepeat }) => !isRepeat);
    if (fresh.length === 0) return;
    const documents = fresh.map(({ place, document }) => ({
      ...document,
      _id: place.event,
      timestamp: place.timestamp,
    }));
    const inserted: Inserted = await insertAll(events, documents, deadline);
    for (const [index, entry] of fresh.entries()) {
      entry.refusal = inserted.refused.get(index) ?? null;
      // After an attempt without an answer, what is present most likely came from that attempt.
      entry.isRepeat = inserted.unanswered === 0 && inserted.present.has(index);
    }
  }

  /** Rejects each append with an event that the server will not take; returns which others depended on it. */
  async #refuse(
    database: mongo.Db,
    ids: EventIds,
    left: (events: Leftovers) => void,
  ): Promise<readonly Append[]> {
    const good = this.#good();
    const failed = this.#appends.filter((append) => !good.includes(append));
    if (failed.length === 0) return [];
    const wanted = new Set(this.#wanted());
    const unwanted = this.#entries.filter((entry) => !wanted.has(entry) && !entry.isRepeat);
    await this.#takeBack(database, ids, unwanted).catch(() => left(withoutId(unwanted)));
    const isGuilty = (append: Append) =>
      this.#of(append).some(({ owner, refusal }) => refusal !== null && owner === append);
    for (const append of failed.filter(isGuilty)) append.reject(this.#refusalOf(append));
    return failed.filter((append) => !isGuilty(append));
  }

  /** Removes what was stored only for failed appends. Every insert was answered, so nothing arrives later. */
  async #takeBack(database: mongo.Db, ids: EventIds, entries: readonly Entry[]): Promise<void> {
    await ids.release(placesOf(entries), deadlineIn(TAKE_BACK_MS));
    const events = withoutId(entries);
    if (events.length === 0) return;
    const taken = { _id: { $in: [...events] } };
    const collection = database.collection(EVENT_COLLECTION);
    await answeredWithin(TAKE_BACK_MS, collection.deleteMany(taken, majorityWithin(TAKE_BACK_MS)));
  }

  #of(append: Append): readonly Entry[] {
    return this.#entriesOf.get(append) ?? [];
  }

  /** Events of the append that it did not store itself. */
  #repeatedOf(append: Append): number {
    const own = this.#of(append).filter((entry) => entry.owner === append && !entry.isRepeat);
    return append.events.length - new Set(own).size;
  }

  #refusalOf(append: Append): ApiError {
    const refusal = this.#of(append).find((entry) => entry.refusal !== null)?.refusal;
    const cause = new Error(`the server refused an event: ${refusal?.code} ${refusal?.errmsg}`);
    return new ApiError('INTERNAL_ERROR', { cause });
  }
}

function newEntry(owner: Append, key: string | null, document: PreparedEvent['document']): Entry {
  const place = { event: new mongo.ObjectId(), timestamp: document.timestamp };
  return { key, owner, document, place, isRepeat: false, refusal: null };
}

function withoutId(entries: readonly Entry[]): Leftovers {
  return entries.flatMap(({ key, place }) => (key === null ? [place.event] : []));
}

/** The positions of the entries with an id, by its key. */
function placesOf(entries: readonly Entry[]): Map<string, EventPlace> {
  return new Map(entries.flatMap(({ key, place }) => (key === null ? [] : [[key, place] as const])));
}
