/** A few reading connections, shared by fair turns, so that reads never starve ingest of threads. */
import { setMaxListeners } from 'node:events';
import { type DuckDBConnection, StatementType } from '@duckdb/node-api';
import { ApiError } from '../../errors/api-error.ts';
import type { CompiledQuery, RawRow } from '../../ports/event-store.ts';
import { FairTurns } from '../fair-turns.ts';
import { untilAborted } from '../single-flight.ts';
import { PreparedStatements } from './prepared-statements.ts';
import { bindParameters, toRawRows } from './raw-values.ts';
import { toStoreError, unavailable } from './store-faults.ts';

/** An interrupt that arrives before the engine starts a statement is lost, so it is repeated at this interval. */
const INTERRUPT_EVERY_MS = 20;

export class QueryPool {
  #all: readonly DuckDBConnection[];
  readonly #turns: FairTurns<DuckDBConnection>;
  #closed = false;
  readonly #statements = new PreparedStatements();

  /** `maxWaiting`: how many queries may wait for a connection; a further one gets SERVICE_UNAVAILABLE. */
  constructor(connections: readonly DuckDBConnection[], maxWaiting: number) {
    this.#all = connections;
    this.#turns = new FairTurns(connections, maxWaiting);
  }

  /**
   * Runs one SELECT. Rejects with the signal's reason as soon as it aborts. The queries of one `party` occupy at most
   * all connections but one, and half of the waiting places. `began` is called when its turn comes.
   */
  run(query: CompiledQuery, signal?: AbortSignal, party?: string, began?: () => void): Promise<RawRow[]> {
    return this.use(
      (connection) => {
        began?.();
        return this.select(connection, query, signal);
      },
      signal,
      party,
    );
  }

  /** Runs one SELECT with a connection whose turn it is. */
  select(connection: DuckDBConnection, query: CompiledQuery, signal?: AbortSignal): Promise<RawRow[]> {
    return select(connection, this.#statements, query, signal);
  }

  /** Lets `action` read with a connection for one turn, under the same rules as {@link run}. */
  async use<R>(
    action: (connection: DuckDBConnection) => Promise<R>,
    signal?: AbortSignal,
    party?: string,
  ): Promise<R> {
    if (this.#closed) throw unavailable(new Error('the event store is closed'));
    if (signal) {
      signal.throwIfAborted();
      // The datasets of one request share its signal, so many listeners on it are not a leak.
      setMaxListeners(0, signal);
    }
    const connection = await this.#turns.take(signal, party);
    const rows = this.#runOn(connection, action, signal).finally(() => this.#turns.give(connection));
    return signal ? untilAborted(rows, signal) : rows;
  }

  /** Refuses waiting queries, lets running ones end, then closes the connections. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#turns.refuseAll('the event store closes');
    await this.#turns.untilAllIdle();
    this.#closeAll();
  }

  /** Starts no further query, ends the running ones, and closes the connections; waiting queries stay in line. */
  async suspend(): Promise<void> {
    this.#turns.hold();
    const interrupt = () => {
      for (const connection of this.#turns.taken()) connection.interrupt();
    };
    const interrupting = setInterval(interrupt, INTERRUPT_EVERY_MS);
    interrupt();
    await this.#turns.untilAllIdle();
    clearInterval(interrupting);
    this.#closeAll();
  }

  /** Resumes with other connections. */
  resume(connections: readonly DuckDBConnection[]): void {
    this.#all = connections;
    this.#turns.resume(connections);
    if (this.#closed) this.#closeAll();
  }

  /** Refuses waiting queries: there will be no connection soon. */
  refuseAll(): void {
    this.#turns.refuseAll('the event store is not open');
  }

  #closeAll(): void {
    for (const connection of this.#all) {
      this.#statements.drop(connection);
      connection.closeSync();
    }
    this.#all = [];
    this.#turns.clear();
  }

  async #runOn<R>(
    connection: DuckDBConnection,
    action: (connection: DuckDBConnection) => Promise<R>,
    signal: AbortSignal | undefined,
  ): Promise<R> {
    let interrupting: NodeJS.Timeout | undefined;
    const interrupt = () => {
      connection.interrupt();
      interrupting ??= setInterval(() => connection.interrupt(), INTERRUPT_EVERY_MS);
    };
    signal?.addEventListener('abort', interrupt, { once: true });
    try {
      return await action(connection);
    } catch (error) {
      signal?.throwIfAborted();
      throw toStoreError(error);
    } finally {
      signal?.removeEventListener('abort', interrupt);
      clearInterval(interrupting);
    }
  }
}

function select(
  connection: DuckDBConnection,
  statements: PreparedStatements,
  query: CompiledQuery,
  signal: AbortSignal | undefined,
): Promise<RawRow[]> {
  return statements.use(connection, query.sql, async (statement) => {
    if (statement.statementType !== StatementType.SELECT) {
      throw new ApiError('INTERNAL_ERROR', { cause: new Error('only a SELECT can be run') });
    }
    bindParameters(statement, query.params);
    signal?.throwIfAborted();
    const result = await statement.run();
    return toRawRows(result.deduplicatedColumnNames(), await result.getRows());
  });
}
