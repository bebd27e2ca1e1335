/** One opened DuckDB file: the one that writes, and the connections that read. */
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { EventRecord } from '../../model/event-record.ts';
import type { EventSelection } from '../../ports/event-store.ts';
import { COMMIT_COLUMN, EVENT_TABLE, RUN_TABLE } from './event-table.ts';
import { EventWriter } from './event-writer.ts';
import { type InstanceOptions, openInstance, USE_DATABASE } from './open-instance.ts';

export interface EngineOptions extends InstanceOptions {
  /** Connections that read. */
  readonly readers: number;
}

export class Engine {
  readonly readers: readonly DuckDBConnection[];
  readonly writer: DuckDBConnection;
  readonly #instance: DuckDBInstance;
  readonly #events: EventWriter;

  constructor(instance: DuckDBInstance, events: EventWriter, readers: readonly DuckDBConnection[]) {
    this.#instance = instance;
    this.writer = events.connection;
    this.#events = events;
    this.readers = readers;
  }

  /** Stores the events in one commit, which is on disk when this returns. `at`: its instant in microseconds. One call at a time. */
  insert(events: readonly EventRecord[], at: bigint): Promise<void> {
    return this.#events.insert(events, at);
  }

  /** A further connection, which its user closes. */
  connect(): Promise<DuckDBConnection> {
    return connectTo(this.#instance);
  }

  /** Removes events of the selection in one commit, `most` at most, over a connection of its own so that appends go on; how many. */
  async erase(
    { organizationId, websiteId, anonymousId, before }: EventSelection,
    most: number,
  ): Promise<number> {
    const conditions = ['organization_id = $1'];
    const values = [organizationId];
    for (const [column, value] of Object.entries({ website_id: websiteId, anonymous_id: anonymousId })) {
      if (value !== null) conditions.push(`"${column}" = $${values.push(value)}`);
    }
    if (before !== undefined) {
      if (!Number.isSafeInteger(before)) throw new TypeError(`${before} is no instant`);
      conditions.push(`"timestamp" < make_timestamp_ms(${before})`);
    }
    const connection = await this.connect();
    try {
      const deleted = await connection.run(
        `DELETE FROM ${EVENT_TABLE} WHERE rowid IN
         (SELECT rowid FROM ${EVENT_TABLE} WHERE ${conditions.join(' AND ')} LIMIT ${most})`,
        values,
      );
      return deleted.rowsChanged;
    } finally {
      connection.closeSync();
    }
  }

  /** Whether the commit of that instant is stored. */
  async holds(at: bigint): Promise<boolean> {
    const reader = await this.writer.runAndReadAll(
      `SELECT 1 FROM ${EVENT_TABLE} WHERE "${COMMIT_COLUMN}" = make_timestamp($1::BIGINT) LIMIT 1`,
      [at],
    );
    return reader.currentRowCount > 0;
  }

  /** Instant of the latest commit in microseconds; 0 for none. */
  async lastCommit(): Promise<bigint> {
    const reader = await this.writer.runAndReadAll(
      `SELECT epoch_us(greatest((SELECT max("${COMMIT_COLUMN}") FROM ${EVENT_TABLE}), (SELECT max(last_commit) FROM ${RUN_TABLE})))`,
    );
    return BigInt(String(reader.getRows()[0]?.[0] ?? 0));
  }

  /** Writes the log into the file. */
  async checkpoint(): Promise<void> {
    await this.writer.run('CHECKPOINT');
  }

  /** Gives the file free; what is in the log stays there. The readers are closed by whoever reads with them. */
  close(): void {
    this.#events.close();
    this.writer.closeSync();
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
