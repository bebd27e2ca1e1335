/** Writes events through one connection, by a statement that names only the columns that events have used so far. */
import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';
import type { EventRecord } from '../../model/event-record.ts';
import { EVENT_COLUMNS, type EventColumn } from '../event-columns.ts';
import { insertEvents, toColumnLists } from './event-table.ts';

export class EventWriter {
  readonly connection: DuckDBConnection;
  #statement: DuckDBPreparedStatement;
  #columns: readonly EventColumn[];

  private constructor(
    connection: DuckDBConnection,
    statement: DuckDBPreparedStatement,
    columns: readonly EventColumn[],
  ) {
    this.connection = connection;
    this.#statement = statement;
    this.#columns = columns;
  }

  static async create(connection: DuckDBConnection): Promise<EventWriter> {
    const columns = EVENT_COLUMNS.filter(({ required }) => required);
    return new EventWriter(connection, await connection.prepare(insertEvents(columns)), columns);
  }

  /**
   * Outside an explicit transaction a statement commits, and the commit is on disk when it returns. `at`: its instant in
   * microseconds. One call at a time.
   */
  async insert(events: readonly EventRecord[], at: bigint): Promise<void> {
    const lists = toColumnLists(events);
    await this.#cover(lists);
    const statement = this.#statement;
    statement.bindVarchar(1, JSON.stringify(lists));
    statement.bindBigInt(2, at);
    try {
      await statement.run();
    } finally {
      statement.clearBindings();
    }
  }

  /** Releases the statement; the connection stays open. */
  close(): void {
    this.#statement.destroySync();
  }

  /**
   * Makes the statement name every column of the lists. Each column costs about 100 µs per commit, even where it is
   * null, and most websites never fill all of them. The set only grows, so that a mix of events does not prepare a
   * statement for each group.
   */
  async #cover(lists: Readonly<Record<string, unknown>>): Promise<void> {
    const covered = new Set<string>(this.#columns.map(({ name }) => name));
    if (Object.keys(lists).every((name) => covered.has(name))) return;
    const columns = EVENT_COLUMNS.filter(({ name }) => covered.has(name) || Object.hasOwn(lists, name));
    const statement = await this.connection.prepare(insertEvents(columns));
    this.#statement.destroySync();
    this.#statement = statement;
    this.#columns = columns;
  }
}
