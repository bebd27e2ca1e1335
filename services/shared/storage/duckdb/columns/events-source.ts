/** What compiled queries read as `events`, as SQL: files of segments and tables in memory. */
import { EVENT_COLUMNS } from '../../event-columns.ts';

/** What holds the events of a query. */
export interface EventsSource {
  /** Paths of Parquet files. */
  readonly files: readonly string[];
  /** Names of tables. */
  readonly tables: readonly string[];
}

const COLUMNS = EVENT_COLUMNS.map(({ name }) => `"${name}"`).join(', ');
const NOTHING = EVENT_COLUMNS.map(({ name, type }) => `NULL::${type} AS "${name}"`).join(', ');

/** The statement over the source: `sql` is a SELECT that reads `events`, with or without expressions of its own. */
export function overSource(sql: string, { files, tables }: EventsSource): string {
  const parts = tables.map((table) => `SELECT ${COLUMNS} FROM ${table}`);
  if (files.length > 0) {
    const paths = files.map((file) => `'${file.replaceAll("'", "''")}'`).join(', ');
    parts.unshift(`SELECT ${COLUMNS} FROM read_parquet([${paths}], hive_partitioning = false)`);
  }
  if (parts.length === 0) parts.push(`SELECT ${NOTHING} WHERE false`);
  const events = `WITH events AS NOT MATERIALIZED (${parts.join(' UNION ALL ')})`;
  const others = /^\s*WITH\s+(?!RECURSIVE\b)/i.exec(sql);
  return others ? `${events}, ${sql.slice(others[0].length)}` : `${events} ${sql}`;
}
