/** What compiled queries read as `events`, as SQL: files of segments and tables in memory. */
import type { Partition } from '../../columns/partition.ts';
import { EVENT_COLUMNS } from '../../event-columns.ts';
import { textSql } from '../selection-sql.ts';

/** What holds the events of a query. */
export interface EventsSource {
  /** Paths of Parquet files. */
  readonly files: readonly string[];
  /** Names of tables. */
  readonly tables: readonly string[];
  /** The partition of all files, where it is one; null: of several. */
  readonly partition: Partition | null;
}

const COLUMNS = EVENT_COLUMNS.map(({ name }) => `"${name}"`).join(', ');
const NOTHING = EVENT_COLUMNS.map(({ name, type }) => `NULL::${type} AS "${name}"`).join(', ');

/** The columns in files of one partition, whose own columns need not be read: that is a tenth of most queries. */
function columnsOf({ organizationId, websiteId }: Partition): string {
  const own: Record<string, string> = {
    organization_id: textSql(organizationId),
    website_id: websiteId === null ? 'NULL::VARCHAR' : textSql(websiteId),
  };
  return EVENT_COLUMNS.map(({ name }) => {
    const value = own[name];
    return value === undefined ? `"${name}"` : `${value} AS "${name}"`;
  }).join(', ');
}

/** The statement over the source: `sql` is a SELECT that reads `events`, with or without expressions of its own. */
export function overSource(sql: string, { files, tables, partition }: EventsSource): string {
  const parts = tables.map((table) => `SELECT ${COLUMNS} FROM ${table}`);
  if (files.length > 0) {
    const paths = files.map(textSql).join(', ');
    const columns = partition === null ? COLUMNS : columnsOf(partition);
    parts.unshift(`SELECT ${columns} FROM read_parquet([${paths}], hive_partitioning = false)`);
  }
  if (parts.length === 0) parts.push(`SELECT ${NOTHING} WHERE false`);
  const events = `WITH events AS NOT MATERIALIZED (${parts.join(' UNION ALL ')})`;
  const others = /^\s*WITH\s+(?!RECURSIVE\b)/i.exec(sql);
  return others ? `${events}, ${sql.slice(others[0].length)}` : `${events} ${sql}`;
}
