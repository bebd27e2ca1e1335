/** Group commit: appends that arrive while others are stored share the next bulk insert; a few groups run at once. */
import { setTimeout as pause } from 'node:timers/promises';
import type { mongo } from 'mongoose';
import { ApiError } from '../../errors/api-error.ts';
import type { AppendOutcome } from '../../ports/event-store.ts';
import { type Extent, WaitingAppends } from '../waiting-appends.ts';
import { answeredWithin, majorityWithin } from './answered-within.ts';
import { type Append, AppendGroup, type Leftovers, type PreparedEvent } from './append-group.ts';
import { EVENT_COLLECTION } from './event-document.ts';
import type { EventIds } from './event-ids.ts';

const LARGEST_GROUP: Extent = { events: 2_000, characters: 8_000_000 };

/** How many groups run at once: a write waits for the disks of several machines, which can do other work meanwhile. */
const GROUPS_AT_ONCE = 4;

/** How often, and how many times, it tries to remove the events of a failed append while the server does not answer. */
const REMOVE_EVERY_MS = 2_000;
const REMOVE_TRIES = 150;

interface Waiting extends Append {
  readonly characters: number;
}

export class AppendGroups {
  readonly #database: mongo.Db;
  readonly #ids: EventIds;
  readonly #stopping = new AbortController();
  readonly #waiting: WaitingAppends<Waiting>;
  #running = 0;
  #whenIdle: (() => void)[] = [];
  /** Groups attempted so far, for tests and metrics. */
  commits = 0;

  /** `mostWaiting`: how many events may wait for a group. */
  constructor(database: mongo.Db, ids: EventIds, mostWaiting: Extent) {
    this.#database = database;
    this.#ids = ids;
    this.#waiting = new WaitingAppends({ most: mostWaiting, largestGroup: LARGEST_GROUP });
  }

  /** Events that are waiting for a group, without those in running ones. */
  get waitingEvents(): number {
    return this.#waiting.events;
  }

  /** Resolves when the events are durable. @throws ApiError SERVICE_UNAVAILABLE when too many wait, the queue is closed, or no server answers */
  async add(events: readonly PreparedEvent[], characters: number): Promise<AppendOutcome> {
    if (this.#stopping.signal.aborted) {
      throw new ApiError('SERVICE_UNAVAILABLE', { cause: new Error('the event store is closed') });
    }
    this.#waiting.requireRoom(events.length, characters);
    return new Promise((resolve, reject) => {
      this.#waiting.add({ events, characters, resolve, reject });
      if (this.#running < GROUPS_AT_ONCE) void this.#drain();
    });
  }

  /** Accepts no more, and resolves when everything accepted is settled. */
  async close(): Promise<void> {
    this.#stopping.abort();
    if (this.#running > 0) await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
  }

  async #drain(): Promise<void> {
    this.#running++;
    // Appends in the same turn of the event loop share the first group.
    await new Promise(setImmediate);
    while (this.#waiting.size > 0) await this.#store(this.#waiting.takeGroup());
    this.#running--;
    if (this.#running === 0) for (const tell of this.#whenIdle.splice(0)) tell();
  }

  async #store(group: readonly Append[]): Promise<void> {
    this.commits++;
    const left = (events: Leftovers) => void this.#remove(events);
    const alone = await new AppendGroup(group).store(this.#database, this.#ids, left);
    for (const append of alone) await this.#store([append]);
  }

  /** Removes events of failed appends that may be stored, once a server answers; not after the store is closed. */
  async #remove(events: Leftovers): Promise<void> {
    const collection = this.#database.collection(EVENT_COLLECTION);
    const { signal } = this.#stopping;
    for (let tries = 0; events.length > 0 && tries < REMOVE_TRIES && !signal.aborted; tries++) {
      try {
        const removed = collection.deleteMany({ _id: { $in: [...events] } }, majorityWithin(REMOVE_EVERY_MS));
        await answeredWithin(REMOVE_EVERY_MS, removed);
        return;
      } catch {
        await pause(REMOVE_EVERY_MS, undefined, { ref: false, signal }).catch(() => undefined);
      }
    }
  }
}
