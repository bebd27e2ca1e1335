/** Writes events through one connection, by statements that name only the columns that events have used so far. */
import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';
import type { EventRecord } from '../../model/event-record.ts';
import { EVENT_COLUMNS, type EventColumn } from '../event-columns.ts';
import { type EventsForm, insertEvents, toColumnLists, toRows } from './event-table.ts';

/**
 * The largest group that goes to the engine as rows. A commit of few events then costs a seventh less, since rows take one
 * operator with one column where lists take one with every column; from some 200 events on, lists cost less.
 */
const MOST_ROWS = 100;

export class EventWriter {
  readonly connection: DuckDBConnection;
  readonly #statements = new Map<EventsForm, DuckDBPreparedStatement>();
  #columns: readonly EventColumn[] = EVENT_COLUMNS.filter(({ required }) => required);
  #covered: ReadonlySet<string> = new Set(this.#columns.map(({ name }) => name));

  private constructor(connection: DuckDBConnection) {
    this.connection = connection;
  }

  static async create(connection: DuckDBConnection): Promise<EventWriter> {
    const writer = new EventWriter(connection);
    await writer.#prepare('rows');
    return writer;
  }

  /**
   * Outside an explicit transaction a statement commits, and the commit is on disk when it returns. `at`: its instant in
   * microseconds. One call at a time.
   */
  async insert(events: readonly EventRecord[], at: bigint): Promise<void> {
    const form = events.length <= MOST_ROWS ? 'rows' : 'lists';
    const values = form === 'rows' ? toRows(events) : toColumnLists(events);
    this.#cover(Array.isArray(values) ? values : [values]);
    const statement = this.#statements.get(form) ?? (await this.#prepare(form));
    statement.bindVarchar(1, JSON.stringify(values));
    statement.bindBigInt(2, at);
    try {
      await statement.run();
    } finally {
      statement.clearBindings();
    }
  }

  /** Releases the statements; the connection stays open. */
  close(): void {
    for (const statement of this.#statements.values()) statement.destroySync();
    this.#statements.clear();
  }

  async #prepare(form: EventsForm): Promise<DuckDBPreparedStatement> {
    const statement = await this.connection.prepare(insertEvents(this.#columns, form));
    this.#statements.set(form, statement);
    return statement;
  }

  /**
   * Makes the next statements name every column of the values. Each column costs up to 100 µs per commit, even where it is
   * null, and most websites never fill all of them. The set only grows, so that a mix of events does not prepare a
   * statement for each group.
   */
  #cover(values: readonly object[]): void {
    const used = new Set(this.#covered);
    for (const each of values) for (const name in each) used.add(name);
    if (used.size === this.#covered.size) return;
    this.close();
    this.#columns = EVENT_COLUMNS.filter(({ name }) => used.has(name));
    this.#covered = used;
  }
}
