/**
 * Stores the events of several appends together: ids are claimed, events inserted, ids marked, and each append gets its
 * own outcome.
 */
import { mongo } from 'mongoose';
import { ApiError } from '../../errors/api-error.ts';
import type { AppendOutcome } from '../../ports/event-store.ts';
import { answeredWithin, majorityWithin } from './answered-within.ts';
import type { EventWriter } from './arrivals/event-writer.ts';
import type { GroupStamp } from './arrivals/writer-number.ts';
import { EVENT_COLLECTION, type EventDocument } from './event-document.ts';
import { type Deadline, deadlineIn, persistently, toWriteError } from './event-faults.ts';
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
  /** It was stored before: this group has nothing to store. */
  isKnown: boolean;
  /** It was stored before, or by another append at the same time. */
  isRepeat: boolean;
  /** Why the server refused it. */
  refusal: mongo.WriteError | null;
}

export interface GroupOutcome {
  /** They share an event with one that failed, and must be tried alone. */
  readonly alone: readonly Append[];
  /**
   * What is left to do until nothing of the group can arrive or leave any more; to be repeated until it succeeds. Null:
   * the group has ended.
   */
  readonly finish: (() => Promise<void>) | null;
}

/** What a group works with. */
export interface GroupPorts {
  readonly database: mongo.Db;
  readonly ids: EventIds;
  readonly writer: EventWriter;
}

export class AppendGroup {
  readonly #events: mongo.Collection<StoredEvent>;
  readonly #ids: EventIds;
  readonly #writer: EventWriter;
  readonly #appends: readonly Append[];
  readonly #entries: readonly Entry[];
  /** The entries of each append, one for each of its events. */
  readonly #entriesOf = new Map<Append, readonly Entry[]>();

  constructor(appends: readonly Append[], { database, ids, writer }: GroupPorts) {
    this.#appends = appends;
    this.#events = database.collection(EVENT_COLLECTION);
    this.#ids = ids;
    this.#writer = writer;
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

  /** How many events it has. */
  get events(): number {
    return this.#entries.length;
  }

  /** Settles every append except those that it returns as `alone`. */
  async store(): Promise<GroupOutcome> {
    const deadline = deadlineIn(STORE_MS);
    let stamp: GroupStamp | null = null;
    let isInserting = false;
    try {
      stamp = await this.#writer.begin(deadline);
      await this.#claim(stamp, deadline);
      await this.#writer.confirm(stamp, deadline);
      isInserting = true;
      await this.#insert(this.#unknown(), stamp, deadline);
      await this.#writer.confirm(stamp, deadline);
      await this.#ids.markStored(placesOf(this.#wanted()), deadline);
    } catch (fault) {
      for (const append of this.#appends) append.reject(toWriteError(fault));
      return this.#outcome([], stamp, isInserting ? (failed) => this.#finish(failed) : null);
    }
    for (const append of this.#good()) append.resolve({ repeats: this.#repeatsOf(append) });
    return this.#refuse(stamp);
  }

  /** The group ends with `work` or, without any, now. */
  #outcome(
    alone: readonly Append[],
    stamp: GroupStamp | null,
    work: ((stamp: GroupStamp) => Promise<void>) | null,
  ): GroupOutcome {
    if (stamp === null) return { alone, finish: null };
    if (work === null) {
      this.#writer.end(stamp);
      return { alone, finish: null };
    }
    const finish = async () => {
      await work(stamp);
      this.#writer.end(stamp);
    };
    return { alone, finish };
  }

  /**
   * Brings a group to its end that failed in the middle: the server may hold any of its events, or receive them yet. Those
   * with an id become stored, since somebody may have sent them again and been told so; the others are deleted.
   */
  async #finish(stamp: GroupStamp): Promise<void> {
    const identified = this.#unknown().filter(({ key }) => key !== null);
    if (this.#writer.isLost(stamp)) return this.#takeBack(this.#unknown(), stamp);
    const deadline = deadlineIn(STORE_MS);
    await this.#insert(identified, stamp, deadline);
    await this.#writer.confirm(stamp, deadline);
    const stored = identified.filter(({ refusal }) => refusal === null);
    await this.#ids.markStored(placesOf(stored), deadline);
    await this.#takeBack(
      this.#unknown().filter((entry) => !stored.includes(entry)),
      stamp,
    );
  }

  /** The appends whose events the server took completely. */
  #good(): readonly Append[] {
    return this.#appends.filter((append) => this.#of(append).every(({ refusal }) => refusal === null));
  }

  #wanted(): readonly Entry[] {
    return [...new Set(this.#good().flatMap((append) => this.#of(append)))];
  }

  /** Those that it has to store. */
  #unknown(): readonly Entry[] {
    return this.#entries.filter(({ isKnown }) => !isKnown);
  }

  async #claim({ writer }: GroupStamp, deadline: Deadline): Promise<void> {
    const wanted = placesOf(this.#entries);
    const claims: ReadonlyMap<string, Claim> = await this.#ids.claim(wanted, writer, deadline);
    for (const entry of this.#entries) {
      const claim = entry.key === null ? undefined : claims.get(entry.key);
      if (claim === undefined) continue;
      entry.place = claim;
      entry.isKnown = claim.kind === 'repeat';
      entry.isRepeat = entry.isKnown;
    }
  }

  async #insert(entries: readonly Entry[], stamp: GroupStamp, deadline: Deadline): Promise<void> {
    if (entries.length === 0) return;
    const documents = entries.map(({ place, document }) => ({
      ...document,
      ...stamp,
      _id: place.event,
      timestamp: place.timestamp,
    }));
    const inserted: Inserted = await insertAll(this.#events, documents, deadline);
    for (const [index, entry] of entries.entries()) {
      entry.refusal = inserted.refused.get(index) ?? null;
      // After an attempt without an answer, what is present most likely came from that attempt.
      entry.isRepeat = inserted.unanswered === 0 && inserted.present.has(index);
    }
    await this.#recheck(
      [...inserted.present].flatMap((index) => entries[index] ?? []),
      stamp,
      deadline,
    );
  }

  /** What is stored under another writer's stamp may be where nobody reads any more: has it read again. */
  async #recheck(present: readonly Entry[], { writer }: GroupStamp, deadline: Deadline): Promise<void> {
    if (present.length === 0) return;
    const ids = { _id: { $in: present.map(({ place }) => place.event) } };
    const options = { projection: { _id: 0, writer: 1 }, readPreference: 'primary' } as const;
    const found = await persistently(deadline, (ms) =>
      answeredWithin(ms, this.#events.find(ids, { ...options, maxTimeMS: ms }).toArray()),
    );
    const others = found.map((event) => event.writer).filter((other) => typeof other === 'number');
    await this.#writer.recheck(new Set(others.filter((other) => other !== writer)), deadline);
  }

  /** Rejects each append with an event that the server will not take; returns which others depended on it. */
  async #refuse(stamp: GroupStamp): Promise<GroupOutcome> {
    const good = this.#good();
    const failed = this.#appends.filter((append) => !good.includes(append));
    if (failed.length === 0) return this.#outcome([], stamp, null);
    const wanted = new Set(this.#wanted());
    const unwanted = this.#entries.filter((entry) => !wanted.has(entry) && !entry.isRepeat);
    const isTakenBack = await this.#takeBack(unwanted, stamp).then(
      () => true,
      () => false,
    );
    const isGuilty = (append: Append) =>
      this.#of(append).some(({ owner, refusal }) => refusal !== null && owner === append);
    for (const append of failed.filter(isGuilty)) append.reject(this.#refusalOf(append));
    const alone = failed.filter((append) => !isGuilty(append));
    return this.#outcome(alone, stamp, isTakenBack ? null : () => this.#takeBack(unwanted, stamp));
  }

  /** Removes what was stored only for failed appends. Every insert was answered, so nothing arrives later. */
  async #takeBack(entries: readonly Entry[], stamp: GroupStamp): Promise<void> {
    const deadline = deadlineIn(TAKE_BACK_MS);
    // Whoever stores such an event anew must not meet a reader that still holds the one taken back.
    const confirm = async () => {
      if (!this.#writer.isLost(stamp)) await this.#writer.confirm(stamp, deadline);
    };
    await this.#ids.release(placesOf(entries), deadline, confirm);
    const events = entries.flatMap(({ key, place }) => (key === null ? [place.event] : []));
    if (events.length === 0) return;
    const deletion = this.#events.deleteMany({ _id: { $in: events } }, majorityWithin(TAKE_BACK_MS));
    await answeredWithin(TAKE_BACK_MS, deletion);
  }

  #of(append: Append): readonly Entry[] {
    return this.#entriesOf.get(append) ?? [];
  }

  /** The positions of the events of the append that it did not store itself. */
  #repeatsOf(append: Append): number[] {
    const stored = new Set<Entry>();
    const repeats: number[] = [];
    for (const [position, entry] of this.#of(append).entries()) {
      if (entry.owner !== append || entry.isRepeat || stored.has(entry)) repeats.push(position);
      else stored.add(entry);
    }
    return repeats;
  }

  #refusalOf(append: Append): ApiError {
    const refusal = this.#of(append).find((entry) => entry.refusal !== null)?.refusal;
    const cause = new Error(`the server refused an event: ${refusal?.code} ${refusal?.errmsg}`);
    return new ApiError('INTERNAL_ERROR', { cause });
  }
}

function newEntry(owner: Append, key: string | null, document: PreparedEvent['document']): Entry {
  const place = { event: new mongo.ObjectId(), timestamp: document.timestamp };
  return { key, owner, document, place, isKnown: false, isRepeat: false, refusal: null };
}

/** The positions of the entries with an id, by its key. */
function placesOf(entries: readonly Entry[]): Map<string, EventPlace> {
  return new Map(entries.flatMap(({ key, place }) => (key === null ? [] : [[key, place] as const])));
}
