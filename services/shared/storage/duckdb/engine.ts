/** One opened DuckDB file: the connection that writes, and those that read. */
import { availableParallelism } from 'node:os';
import type { DuckDBConnection, DuckDBInstance, DuckDBValue } from '@duckdb/node-api';
import type { EventRecord } from '../../model/event-record.ts';
import type { EventSelection } from '../../ports/event-store.ts';
import { COMMIT_COLUMN, EVENT_TABLE, RUN_TABLE } from './event-table.ts';
import { EventWriter } from './event-writer.ts';
import { USE_DATABASE } from './file-layout.ts';
import { type InstanceOptions, openInstance } from './open-instance.ts';
import { selectionSql } from './selection-sql.ts';
import { refusesCheckpoint } from './store-faults.ts';
import { noteErasure } from './wiping/erasure-notes.ts';

export interface EngineOptions extends InstanceOptions {
  /** Connections that read. */
  readonly readers: number;
}

/**
 * Half of the processors, at most 4. The queries of a call already run in parallel: splitting each of them over all
 * processors as well would cost a third more processor time.
 */
export function defaultThreads(): number {
  return Math.min(4, Math.ceil(availableParallelism() / 2));
}

export class Engine {
  readonly readers: readonly DuckDBConnection[];
  readonly #instance: DuckDBInstance;
  readonly #events: EventWriter;

  constructor(instance: DuckDBInstance, events: EventWriter, readers: readonly DuckDBConnection[]) {
    this.#instance = instance;
    this.#events = events;
    this.readers = readers;
  }

  /**
   * Stores the events in one commit, which is on disk when this returns. `at`: its instant in microseconds. One call at a
   * time.
   */
  insert(events: readonly EventRecord[], at: bigint): Promise<void> {
    return this.#events.insert(events, at);
  }

  /** A further connection; its user closes it. */
  connect(): Promise<DuckDBConnection> {
    return connectTo(this.#instance);
  }

  /** Runs `action` with a connection of its own. A transaction that it leaves open is rolled back. */
  async withConnection<R>(action: (connection: DuckDBConnection) => Promise<R>): Promise<R> {
    const connection = await this.connect();
    try {
      return await action(connection);
    } finally {
      connection.closeSync();
    }
  }

  /**
   * The rows of one statement that reads, over the connection of the appends, so that none of them is half done. Nobody
   * else has that connection: an append within somebody's transaction would be acknowledged before its commit.
   */
  async readBetweenAppends(sql: string, values?: bigint[]): Promise<DuckDBValue[][]> {
    const reader = await this.#events.connection.runAndReadAll(sql, values);
    return reader.getRows();
  }

  /**
   * Removes events of the selection in one commit, at most `most`, over a separate connection so that appends continue;
   * returns how many. `at`: except for age, notes that their bytes must leave the file.
   */
  async erase(selection: EventSelection, most: number, at: number): Promise<number> {
    const condition = selectionSql(selection);
    return this.withConnection(async (connection) => {
      await connection.run('BEGIN');
      const deleted = await connection.run(
        `DELETE FROM ${EVENT_TABLE} WHERE rowid IN
         (SELECT rowid FROM ${EVENT_TABLE} WHERE ${condition} LIMIT ${most})`,
      );
      if (selection.before === undefined && deleted.rowsChanged > 0) await noteErasure(connection, at);
      await connection.run('COMMIT');
      return deleted.rowsChanged;
    });
  }

  /** Whether the commit of that instant is stored. */
  async holds(at: bigint): Promise<boolean> {
    const rows = await this.readBetweenAppends(
      `SELECT 1 FROM ${EVENT_TABLE} WHERE "${COMMIT_COLUMN}" = make_timestamp($1::BIGINT) LIMIT 1`,
      [at],
    );
    return rows.length > 0;
  }

  /** Instant of the latest commit in microseconds; 0 for none. */
  async lastCommit(): Promise<bigint> {
    const [row] = await this.readBetweenAppends(
      `SELECT epoch_us(greatest((SELECT max("${COMMIT_COLUMN}") FROM ${EVENT_TABLE}), (SELECT max(last_commit) FROM ${RUN_TABLE})))`,
    );
    return BigInt(String(row?.[0] ?? 0));
  }

  /** Writes the log into the file. */
  async checkpoint(): Promise<void> {
    await this.#events.connection.run('CHECKPOINT');
  }

  /** The same; false when the engine refuses, as it does while a query runs that began before a table came or went. */
  async tryCheckpoint(): Promise<boolean> {
    try {
      await this.checkpoint();
      return true;
    } catch (fault) {
      if (refusesCheckpoint(fault)) return false;
      throw fault;
    }
  }

  /** Releases the file; the content of the log stays in the log. Each reader's user closes it. */
  close(): void {
    this.#events.close();
    this.#events.connection.closeSync();
    this.#instance.closeSync();
  }
}

/** Opens the file. @throws Error that names it and says what to do */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const { instance, connection } = await openInstance(options);
  try {
    const readers = await Promise.all(Array.from({ length: options.readers }, () => connectTo(instance)));
    return new Engine(instance, await EventWriter.create(connection), readers);
  } catch (error) {
    instance.closeSync();
    throw error;
  }
}

async function connectTo(instance: DuckDBInstance): Promise<DuckDBConnection> {
  const connection = await instance.connect();
  await connection.run(USE_DATABASE);
  return connection;
}
