/**
 * Tables in memory for events that are in no segment yet. Each is a database of its own: making and dropping one leaves
 * the statements that others prepared as they are, and gives its memory back at once.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Positions } from '../../columns/positions.ts';
import type { Arrival } from '../../columns/sources.ts';
import { EVENT_COLUMNS } from '../../event-columns.ts';
import { selectLists, toColumnLists } from '../event-table.ts';

/** Columns of a row besides those of its event: its number in the table, and its stamp. */
const ROW_COLUMNS = [
  { name: 'row_number', type: 'BIGINT' },
  { name: 'writer', type: 'BIGINT' },
  { name: 'sequence', type: 'BIGINT' },
] as const;

const COLUMNS = [...ROW_COLUMNS, ...EVENT_COLUMNS];

/** How many events one statement stores: the text of its values is made on the JavaScript thread. */
const ROWS_AT_ONCE = 1_000;

/** An event with the number of its row. */
export interface NumberedArrival extends Arrival {
  readonly row: number;
}

/** Makes tables over one connection, on which statements run one after the other. */
export class TailTables {
  readonly #connection: DuckDBConnection;
  #latest: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  #made = 0;

  constructor(connection: DuckDBConnection) {
    this.#connection = connection;
  }

  /** A new, empty table. */
  async create(): Promise<TailTable> {
    const database = `tail_${++this.#made}`;
    const columns = COLUMNS.map(({ name, type }) => `"${name}" ${type}`).join(', ');
    await this.run(`ATTACH ':memory:' AS ${database}`);
    await this.run(`CREATE TABLE ${database}.events (${columns})`);
    return new TailTable(this, database);
  }

  /** Runs a statement once earlier ones have ended; resolves with the number of rows that it changed. @throws Error once it is closed */
  run(sql: string, values: readonly (string | bigint)[] = []): Promise<number> {
    if (this.#isClosed) return Promise.reject(new Error('the tables in memory are closed'));
    const turn = this.#latest.then(async () => (await this.#connection.run(sql, [...values])).rowsChanged);
    this.#latest = turn.catch(() => undefined);
    return turn;
  }

  /** Takes no further statement, and closes the connection once every earlier one has ended: one that still ran would read freed memory. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#latest;
    this.#connection.closeSync();
  }
}

/** The events of one partition beyond some positions. */
export class TailTable {
  readonly #tables: TailTables;
  readonly #database: string;
  #rows = 0;

  constructor(tables: TailTables, database: string) {
    this.#tables = tables;
    this.#database = database;
  }

  /** Its name in queries. */
  get name(): string {
    return `${this.#database}.events`;
  }

  get rows(): number {
    return this.#rows;
  }

  async insert(arrivals: readonly NumberedArrival[]): Promise<void> {
    for (let at = 0; at < arrivals.length; at += ROWS_AT_ONCE) {
      const some = arrivals.slice(at, at + ROWS_AT_ONCE);
      const events = toColumnLists(some.map(({ event }) => event));
      const columns = COLUMNS.filter(({ name }) => Object.hasOwn(events, name));
      const lists = JSON.stringify({
        row_number: some.map(({ row }) => row),
        writer: some.map(({ writer }) => writer),
        sequence: some.map(({ sequence }) => sequence),
        ...events,
      });
      const all = [...ROW_COLUMNS, ...columns];
      const names = all.map(({ name }) => `"${name}"`).join(', ');
      this.#rows += await this.#tables.run(`INSERT INTO ${this.name} (${names}) ${selectLists(all)}`, [
        lists,
      ]);
    }
  }

  /** Removes rows by their numbers. */
  async remove(rows: readonly number[]): Promise<void> {
    if (rows.length === 0) return;
    const list = `from_json($1::VARCHAR, '["BIGINT"]')`;
    const sql = `DELETE FROM ${this.name} WHERE row_number IN (SELECT unnest(${list}))`;
    this.#rows -= await this.#tables.run(sql, [JSON.stringify(rows)]);
  }

  /** A new table with those rows that are not within the positions. */
  async beyond(positions: Positions): Promise<TailTable> {
    const rest = await this.#tables.create();
    rest.#rows = await this.#tables.run(
      `INSERT INTO ${rest.name} SELECT * FROM ${this.name} WHERE ${beyondSql(positions)}`,
    );
    return rest;
  }

  /** No query may read it any more. */
  async drop(): Promise<void> {
    await this.#tables.run(`DETACH ${this.#database}`);
  }
}

/** Stamps are whole numbers, so they stand in the text. */
function beyondSql({ sequences, floor }: Positions): string {
  const listed = [...sequences].map(([writer, last]) => `(writer = ${writer} AND sequence > ${last})`);
  const named = [...sequences.keys()];
  const others = named.length === 0 ? '' : ` AND writer NOT IN (${named.join(', ')})`;
  return [`(writer > ${floor}${others})`, ...listed].join(' OR ');
}
