/** One opened DuckDB file: the writer with its prepared statement, and the connections that read. */
import type { DuckDBConnection, DuckDBInstance, DuckDBPreparedStatement } from '@duckdb/node-api';
import type { EventRecord } from '../../model/event-record.ts';
import type { EventSelection } from '../../ports/event-store.ts';
import { COMMIT_COLUMN, EVENT_TABLE, INSERT_EVENTS, RUN_TABLE, toColumnsJson } from './event-table.ts';
import { type InstanceOptions, openInstance, USE_DATABASE } from './open-instance.ts';

export interface EngineOptions extends InstanceOptions {
  /** Connections that read. */
  readonly readers: number;
}

export class Engine {
  readonly readers: readonly DuckDBConnection[];
  readonly writer: DuckDBConnection;
  readonly #instance: DuckDBInstance;
  readonly #insert: DuckDBPreparedStatement;

  constructor(
    instance: DuckDBInstance,
    writer: DuckDBConnection,
    insert: DuckDBPreparedStatement,
    readers: readonly DuckDBConnection[],
  ) {
    this.#instance = instance;
    this.writer = writer;
    this.#insert = insert;
    this.readers = readers;
  }

  /** Outside a transaction of its own a statement commits, and the commit is on disk, when it returns. `at`: its instant in microseconds. */
  async insert(events: readonly EventRecord[], at: bigint): Promise<void> {
    this.#insert.bindVarchar(1, toColumnsJson(events));
    this.#insert.bindBigInt(2, at);
    try {
      await this.#insert.run();
    } finally {
      this.#insert.clearBindings();
    }
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
    this.#insert.destroySync();
    this.writer.closeSync();
    this.#instance.closeSync();
  }
}

/** Opens the file. @throws Error that names it and says what to do */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const { instance, connection } = await openInstance(options);
  try {
    const readers = await Promise.all(Array.from({ length: options.readers }, () => connectTo(instance)));
    return new Engine(instance, connection, await connection.prepare(INSERT_EVENTS), readers);
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
