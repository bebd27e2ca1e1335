/**
 * Copies what can be read of a damaged table: by ranges of rows, halved around unreadable rows, and without unreadable
 * columns.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import { EVENT_COLUMNS } from '../../event-columns.ts';
import { EVENT_TABLE } from '../event-table.ts';

/** The name under which the damaged file is attached. */
export const DAMAGED = 'damaged';

/** Rows that the engine stores together. */
const ROW_GROUP = 122_880;
/** Ranges with fewer rows are not halved any further. */
const SMALLEST_RANGE = 4_096;

export interface CopiedRows {
  /** Events in the damaged table, by its own count. */
  readonly events: number;
  /** Copied events, those with gaps included. */
  readonly copied: number;
  /** Events copied without unreadable columns: those are null. */
  readonly withGaps: number;
}

interface Range {
  readonly from: number;
  /** Inclusive. */
  readonly to: number;
}

/** Copies the events of the attached file into the table of this one. @throws Error when not even their number can be read */
export async function copyRows(connection: DuckDBConnection): Promise<CopiedRows> {
  const copy = new RowCopy(connection, await columnsOf(connection));
  const { events, last } = await extentOf(connection);
  for (let from = 0; from <= last; from += ROW_GROUP) {
    await copy.range({ from, to: Math.min(from + ROW_GROUP - 1, last) });
  }
  return { events, copied: copy.copied, withGaps: copy.withGaps };
}

class RowCopy {
  readonly #connection: DuckDBConnection;
  readonly #columns: readonly string[];
  copied = 0;
  withGaps = 0;

  constructor(connection: DuckDBConnection, columns: readonly string[]) {
    this.#connection = connection;
    this.#columns = columns;
  }

  async range(range: Range): Promise<void> {
    const rows = await this.#insert(range, new Set());
    if (rows !== null) {
      this.copied += rows;
    } else if (range.to - range.from >= SMALLEST_RANGE) {
      const middle = Math.floor((range.from + range.to) / 2);
      await this.range({ from: range.from, to: middle });
      await this.range({ from: middle + 1, to: range.to });
    } else {
      await this.#insertWithGaps(range);
    }
  }

  /** Copies rows without unreadable columns; copies nothing when an event needs one of them. */
  async #insertWithGaps(range: Range): Promise<void> {
    const unreadable = new Set<string>();
    for (const column of this.#columns) {
      const sql = `SELECT count("${column}"), max(hash("${column}")) FROM ${rowsIn(range)}`;
      if ((await attempt(() => this.#connection.runAndReadAll(sql))) === null) unreadable.add(column);
    }
    const isNeeded = EVENT_COLUMNS.some(({ name, required }) => required && unreadable.has(name));
    const rows = isNeeded ? null : await this.#insert(range, unreadable);
    this.copied += rows ?? 0;
    this.withGaps += rows ?? 0;
  }

  /** How many rows were copied; null when they cannot be read. */
  #insert(range: Range, unreadable: ReadonlySet<string>): Promise<number | null> {
    const names = this.#columns.map((name) => `"${name}"`).join(', ');
    const values = this.#columns.map((name) => (unreadable.has(name) ? 'NULL' : `"${name}"`)).join(', ');
    const sql = `INSERT INTO ${EVENT_TABLE} (${names}) SELECT ${values} FROM ${rowsIn(range)}`;
    return attempt(async () => (await this.#connection.run(sql)).rowsChanged);
  }
}

function rowsIn({ from, to }: Range): string {
  return `${DAMAGED}.${EVENT_TABLE} WHERE rowid BETWEEN ${from} AND ${to}`;
}

/** The columns that both tables have. */
async function columnsOf(connection: DuckDBConnection): Promise<string[]> {
  const reader = await connection.runAndReadAll(
    `SELECT there.column_name FROM duckdb_columns() AS there SEMI JOIN duckdb_columns() AS here
     ON here.column_name = there.column_name AND here.database_name = current_database() AND here.table_name = '${EVENT_TABLE}'
     WHERE there.database_name = '${DAMAGED}' AND there.table_name = '${EVENT_TABLE}' ORDER BY there.column_index`,
  );
  return reader.getRows().map(([name]) => String(name));
}

async function extentOf(connection: DuckDBConnection): Promise<{ events: number; last: number }> {
  const reader = await connection.runAndReadAll(
    `SELECT count(*), coalesce(max(rowid), -1) FROM ${DAMAGED}.${EVENT_TABLE}`,
  );
  const [events, last] = reader.getRows()[0] ?? [];
  return { events: Number(events), last: Number(last) };
}

/** The result of `work`; null when the engine cannot read the data that it needs. */
async function attempt<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (fault) {
    if (fault instanceof Error && UNREADABLE.test(fault.message)) return null;
    throw fault;
  }
}

/** How the engine reports missing or changed bytes; a full disk is another matter. */
const UNREADABLE =
  /^(?!.*(No space left|Could not write)).*(IO Error|INTERNAL Error|Serialization Error|Invalid Input Error|Conversion Error)/is;
