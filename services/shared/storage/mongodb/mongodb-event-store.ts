/** Keeps events in MongoDB: durable appends without transactions, erasure, and look-ups about people. Columns answer queries. */
import { type Connection, mongo } from 'mongoose';
import { ApiError } from '../../errors/api-error.ts';
import type { EventRecord } from '../../model/event-record.ts';
import { type Clock, systemClock } from '../../ports/clock.ts';
import {
  type AppendOutcome,
  type EventKeeper,
  type EventSelection,
  NO_REPEATS,
} from '../../ports/event-store.ts';
import type { ProfileEvents } from '../../ports/profile-events.ts';
import { sizeOf } from '../event-columns.ts';
import { profileEventsOver } from '../read-people.ts';
import { answeredWithin } from './answered-within.ts';
import type { PreparedEvent } from './append-group.ts';
import { AppendGroups } from './append-groups.ts';
import { EventWriter } from './arrivals/event-writer.ts';
import { toEventDocument } from './event-document.ts';
import { eraseEvents } from './event-erasure.ts';
import { toWriteError } from './event-faults.ts';
import { EventIds, eventIdKey } from './event-ids.ts';
import { lookUpEvents } from './look-up-events.ts';
import { answering } from './outage.ts';
import { PIPELINES_OF_PEOPLE } from './people-pipelines.ts';

/** How long the server may take to answer a ping, in milliseconds. */
const PING_MS = 5_000;

/**
 * The number of characters from which an event is measured: below it, an event cannot exceed MongoDB's limit for one
 * document.
 */
const LONG_EVENT_CHARACTERS = 2_000_000;
const LARGEST_DOCUMENT_BYTES = 16_777_216;

/** A surrogate without its other half. */
const HALF_CHARACTER = /\p{Surrogate}/u;

export interface SegmentEraser {
  /** Called when the documents are gone. When it resolves, no query finds the events in segments; those without a document are counted. */
  eraseFromSegments(selection: EventSelection, signal?: AbortSignal): Promise<number>;
}

export interface MongodbEventStoreOptions {
  /** An open connection to a migrated database; closed with the store. */
  readonly connection: Connection;
  /** Takes erased events out of the segments of their partitions; default: there are no segments. */
  readonly segments?: SegmentEraser;
  /** Says when events arrive; default: the machine's clock. */
  readonly clock?: Clock;
  /** Milliseconds that no setting of the clock changes; default: those since the process began. */
  readonly monotonic?: () => number;
  /** How many events may wait to be stored; default 100,000. */
  readonly maxWaitingEvents?: number;
  /** How many characters of text may wait to be stored; default 256 million. */
  readonly maxWaitingCharacters?: number;
}

/**
 * {@link EventKeeper} over one database, which many processes may use at once. An append resolves when a majority has its
 * events in the journal. There are no transactions, so a reader may see some events of an append in progress. When the
 * server is lost during an append, it rejects with SERVICE_UNAVAILABLE, and some of its events may stay stored: those
 * with an `event_id` are stored once, also when they are sent again, those without are removed once the server
 * answers, if this process still runs. Events that the server refuses are taken back at once. Any number of ids is
 * known.
 */
export class MongodbEventStore implements EventKeeper {
  readonly profileEvents: ProfileEvents;
  readonly #connection: Connection;
  readonly #database: mongo.Db;
  readonly #writer: EventWriter;
  readonly #ids: EventIds;
  readonly #appends: AppendGroups;
  readonly #segments: SegmentEraser | undefined;
  #closing: Promise<void> | null = null;

  constructor({ connection, clock = systemClock, ...options }: MongodbEventStoreOptions) {
    this.#connection = connection;
    this.#segments = options.segments;
    this.#database = connection.getClient().db(connection.name);
    const { monotonic } = options;
    this.#writer = new EventWriter(this.#database, { clock, ...(monotonic && { monotonic }) });
    this.#ids = new EventIds(this.#database, clock, this.#writer);
    const ports = { database: this.#database, ids: this.#ids, writer: this.#writer };
    this.#appends = new AppendGroups(ports, {
      events: options.maxWaitingEvents ?? 100_000,
      characters: options.maxWaitingCharacters ?? 256_000_000,
    });
    this.profileEvents = profileEventsOver(PIPELINES_OF_PEOPLE, async (pipeline) => {
      this.#requireOpen();
      return lookUpEvents(this.#database, pipeline);
    });
  }

  /** Groups of appends that were stored since the store was opened: shows how well appends share them. */
  get commits(): number {
    return this.#appends.commits;
  }

  /** Events that are waiting to be stored. */
  get waitingEvents(): number {
    return this.#appends.waitingEvents;
  }

  async append(events: readonly EventRecord[]): Promise<AppendOutcome> {
    if (events.length === 0) return NO_REPEATS;
    const { prepared, characters } = prepare(events);
    return this.#appends.add(prepared, characters);
  }

  async findRepeats(events: readonly EventRecord[]): Promise<readonly boolean[]> {
    this.#requireOpen();
    const keys = events.map(eventIdKey);
    const stored = await this.#ids.stored(keys.filter((key) => key !== null));
    return keys.map((key) => key !== null && stored.has(key));
  }

  async erase(selection: EventSelection, signal?: AbortSignal): Promise<number> {
    this.#requireOpen();
    const erased = await eraseEvents(this.#database, selection, { signal });
    try {
      return erased + ((await this.#segments?.eraseFromSegments(selection, signal)) ?? 0);
    } catch (cause) {
      throw signal?.aborted ? signal.reason : toWriteError(cause);
    }
  }

  async ping(): Promise<void> {
    this.#requireOpen();
    await answering(() => answeredWithin(PING_MS, this.#database.command({ ping: 1 })));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    try {
      await this.#appends.close();
      await this.#writer.close();
    } finally {
      await this.#connection.close();
    }
  }

  #requireOpen(): void {
    if (this.#closing === null) return;
    throw new ApiError('SERVICE_UNAVAILABLE', { cause: new Error('the event store is closed') });
  }
}

/**
 * The events in their stored form, and roughly their characters.
 * @throws ApiError INTERNAL_ERROR when one cannot be stored
 */
function prepare(events: readonly EventRecord[]): { prepared: PreparedEvent[]; characters: number } {
  try {
    let characters = 0;
    const prepared = events.map((event) => {
      const size = sizeOf(event);
      characters += size;
      const document = { ...toEventDocument(event), timestamp: event.timestamp };
      requireStorable(document, size);
      return { key: eventIdKey(event), document };
    });
    return { prepared, characters };
  } catch (cause) {
    throw new ApiError('INTERNAL_ERROR', { cause });
  }
}

/** The driver would replace a lone surrogate by something else, and could not send what is too large. */
function requireStorable(document: PreparedEvent['document'], characters: number): void {
  for (const [field, value] of Object.entries(document)) {
    if (typeof value === 'string' && HALF_CHARACTER.test(value))
      throw new TypeError(`${field} is no Unicode`);
  }
  if (characters < LONG_EVENT_CHARACTERS) return;
  const bytes = mongo.BSON.calculateObjectSize(document);
  if (bytes > LARGEST_DOCUMENT_BYTES - 1_000) throw new RangeError(`an event has ${bytes} bytes`);
}

/** Opens the store over an open connection. @throws ApiError SERVICE_UNAVAILABLE when the server does not answer */
export async function createMongodbEventStore(options: MongodbEventStoreOptions): Promise<MongodbEventStore> {
  const store = new MongodbEventStore(options);
  await store.ping();
  return store;
}
