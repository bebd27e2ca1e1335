/** Group commit: appends that arrive while others are stored share the next bulk insert; a few groups are under way at once. */
import { setTimeout as pause } from 'node:timers/promises';
import type { mongo } from 'mongoose';
import { ApiError } from '../../errors/api-error.ts';
import type { AppendOutcome } from '../../ports/event-store.ts';
import { type Append, AppendGroup, type Leftovers, type PreparedEvent } from './append-group.ts';
import { EVENT_COLLECTION } from './event-document.ts';
import type { EventIds } from './event-ids.ts';

/** Most events and most characters of text in one group, so that none takes long. */
const LARGEST_GROUP_EVENTS = 2_000;
const LARGEST_GROUP_CHARACTERS = 8_000_000;

/** Groups under way at once: a write waits for disks of several machines, which have time for others meanwhile. */
const GROUPS_AT_ONCE = 4;

/** How often, and how many times, it is tried to remove events of a failed append while the server does not answer. */
const REMOVE_EVERY_MS = 2_000;
const REMOVE_TRIES = 150;

export interface AppendGroupsOptions {
  /** Most events that wait for a group. */
  readonly maxWaitingEvents: number;
  /** Most characters of text that wait for a group. */
  readonly maxWaitingCharacters: number;
}

interface Waiting extends Append {
  readonly characters: number;
}

export class AppendGroups {
  readonly #database: mongo.Db;
  readonly #ids: EventIds;
  readonly #options: AppendGroupsOptions;
  readonly #stopping = new AbortController();
  #waiting: Waiting[] = [];
  #waitingEvents = 0;
  #waitingCharacters = 0;
  #running = 0;
  #whenIdle: (() => void)[] = [];
  /** Groups tried so far, for tests and metrics. */
  commits = 0;

  constructor(database: mongo.Db, ids: EventIds, options: AppendGroupsOptions) {
    this.#database = database;
    this.#ids = ids;
    this.#options = options;
  }

  /** Events that wait for a group at the moment, those under way not counted. */
  get waitingEvents(): number {
    return this.#waitingEvents;
  }

  /** Resolves when the events are durable. @throws ApiError SERVICE_UNAVAILABLE when too many wait, the queue is closed, or no server answers */
  add(events: readonly PreparedEvent[], characters: number): Promise<AppendOutcome> {
    if (this.#stopping.signal.aborted) return refused('the event store is closed');
    if (!this.#hasRoom(events.length, characters)) {
      return refused(
        `${this.#waitingEvents} events (${this.#waitingCharacters} characters) wait already`,
        'Too many events wait to be stored; try again shortly.',
      );
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ events, characters, resolve, reject });
      this.#waitingEvents += events.length;
      this.#waitingCharacters += characters;
      if (this.#running < GROUPS_AT_ONCE) void this.#drain();
    });
  }

  /** Takes no more and resolves when what was taken is settled. */
  async close(): Promise<void> {
    this.#stopping.abort();
    if (this.#running > 0) await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
  }

  /** An append larger than the whole bound is taken when nothing else waits. */
  #hasRoom(events: number, characters: number): boolean {
    if (this.#waiting.length === 0) return true;
    return (
      this.#waitingEvents + events <= this.#options.maxWaitingEvents &&
      this.#waitingCharacters + characters <= this.#options.maxWaitingCharacters
    );
  }

  async #drain(): Promise<void> {
    this.#running++;
    // Those of the same turn of the event loop share the first group.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) await this.#store(this.#takeGroup());
    this.#running--;
    if (this.#running === 0) for (const tell of this.#whenIdle.splice(0)) tell();
  }

  async #store(group: readonly Append[]): Promise<void> {
    this.commits++;
    const left = (events: Leftovers) => void this.#remove(events);
    const alone = await new AppendGroup(group).store(this.#database, this.#ids, left);
    for (const append of alone) await this.#store([append]);
  }

  #takeGroup(): readonly Append[] {
    let events = 0;
    let characters = 0;
    let size = 0;
    for (const append of this.#waiting) {
      events += append.events.length;
      characters += append.characters;
      if (size > 0 && (events > LARGEST_GROUP_EVENTS || characters > LARGEST_GROUP_CHARACTERS)) break;
      size++;
    }
    const group = this.#waiting.slice(0, size);
    this.#waiting = this.#waiting.slice(size);
    for (const append of group) {
      this.#waitingEvents -= append.events.length;
      this.#waitingCharacters -= append.characters;
    }
    return group;
  }

  /** Removes events of failed appends that may be stored, once a server answers; not after the store is closed. */
  async #remove(events: Leftovers): Promise<void> {
    const collection = this.#database.collection(EVENT_COLLECTION);
    const { signal } = this.#stopping;
    for (let tries = 0; events.length > 0 && tries < REMOVE_TRIES && !signal.aborted; tries++) {
      try {
        await collection.deleteMany({ _id: { $in: [...events] } }, { timeoutMS: REMOVE_EVERY_MS });
        return;
      } catch {
        await pause(REMOVE_EVERY_MS, undefined, { ref: false, signal }).catch(() => undefined);
      }
    }
  }
}

function refused(reason: string, text?: string): Promise<never> {
  const cause = new Error(reason);
  return Promise.reject(
    new ApiError('SERVICE_UNAVAILABLE', { cause, ...(text === undefined ? {} : { text }) }),
  );
}
