/** A few connections for reading, shared fairly: further queries wait, so that reads never starve ingest of threads. */
import { setMaxListeners } from 'node:events';
import { type DuckDBConnection, StatementType } from '@duckdb/node-api';
import { ApiError } from '../../errors/api-error.ts';
import type { CompiledQuery, RawRow } from '../../ports/event-store.ts';
import { PreparedStatements } from './prepared-statements.ts';
import { bindParameters, toRawRows } from './raw-values.ts';
import { untilAborted } from './single-flight.ts';
import { toStoreError, unavailable } from './store-faults.ts';

/** An interrupt that comes before the engine starts a statement is lost, so it is repeated this often. */
const INTERRUPT_EVERY_MS = 20;

type DuckDbQuery = Extract<CompiledQuery, { engine: 'duckdb' }>;

interface Turn {
  readonly party: string | undefined;
  readonly start: (connection: DuckDBConnection) => void;
  readonly refuse: (error: Error) => void;
}

export class QueryPool {
  #idle: DuckDBConnection[];
  #all: readonly DuckDBConnection[];
  readonly #maxWaiting: number;
  /** Queries that run, by party. */
  readonly #running = new Map<string, number>();
  /** In the order in which they came. */
  #turns: Turn[] = [];
  #closed = false;
  #isSuspended = false;
  #whenAllIdle: (() => void)[] = [];
  readonly #statements = new PreparedStatements();

  /** `maxWaiting`: most queries that wait for a connection; a further one is SERVICE_UNAVAILABLE. */
  constructor(connections: readonly DuckDBConnection[], maxWaiting: number) {
    this.#all = connections;
    this.#idle = [...connections];
    this.#maxWaiting = maxWaiting;
  }

  /**
   * Runs one SELECT. Rejects with the signal's reason as soon as it aborts. The queries of one `party` hold all connections
   * but one at most, and half of the places that wait. `began` is called when its turn has come.
   */
  run(query: DuckDbQuery, signal?: AbortSignal, party?: string, began?: () => void): Promise<RawRow[]> {
    return this.use(
      (connection) => {
        began?.();
        return select(connection, this.#statements, query, signal);
      },
      signal,
      party,
    );
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
      // The datasets of one request share its signal: many listeners on it are no leak.
      setMaxListeners(0, signal);
    }
    const connection = await this.#turn(signal, party);
    const rows = this.#runOn(connection, action, signal).finally(() => this.#give(connection, party));
    return signal ? untilAborted(rows, signal) : rows;
  }

  /** Refuses what waits, lets what runs end, then closes the connections. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const turns = this.#turns;
    this.#turns = [];
    for (const turn of turns) turn.refuse(unavailable(new Error('the event store closes')));
    await this.#untilAllIdle();
    this.#closeAll();
  }

  /** Lets no further query start, ends those that run, and closes the connections; those that wait wait on. */
  async suspend(): Promise<void> {
    this.#isSuspended = true;
    const interrupt = () => {
      for (const connection of this.#all) if (!this.#idle.includes(connection)) connection.interrupt();
    };
    const interrupting = setInterval(interrupt, INTERRUPT_EVERY_MS);
    interrupt();
    await this.#untilAllIdle();
    clearInterval(interrupting);
    this.#closeAll();
  }

  /** Goes on with other connections. */
  resume(connections: readonly DuckDBConnection[]): void {
    this.#all = connections;
    this.#idle = [...connections];
    this.#isSuspended = false;
    if (this.#closed) this.#closeAll();
    for (let next = this.#next(); next && this.#idle.length > 0; next = this.#next()) {
      const connection = this.#idle.pop();
      if (connection) this.#start(next, connection);
    }
  }

  /** Refuses what waits: there will be no connection soon. */
  refuseAll(): void {
    const turns = this.#turns;
    this.#turns = [];
    for (const turn of turns) turn.refuse(unavailable(new Error('the event store is not open')));
  }

  async #untilAllIdle(): Promise<void> {
    if (this.#idle.length === this.#all.length) return;
    await new Promise<void>((resolve) => this.#whenAllIdle.push(resolve));
  }

  #closeAll(): void {
    for (const connection of this.#all) {
      this.#statements.drop(connection);
      connection.closeSync();
    }
    this.#all = [];
    this.#idle = [];
  }

  #turn(signal: AbortSignal | undefined, party: string | undefined): Promise<DuckDBConnection> {
    const idle = this.#mayRun(party) && !this.#isSuspended ? this.#idle.pop() : undefined;
    if (idle) {
      this.#count(party, 1);
      return Promise.resolve(idle);
    }
    if (this.#isFull(party)) {
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
        party,
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

  #mayRun(party: string | undefined): boolean {
    return this.#runningOf(party) < Math.max(1, this.#all.length - 1);
  }

  /** Queries without party are one by one their own. */
  #runningOf(party: string | undefined): number {
    return party === undefined ? 0 : (this.#running.get(party) ?? 0);
  }

  #count(party: string | undefined, change: 1 | -1): void {
    if (party === undefined) return;
    const running = this.#runningOf(party) + change;
    if (running === 0) this.#running.delete(party);
    else this.#running.set(party, running);
  }

  #isFull(party: string | undefined): boolean {
    if (this.#turns.length >= this.#maxWaiting) return true;
    if (party === undefined) return false;
    const waiting = this.#turns.filter((turn) => turn.party === party).length;
    return waiting >= Math.ceil(this.#maxWaiting / 2);
  }

  /** Of those that wait, the first one of the party that runs least; none when every party runs as much as it may. */
  #next(): Turn | undefined {
    let next: Turn | undefined;
    for (const turn of this.#turns) {
      if (!this.#mayRun(turn.party)) continue;
      if (!next || this.#runningOf(turn.party) < this.#runningOf(next.party)) next = turn;
    }
    return next;
  }

  #give(connection: DuckDBConnection, party: string | undefined): void {
    this.#count(party, -1);
    const next = this.#isSuspended ? undefined : this.#next();
    if (next) {
      this.#start(next, connection);
      return;
    }
    this.#idle.push(connection);
    if (this.#idle.length === this.#all.length) for (const tell of this.#whenAllIdle.splice(0)) tell();
  }

  #start(turn: Turn, connection: DuckDBConnection): void {
    this.#turns = this.#turns.filter((other) => other !== turn);
    this.#count(turn.party, 1);
    turn.start(connection);
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
  query: DuckDbQuery,
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
