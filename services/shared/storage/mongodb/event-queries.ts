/** Runs pipelines over events: fair turns, a time limit, an early end when nobody waits any more, and flat rows. */
import { setMaxListeners } from 'node:events';
import { mongo } from 'mongoose';
import { ApiError } from '../../errors/api-error.ts';
import type { RawRow } from '../../ports/event-store.ts';
import { FairTurns } from '../fair-turns.ts';
import { SingleFlight, untilAborted } from '../single-flight.ts';
import { EVENT_COLLECTION } from './event-document.ts';
import { toQueryError } from './event-faults.ts';

/** How long the server may work on a query, and how much later an unanswered one is given up, in milliseconds. */
const QUERY_MS = 30_000;
const GRACE_MS = 2_000;

/** Stages of an aggregation over the collection of events. */
export type EventPipeline = readonly Readonly<Record<string, unknown>>[];

export interface EventQueriesOptions {
  /** How many queries run at once. */
  readonly concurrentQueries: number;
  /** How many queries may wait for their turn. */
  readonly maxWaitingQueries: number;
}

export class EventQueries {
  readonly #events: mongo.Collection;
  readonly #turns: FairTurns<number>;
  readonly #flights: SingleFlight<EventPipeline>;
  #closed = false;

  constructor(database: mongo.Db, { concurrentQueries, maxWaitingQueries }: EventQueriesOptions) {
    this.#events = database.collection(EVENT_COLLECTION);
    this.#turns = new FairTurns([...Array(concurrentQueries).keys()], maxWaitingQueries);
    this.#flights = new SingleFlight(
      (pipeline, signal, party, began) => this.#inTurn(pipeline, signal, party, began),
      (pipeline) => mongo.BSON.EJSON.stringify(pipeline, { relaxed: false }),
    );
  }

  /** Queries that shared another's run so far. */
  get shared(): number {
    return this.#flights.joined;
  }

  /** Its rows; rejects with the signal's reason as soon as it aborts. */
  rows(pipeline: EventPipeline, signal?: AbortSignal, party?: string): Promise<readonly RawRow[]> {
    if (signal) setMaxListeners(0, signal);
    return this.#flights.rows(pipeline, signal, party);
  }

  /** Gives `read` a turn, as queries get one; rejects with the signal's reason as soon as it aborts. */
  async use<R>(read: () => Promise<R>, signal: AbortSignal, party: string | undefined): Promise<R> {
    if (this.#closed) throw closedError();
    signal.throwIfAborted();
    const turn = await this.#turns.take(signal, party);
    const result = read().finally(() => this.#turns.give(turn));
    return untilAborted(result, signal);
  }

  /** Refuses waiting queries, and lets running ones end. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#turns.refuseAll('the event store closes');
    await this.#turns.untilAllIdle();
  }

  #inTurn(
    pipeline: EventPipeline,
    signal: AbortSignal,
    party: string | undefined,
    began: () => void,
  ): Promise<RawRow[]> {
    const read = () => {
      began();
      // Other processes write too: a query that arrives after a run began never joins it, and so sees what they stored
      // before.
      this.#flights.noticeWrite();
      return this.#aggregate(pipeline, signal, party);
    };
    return this.use(read, signal, party);
  }

  /** Aborting the signal closes the connection of the query, and thereby, on a MongoDB server, ends the query. */
  async #aggregate(pipeline: EventPipeline, signal: AbortSignal, party = ''): Promise<RawRow[]> {
    const ended = new AbortController();
    const leave = () => ended.abort(signal.reason);
    const silence = new ApiError('SERVICE_UNAVAILABLE', { cause: new Error('a query got no answer') });
    const giveUp = setTimeout(() => ended.abort(silence), QUERY_MS + GRACE_MS);
    signal.addEventListener('abort', leave, { once: true });
    try {
      const cursor = this.#events.aggregate(
        pipeline.map((stage) => ({ ...stage })),
        {
          allowDiskUse: true,
          maxTimeMS: QUERY_MS,
          signal: ended.signal,
          comment: `tidegate query ${party}`.trim(),
        },
      );
      return (await cursor.toArray()).map(toRawRow);
    } catch (fault) {
      ended.signal.throwIfAborted();
      throw toQueryError(fault, QUERY_MS / 1000);
    } finally {
      clearTimeout(giveUp);
      signal.removeEventListener('abort', leave);
    }
  }
}

function closedError(): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', { cause: new Error('the event store is closed') });
}

/** A flat row of a document: integers beyond 2^53 become text, dates epoch milliseconds, anything nested its JSON. */
function toRawRow(document: Readonly<Record<string, unknown>>): RawRow {
  return Object.fromEntries(Object.entries(document).map(([name, value]) => [name, toRaw(value)]));
}

function toRaw(value: unknown): RawRow[string] {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return exact(value);
  if (typeof value === 'bigint' || value instanceof mongo.Long) return integer(BigInt(value.toString()));
  if (value instanceof Date) return value.getTime();
  if (value instanceof mongo.Decimal128 || value instanceof mongo.ObjectId) return value.toString();
  return mongo.BSON.EJSON.stringify(value);
}

/** A sum beyond the whole numbers that doubles hold becomes text, as it does where integers are longer. */
function exact(value: number): number | string {
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(value).toString() : value;
}

function integer(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}
