/** The embedded event store: one DuckDB file with one owner, group commit for appends, a bounded pool for queries. */
import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { DuckDBConnection, DuckDBInstance, DuckDBPreparedStatement } from '@duckdb/node-api';
import { ApiError } from '../../errors/api-error.ts';
import type { EventRecord } from '../../model/event-record.ts';
import type { CompiledQuery, EventStore, RawRow } from '../../ports/event-store.ts';
import { AppendQueue } from './append-queue.ts';
import { INSERT_EVENTS, sizeOf, toColumnsJson } from './event-table.ts';
import { openInstance } from './open-instance.ts';
import { type OwnerLock, takeOwnerLock } from './owner-lock.ts';
import { QueryPool } from './query-pool.ts';
import { toStoreError } from './store-faults.ts';

export interface DuckDbEventStoreOptions {
  /** The file; made with its directory when absent. Its log, lock and spill directory stand beside it. */
  readonly path: string;
  /** Memory of the engine, such as `1GB` (the default). */
  readonly memoryLimit?: string;
  /** Threads of the engine; default: the processors, at most 4. */
  readonly threads?: number;
  /** Queries that run at once; default 3. Each holds one thread of libuv's pool (`UV_THREADPOOL_SIZE`) while it runs. */
  readonly concurrentQueries?: number;
  /** Most queries that wait for their turn; default 1,000. */
  readonly maxWaitingQueries?: number;
  /** Most events that wait for a commit; default 100,000. */
  readonly maxWaitingEvents?: number;
  /** Most characters of text that wait for a commit; default 256 million. */
  readonly maxWaitingCharacters?: number;
}

interface Parts {
  readonly instance: DuckDBInstance;
  readonly writer: DuckDBConnection;
  readonly insert: DuckDBPreparedStatement;
  readonly readers: readonly DuckDBConnection[];
  readonly lock: OwnerLock;
}

/** {@link EventStore} over one DuckDB file. */
export class DuckDbEventStore implements EventStore {
  readonly engine = 'duckdb' as const;
  readonly #parts: Parts;
  readonly #queue: AppendQueue;
  readonly #queries: QueryPool;
  #closing: Promise<void> | null = null;

  constructor(parts: Parts, options: DuckDbEventStoreOptions) {
    this.#parts = parts;
    this.#queries = new QueryPool(parts.readers, options.maxWaitingQueries ?? 1_000);
    this.#queue = new AppendQueue({
      commit: (events) => commit(parts.insert, events),
      maxWaitingEvents: options.maxWaitingEvents ?? 100_000,
      maxWaitingCharacters: options.maxWaitingCharacters ?? 256_000_000,
    });
  }

  /** Commits tried since the store was opened: how well appends share them. */
  get commits(): number {
    return this.#queue.commits;
  }

  /** Events that wait for a commit at the moment. */
  get waitingEvents(): number {
    return this.#queue.waitingEvents;
  }

  async append(events: readonly EventRecord[]): Promise<void> {
    if (events.length > 0) await this.#queue.add(events, checkedSize(events));
  }

  async run(query: CompiledQuery, signal?: AbortSignal, party?: string): Promise<readonly RawRow[]> {
    if (query.engine !== 'duckdb') {
      throw new TypeError(`this store runs duckdb queries, not ${query.engine}`);
    }
    return this.#queries.run(query, signal, party);
  }

  async ping(): Promise<void> {
    await this.#queries.run({ engine: 'duckdb', sql: 'SELECT 1 AS alive', params: {} });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { instance, writer, insert, lock } = this.#parts;
    await Promise.all([this.#queue.close(), this.#queries.close()]);
    insert.destroySync();
    try {
      await writer.run('CHECKPOINT');
    } catch (cause) {
      throw toStoreError(cause);
    } finally {
      writer.closeSync();
      instance.closeSync();
      lock.release();
    }
  }
}

/** Roughly the characters of the events. @throws ApiError INTERNAL_ERROR when one cannot be stored */
function checkedSize(events: readonly EventRecord[]): number {
  try {
    return events.reduce((size, event) => size + sizeOf(event), 0);
  } catch (cause) {
    throw new ApiError('INTERNAL_ERROR', { cause });
  }
}

/** Outside a transaction of its own a statement commits, and the commit is on disk, when it returns. */
async function commit(insert: DuckDBPreparedStatement, events: readonly EventRecord[]): Promise<void> {
  insert.bindVarchar(1, toColumnsJson(events));
  try {
    await insert.run();
  } finally {
    insert.clearBindings();
  }
}

/** Opens the store. @throws Error that names the file and what to do. */
export async function createDuckDbEventStore(options: DuckDbEventStoreOptions): Promise<DuckDbEventStore> {
  const path = resolve(options.path);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const lock = takeOwnerLock(path);
  try {
    const { instance, connection: writer } = await openInstance({
      path,
      memoryLimit: options.memoryLimit ?? '1GB',
      threads: options.threads ?? Math.min(4, availableParallelism()),
    });
    try {
      const readers = await Promise.all(
        Array.from({ length: options.concurrentQueries ?? 3 }, () => instance.connect()),
      );
      const insert = await writer.prepare(INSERT_EVENTS);
      return new DuckDbEventStore({ instance, writer, insert, readers, lock }, options);
    } catch (error) {
      instance.closeSync();
      throw error;
    }
  } catch (error) {
    lock.release();
    throw error;
  }
}
