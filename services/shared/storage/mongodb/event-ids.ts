/**
 * The ids of events: which `event_id` belongs to which document, so that an event is stored once whoever sends it, how
 * often, through which process, and whatever dies meanwhile.
 */
import { hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { mongo } from 'mongoose';
import { ApiError } from '../../errors/api-error.ts';
import type { EventRecord } from '../../model/event-record.ts';
import type { Clock } from '../../ports/clock.ts';
import { REPEAT_WINDOW_MS } from '../event-id-window.ts';
import { answeredWithin, majorityWithin } from './answered-within.ts';
import { EVENT_COLLECTION } from './event-document.ts';
import { type Deadline, persistently } from './event-faults.ts';
import { insertAll } from './insert-all.ts';

/** The collection of ids; sharded by its hashed `_id`, so that an id is one document in the whole cluster. */
export const EVENT_ID_COLLECTION = 'event_ids';

/** Looks at ids that other writers change meanwhile; each takes a little longer than the one before. */
const MOST_LOOKS = 50;

/**
 * An id. Who finds none makes one that is pending, and only then stores the event, under `event` and `timestamp`. Who finds
 * it pending stores the event under the same two, so that it goes to the same shard and meets its unique `_id` there.
 */
interface EventIdDocument {
  /** {@link eventIdKey}. */
  readonly _id: string;
  /** `_id` of the event. */
  readonly event: mongo.ObjectId;
  /** Instant of the event, in milliseconds since the epoch. */
  readonly timestamp: number;
  /** `stored`: the event is durable. `released`: its only writer takes the event back, as an append failed. */
  readonly state: 'pending' | 'stored' | 'released';
  /** Appends that may store the event: more than one never take it back. */
  readonly writers: number;
  /** When it came, and once it is stored, when that was: a repeat is known for 24 hours from then on. */
  readonly at: Date;
}

/** Under which `_id` and instant an event is to be stored. */
export interface EventPlace {
  readonly event: mongo.ObjectId;
  readonly timestamp: number;
}

/** `own`: nobody had the id. `adopted`: another append has it, which may have stored the event or not. `repeat`: it is stored. */
export interface Claim extends EventPlace {
  readonly kind: 'own' | 'adopted' | 'repeat';
}

/** What tells a repeat of this event: its website, else organization, and `event_id`; null for an event without id. */
export function eventIdKey({ event_id, website_id, organization_id }: EventRecord): string | null {
  if (event_id === null) return null;
  const scope = website_id === null ? `o${organization_id}` : `w${website_id}`;
  return hash('sha256', `${scope}\0${event_id}`, 'base64url');
}

export class EventIds {
  readonly #ids: mongo.Collection<EventIdDocument>;
  readonly #events: mongo.Collection;
  readonly #clock: Clock;

  constructor(database: mongo.Db, clock: Clock) {
    this.#ids = database.collection(EVENT_ID_COLLECTION);
    this.#events = database.collection(EVENT_COLLECTION);
    this.#clock = clock;
  }

  /** Claims every key: for its own place where it is new. Each claim is durable when this resolves. */
  async claim(
    wanted: ReadonlyMap<string, EventPlace>,
    deadline: Deadline,
  ): Promise<ReadonlyMap<string, Claim>> {
    const claims = new Map<string, Claim>();
    let open = new Map(wanted);
    let absent = new Map(wanted);
    for (let look = 0; ; look++) {
      for (const key of await this.#make(absent, deadline)) {
        const place = wanted.get(key);
        if (place) claims.set(key, { ...place, kind: 'own' });
        open.delete(key);
      }
      if (open.size === 0) return claims;
      if (look === MOST_LOOKS) throw new ApiError('SERVICE_UNAVAILABLE', { cause: new Error('ids change') });
      await pause(look);
      const found = await this.#find([...open.keys()], deadline);
      for (const [key, claim] of await this.#settle(open, found, deadline)) claims.set(key, claim);
      open = new Map([...open].filter(([key]) => !claims.has(key)));
      absent = new Map([...open].filter(([key]) => !found.has(key)));
    }
  }

  /** Says that the events of the claims are durable. */
  async markStored(claims: ReadonlyMap<string, EventPlace>, deadline: Deadline): Promise<void> {
    if (claims.size === 0) return;
    const change = { $set: { state: 'stored' as const, at: this.#now() } };
    const pending = { ...matching(claims), state: 'pending' as const };
    await persistently(deadline, (ms) =>
      answeredWithin(ms, this.#ids.updateMany(pending, change, majorityWithin(ms))),
    );
  }

  /**
   * Takes back the events of claims that no other append shares, and the claims: to be called when every insert of them is
   * answered. Others stay: who shares them stores them, or has.
   */
  async release(claims: ReadonlyMap<string, EventPlace>, deadline: Deadline): Promise<void> {
    if (claims.size === 0) return;
    const own = { ...matching(claims), state: 'pending' as const, writers: 1 };
    const released = { ...matching(claims), state: 'released' as const };
    await persistently(deadline, async (ms) => {
      const options = majorityWithin(ms);
      await answeredWithin(ms, this.#ids.updateMany(own, { $set: { state: 'released' } }, options));
      const taken = (await this.#read(released, ms)).map(({ event }) => event);
      await answeredWithin(ms, this.#events.deleteMany({ _id: { $in: taken } }, options));
      await answeredWithin(ms, this.#ids.deleteMany(released, options));
    });
  }

  /** Makes the ids that are not there; which those were. */
  async #make(absent: ReadonlyMap<string, EventPlace>, deadline: Deadline): Promise<string[]> {
    const keys = [...absent.keys()];
    if (keys.length === 0) return [];
    const documents = [...absent].map(([_id, place]) => ({ _id, ...this.#pending(place) }));
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

  /** The claims that what was found allows; of the rest, what is in the way is out of it when it is looked at again. */
  async #settle(
    open: ReadonlyMap<string, EventPlace>,
    found: ReadonlyMap<string, EventIdDocument>,
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
    await this.#replace(outdated, open, deadline);
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

  /** Puts a claim of its own in place of each one that is a day old or was released, unless another writer was faster. */
  async #replace(
    outdated: readonly EventIdDocument[],
    open: ReadonlyMap<string, EventPlace>,
    deadline: Deadline,
  ): Promise<void> {
    if (outdated.length === 0) return;
    const leftovers = outdated.filter(({ state }) => state === 'released').map(({ event }) => event);
    const changes = outdated.flatMap(({ _id, event }) => {
      const place = open.get(_id);
      return place ? [{ updateOne: { filter: { _id, event }, update: { $set: this.#pending(place) } } }] : [];
    });
    await persistently(deadline, async (ms) => {
      const options = majorityWithin(ms);
      if (leftovers.length > 0) {
        await answeredWithin(ms, this.#events.deleteMany({ _id: { $in: leftovers } }, options));
      }
      await answeredWithin(ms, this.#ids.bulkWrite(changes, { ordered: false, ...options }));
    });
  }

  #pending({ event, timestamp }: EventPlace): Omit<EventIdDocument, '_id'> {
    return { event, timestamp, state: 'pending', writers: 1, at: this.#now() };
  }

  #isOver({ at }: EventIdDocument): boolean {
    return this.#clock.now() - at.getTime() > REPEAT_WINDOW_MS;
  }

  #now(): Date {
    return new Date(this.#clock.now());
  }
}

/** Ids that still belong to the same events: an event is of one id only. */
function matching(claims: ReadonlyMap<string, EventPlace>) {
  return {
    _id: { $in: [...claims.keys()] },
    event: { $in: [...claims.values()].map(({ event }) => event) },
  };
}

function claimOf({ event, timestamp }: EventIdDocument, kind: Claim['kind']): Claim {
  return { event, timestamp, kind };
}
