/**
 * The ids of events: which `event_id` belongs to which document. With them an event is stored once, no matter who sends
 * it, how often, through which process, and what crashes meanwhile.
 */
import { hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { mongo } from 'mongoose';
import { ApiError } from '../../errors/api-error.ts';
import type { EventRecord } from '../../model/event-record.ts';
import type { Clock } from '../../ports/clock.ts';
import { eventIdSpace, REPEAT_WINDOW_MS } from '../event-id-window.ts';
import { answeredWithin, majorityWithin } from './answered-within.ts';
import type { EventWriter } from './arrivals/event-writer.ts';
import { EVENT_COLLECTION } from './event-document.ts';
import { type Deadline, deadlineIn, persistently } from './event-faults.ts';
import { insertAll } from './insert-all.ts';

/** The collection of ids; sharded by its hashed `_id`, so that an id is one document in the whole cluster. */
export const EVENT_ID_COLLECTION = 'event_ids';

/** How long a read of ids that claims none may take, in milliseconds. */
const LOOK_MS = 10_000;

/** How often it looks at ids that other writers change meanwhile; each look waits a little longer than the one before. */
const MOST_LOOKS = 50;

/**
 * An id. A writer that finds none creates a pending one, and only then stores the event, under `event` and `timestamp`.
 * A writer that finds it pending stores the event under the same two, so that it goes to the same shard and meets its
 * unique `_id` there.
 */
interface EventIdDocument {
  /** {@link eventIdKey}. */
  readonly _id: string;
  /** `_id` of the event. */
  readonly event: mongo.ObjectId;
  /** Instant of the event, in milliseconds since the epoch. */
  readonly timestamp: number;
  /** `stored`: the event is durable. `released`: its only writer takes the event back, since an append failed. */
  readonly state: 'pending' | 'stored' | 'released';
  /** How many appends may store the event: if more than one, none takes it back. */
  readonly writers: number;
  /** The number of the first of them in `event_writers`; absent in ids of earlier versions. */
  readonly writer?: number;
  /** When it came and, once it is stored, when that was: a repeat is recognized for 24 hours from then on. */
  readonly at: Date;
}

/** The `_id` and instant under which an event will be stored. */
export interface EventPlace {
  readonly event: mongo.ObjectId;
  readonly timestamp: number;
}

/**
 * `own`: the id was new. `adopted`: another append has it, which may or may not have stored the event. `repeat`: it is
 * stored.
 */
export interface Claim extends EventPlace {
  readonly kind: 'own' | 'adopted' | 'repeat';
}

/** Identifies repeats of this event: its space and `event_id`; null for an event without id. */
export function eventIdKey(record: EventRecord): string | null {
  const { event_id } = record;
  return event_id === null ? null : hash('sha256', `${eventIdSpace(record)}\0${event_id}`, 'base64url');
}

export class EventIds {
  readonly #ids: mongo.Collection<EventIdDocument>;
  readonly #events: mongo.Collection;
  readonly #clock: Clock;
  readonly #writer: Pick<EventWriter, 'recheck'>;

  constructor(database: mongo.Db, clock: Clock, writer: Pick<EventWriter, 'recheck'>) {
    this.#writer = writer;
    this.#ids = database.collection(EVENT_ID_COLLECTION);
    this.#events = database.collection(EVENT_COLLECTION);
    this.#clock = clock;
  }

  /** Claims every key for this writer, at its own position if it is new. Each claim is durable when this resolves. */
  async claim(
    wanted: ReadonlyMap<string, EventPlace>,
    writer: number,
    deadline: Deadline,
  ): Promise<ReadonlyMap<string, Claim>> {
    const claims = new Map<string, Claim>();
    let open = new Map(wanted);
    let absent = new Map(wanted);
    for (let look = 0; ; look++) {
      for (const key of await this.#make(absent, writer, deadline)) {
        const place = wanted.get(key);
        if (place) claims.set(key, { ...place, kind: 'own' });
        open.delete(key);
      }
      if (open.size === 0) return claims;
      if (look === MOST_LOOKS) throw new ApiError('SERVICE_UNAVAILABLE', { cause: new Error('ids change') });
      await pause(look);
      const found = await this.#find([...open.keys()], deadline);
      for (const [key, claim] of await this.#settle(open, found, writer, deadline)) claims.set(key, claim);
      open = new Map([...open].filter(([key]) => !claims.has(key)));
      absent = new Map([...open].filter(([key]) => !found.has(key)));
    }
  }

  /** Those keys whose events are stored, within the window of repeats; claims nothing. */
  async stored(keys: readonly string[]): Promise<ReadonlySet<string>> {
    const found = await this.#find(keys, deadlineIn(LOOK_MS));
    const stored = [...found.values()].filter((id) => id.state === 'stored' && !this.#isOver(id));
    return new Set(stored.map(({ _id }) => _id));
  }

  /** Marks the events of the claims as durable. */
  async markStored(claims: ReadonlyMap<string, EventPlace>, deadline: Deadline): Promise<void> {
    if (claims.size === 0) return;
    const change = { $set: { state: 'stored' as const, at: this.#now() } };
    const pending = { ...matching(claims), state: 'pending' as const };
    await persistently(deadline, (ms) =>
      answeredWithin(ms, this.#ids.updateMany(pending, change, majorityWithin(ms))),
    );
  }

  /**
   * Takes back the events of claims that no other append shares, and these claims. Call it when every insert of them is
   * answered. Shared ones stay: the others store them, or have. The ids are free after `confirm`.
   */
  async release(
    claims: ReadonlyMap<string, EventPlace>,
    deadline: Deadline,
    confirm: () => Promise<void>,
  ): Promise<void> {
    if (claims.size === 0) return;
    const own = { ...matching(claims), state: 'pending' as const, writers: 1 };
    const released = { ...matching(claims), state: 'released' as const };
    await persistently(deadline, async (ms) => {
      const options = majorityWithin(ms);
      await answeredWithin(ms, this.#ids.updateMany(own, { $set: { state: 'released' } }, options));
      const taken = (await this.#read(released, ms)).map(({ event }) => event);
      await answeredWithin(ms, this.#events.deleteMany({ _id: { $in: taken } }, options));
      await confirm();
      await answeredWithin(ms, this.#ids.deleteMany(released, options));
    });
  }

  /** Creates the missing ids; returns which those were. */
  async #make(
    absent: ReadonlyMap<string, EventPlace>,
    writer: number,
    deadline: Deadline,
  ): Promise<string[]> {
    const keys = [...absent.keys()];
    if (keys.length === 0) return [];
    const documents = [...absent].map(([_id, place]) => ({ _id, ...this.#pending(place, writer) }));
    const { present, refused } = await insertAll(this.#ids, documents, deadline);
    const fault = [...refused.values()][0];
    if (fault) throw new ApiError('SERVICE_UNAVAILABLE', { cause: new Error(fault.errmsg ?? 'refused') });
    return keys.filter((_, index) => !present.has(index));
  }

  async #find(keys: readonly string[], deadline: Deadline): Promise<ReadonlyMap<string, EventIdDocument>> {
    const documents = await persistently(deadline, (ms) => this.#read({ _id: { $in: [...keys] } }, ms));
    return new Map(documents.map((document) => [document._id, document]));
  }

  #read(filter: mongo.Filter<EventIdDocument>, ms: number): Promise<EventIdDocument[]> {
    const found = this.#ids.find(filter, { maxTimeMS: ms, readPreference: 'primary' });
    return answeredWithin(ms, found.toArray());
  }

  /** The claims that the ids found allow; obstacles for the rest are gone when they are looked at again. */
  async #settle(
    open: ReadonlyMap<string, EventPlace>,
    found: ReadonlyMap<string, EventIdDocument>,
    writer: number,
    deadline: Deadline,
  ): Promise<ReadonlyMap<string, Claim>> {
    const claims = new Map<string, Claim>();
    const adoptable = new Map<string, EventPlace>();
    const outdated: EventIdDocument[] = [];
    for (const [key, document] of found) {
      const isOwn = open.get(key)?.event.equals(document.event) === true;
      if (document.state === 'released' || this.#isOver(document)) outdated.push(document);
      else if (document.state === 'stored') claims.set(key, claimOf(document, 'repeat'));
      else if (isOwn) claims.set(key, claimOf(document, 'own'));
      else adoptable.set(key, document);
    }
    if (await this.#adopt(adoptable, deadline)) {
      for (const [key, place] of adoptable) claims.set(key, { ...place, kind: 'adopted' });
    }
    await this.#replace(outdated, open, writer, deadline);
    return claims;
  }

  /** Joins the writers of pending events; false when one of them is no longer pending. */
  async #adopt(places: ReadonlyMap<string, EventPlace>, deadline: Deadline): Promise<boolean> {
    if (places.size === 0) return true;
    const pending = { ...matching(places), state: 'pending' as const };
    const change = { $inc: { writers: 1 } };
    const { matchedCount } = await persistently(deadline, (ms) =>
      answeredWithin(ms, this.#ids.updateMany(pending, change, majorityWithin(ms))),
    );
    return matchedCount === places.size;
  }

  /** Replaces each claim that is a day old or released by a claim of its own, unless another writer was faster. */
  async #replace(
    outdated: readonly EventIdDocument[],
    open: ReadonlyMap<string, EventPlace>,
    writer: number,
    deadline: Deadline,
  ): Promise<void> {
    if (outdated.length === 0) return;
    const released = outdated.filter(({ state }) => state === 'released');
    const leftovers = released.map(({ event }) => event);
    // Whoever released one may have died before it told that the event is gone.
    const others = new Set(released.flatMap((id) => id.writer ?? []).filter((other) => other !== writer));
    const changes = outdated.flatMap(({ _id, event }) => {
      const place = open.get(_id);
      return place
        ? [{ updateOne: { filter: { _id, event }, update: { $set: this.#pending(place, writer) } } }]
        : [];
    });
    await persistently(deadline, async (ms) => {
      const options = majorityWithin(ms);
      if (leftovers.length > 0) {
        await answeredWithin(ms, this.#events.deleteMany({ _id: { $in: leftovers } }, options));
        await this.#writer.recheck(others, deadline);
      }
      await answeredWithin(ms, this.#ids.bulkWrite(changes, { ordered: false, ...options }));
    });
  }

  #pending({ event, timestamp }: EventPlace, writer: number): Omit<EventIdDocument, '_id'> {
    return { event, timestamp, state: 'pending', writers: 1, writer, at: this.#now() };
  }

  #isOver({ at }: EventIdDocument): boolean {
    return this.#clock.now() - at.getTime() > REPEAT_WINDOW_MS;
  }

  #now(): Date {
    return new Date(this.#clock.now());
  }
}

/** Ids that still belong to the same events: an event has only one id. */
function matching(claims: ReadonlyMap<string, EventPlace>) {
  return {
    _id: { $in: [...claims.keys()] },
    event: { $in: [...claims.values()].map(({ event }) => event) },
  };
}

function claimOf({ event, timestamp }: EventIdDocument, kind: Claim['kind']): Claim {
  return { event, timestamp, kind };
}
