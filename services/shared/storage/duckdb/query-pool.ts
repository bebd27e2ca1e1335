/** A few connections for reading: more queries than these wait in order, so that reads never starve ingest of threads. */
import { setMaxListeners } from 'node:events';
import { type DuckDBConnection, StatementType } from '@duckdb/node-api';
import { ApiError } from '../../errors/api-error.ts';
import type { CompiledQuery, RawRow } from '../../ports/event-store.ts';
import { bindParameters, toRawRows } from './raw-values.ts';
import { toStoreError, unavailable } from './store-faults.ts';

/** An interrupt that comes before the engine starts a statement is lost, so it is repeated this often. */
const INTERRUPT_EVERY_MS = 20;

type DuckDbQuery = Extract<CompiledQuery, { engine: 'duckdb' }>;

interface Turn {
  readonly start: (connection: DuckDBConnection) => void;
  readonly refuse: (error: Error) => void;
}

export class QueryPool {
  readonly #idle: DuckDBConnection[];
  readonly #all: readonly DuckDBConnection[];
  readonly #maxWaiting: number;
  #turns: Turn[] = [];
  #closed = false;
  #whenAllIdle: (() => void) | null = null;

  /** `maxWaiting`: most queries that wait for a connection; a further one is SERVICE_UNAVAILABLE. */
  constructor(connections: readonly DuckDBConnection[], maxWaiting: number) {
    this.#all = connections;
    this.#idle = [...connections];
    this.#maxWaiting = maxWaiting;
  }

  /** Runs one SELECT. Rejects with the signal's reason as soon as it aborts. */
  async run(query: DuckDbQuery, signal?: AbortSignal): Promise<RawRow[]> {
    if (this.#closed) throw unavailable(new Error('the event store is closed'));
    if (signal) {
      signal.throwIfAborted();
      // The datasets of one request share its signal: many listeners on it are no leak.
      setMaxListeners(0, signal);
    }
    const connection = await this.#turn(signal);
    const rows = this.#runOn(connection, query, signal).finally(() => this.#give(connection));
    return signal ? untilAborted(rows, signal) : rows;
  }

  /** Refuses what waits, lets what runs end, then closes the connections. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const turns = this.#turns;
    this.#turns = [];
    for (const turn of turns) turn.refuse(unavailable(new Error('the event store closes')));
    if (this.#idle.length < this.#all.length) {
      await new Promise<void>((resolve) => {
        this.#whenAllIdle = resolve;
      });
    }
    for (const connection of this.#all) connection.closeSync();
  }

  #turn(signal: AbortSignal | undefined): Promise<DuckDBConnection> {
    const idle = this.#idle.pop();
    if (idle) return Promise.resolve(idle);
    if (this.#turns.length >= this.#maxWaiting) {
      return Promise.reject(
        unavailable(
          new Error(`${this.#turns.length} queries wait already`),
          'Too many queries wait; try again shortly.',
        ),
      );
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#turns = this.#turns.filter((other) => other !== turn);
        reject(signal?.reason);
      };
      const settle = () => signal?.removeEventListener('abort', leave);
      const turn: Turn = {
        start: (connection) => {
          settle();
          resolve(connection);
        },
        refuse: (error) => {
          settle();
          reject(error);
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#turns.push(turn);
    });
  }

  #give(connection: DuckDBConnection): void {
    const next = this.#turns.shift();
    if (next) {
      next.start(connection);
      return;
    }
    this.#idle.push(connection);
    if (this.#idle.length === this.#all.length) this.#whenAllIdle?.();
  }

  async #runOn(
    connection: DuckDBConnection,
    query: DuckDbQuery,
    signal: AbortSignal | undefined,
  ): Promise<RawRow[]> {
    let interrupting: NodeJS.Timeout | undefined;
    const interrupt = () => {
      connection.interrupt();
      interrupting ??= setInterval(() => connection.interrupt(), INTERRUPT_EVERY_MS);
    };
    signal?.addEventListener('abort', interrupt, { once: true });
    try {
      return await select(connection, query, signal);
    } catch (error) {
      signal?.throwIfAborted();
      throw toStoreError(error);
    } finally {
      signal?.removeEventListener('abort', interrupt);
      clearInterval(interrupting);
    }
  }
}

async function select(
  connection: DuckDBConnection,
  query: DuckDbQuery,
  signal: AbortSignal | undefined,
): Promise<RawRow[]> {
  const statement = await connection.prepare(query.sql);
  try {
    if (statement.statementType !== StatementType.SELECT) {
      throw new ApiError('INTERNAL_ERROR', { cause: new Error('only a SELECT can be run') });
    }
    bindParameters(statement, query.params);
    signal?.throwIfAborted();
    const result = await statement.run();
    return toRawRows(result.deduplicatedColumnNames(), await result.getRows());
  } finally {
    statement.destroySync();
  }
}

/** `promise`, or the signal's reason at once when it aborts first. */
function untilAborted<R>(promise: Promise<R>, signal: AbortSignal): Promise<R> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
