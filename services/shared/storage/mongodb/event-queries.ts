/** Runs compiled pipelines: fair turns, a limit of time, an end as soon as nobody waits for it, and flat rows. */
import { setMaxListeners } from 'node:events';
import { mongo } from 'mongoose';
import { ApiError } from '../../errors/api-error.ts';
import type { CompiledQuery, RawRow } from '../../ports/event-store.ts';
import { FairTurns } from '../fair-turns.ts';
import { SingleFlight, untilAborted } from '../single-flight.ts';
import { EVENT_COLLECTION } from './event-document.ts';
import { toQueryError } from './event-faults.ts';
import { toRawRow } from './raw-rows.ts';

/** How long the server may work on a query, and how much later one without answer is given up, in milliseconds. */
const QUERY_MS = 30_000;
const GRACE_MS = 2_000;

export type MongodbQuery = Extract<CompiledQuery, { engine: 'mongodb' }>;

export interface EventQueriesOptions {
  /** Queries that run at once. */
  readonly concurrentQueries: number;
  /** Most queries that wait for their turn. */
  readonly maxWaitingQueries: number;
}

export class EventQueries {
  readonly #events: mongo.Collection;
  readonly #turns: FairTurns<number>;
  readonly #flights: SingleFlight<MongodbQuery>;
  #closed = false;

  constructor(database: mongo.Db, { concurrentQueries, maxWaitingQueries }: EventQueriesOptions) {
    this.#events = database.collection(EVENT_COLLECTION);
    this.#turns = new FairTurns([...Array(concurrentQueries).keys()], maxWaitingQueries);
    this.#flights = new SingleFlight(
      (query, signal, party, began) => this.#inTurn(query, signal, party, began),
      ({ pipeline }) => mongo.BSON.EJSON.stringify(pipeline, { relaxed: false }),
    );
  }

  /** Queries that shared the run of another so far. */
  get shared(): number {
    return this.#flights.joined;
  }

  /** As `run` of the port says. */
  rows(query: MongodbQuery, signal?: AbortSignal, party?: string): Promise<readonly RawRow[]> {
    if (signal) setMaxListeners(0, signal);
    return this.#flights.rows(query, signal, party);
  }

  /** Lets `read` have a turn as queries do; rejects with the signal's reason as soon as it aborts. */
  async use<R>(read: () => Promise<R>, signal: AbortSignal, party: string | undefined): Promise<R> {
    if (this.#closed) throw closedError();
    signal.throwIfAborted();
    const turn = await this.#turns.take(signal, party);
    const result = read().finally(() => this.#turns.give(turn, party));
    return untilAborted(result, signal);
  }

  /** Refuses what waits, and lets what runs end. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#turns.refuseAll('the event store closes');
    await this.#turns.untilAllIdle();
  }

  #inTurn(
    query: MongodbQuery,
    signal: AbortSignal,
    party: string | undefined,
    began: () => void,
  ): Promise<RawRow[]> {
    const read = () => {
      began();
      // Other processes write too: who asks after a run began never joins it, and so sees what they stored before.
      this.#flights.noticeWrite();
      return this.#aggregate(query, signal, party);
    };
    return this.use(read, signal, party);
  }

  /** The end of the signal ends the connection of the query, and with it, on a MongoDB server, the query. */
  async #aggregate({ pipeline }: MongodbQuery, signal: AbortSignal, party = ''): Promise<RawRow[]> {
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
