/** Copies rows into one sorted Parquet file in bounded memory, however many they are: span by span of their instants. */
import { rename, rm } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { EVENT_COLUMNS } from '../../event-columns.ts';
import { textSql } from '../selection-sql.ts';

/** Rows of a row group: what a query skips, or reads, as a whole. Of large events there are fewer in one. */
const ROW_GROUP_ROWS = 30_720;
const LEAST_ROW_GROUP_ROWS = 2_048;

/** Bytes of encoded columns in a row group: the engine holds whole ones in memory, of every file that it reads or writes. */
const ROW_GROUP_BYTES = 8_388_608;

/** What a row takes while it is sorted, besides its encoded columns, in bytes. */
const SORTED_ROW_BYTES = 16 * EVENT_COLUMNS.length;

/** Rows of Parquet files, and where they go. */
export interface SortedCopy {
  readonly files: readonly string[];
  /** A condition of DuckDB that the copied rows meet. */
  readonly where: string;
  /** It, and files of its name with a further ending, are written. */
  readonly file: string;
  /** How many bytes may be sorted at once. */
  readonly sortedBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** Makes the file; those of one instant have no order. */
export async function copySorted(connection: DuckDBConnection, work: SortedCopy): Promise<void> {
  const { files, where, file, signal } = work;
  const source = `${parquetSql(files)} WHERE ${where}`;
  const rowBytes = await rowBytesOf(connection, files);
  const sortable = Math.floor(work.sortedBytes / (SORTED_ROW_BYTES + rowBytes));
  const cuts = await cutsOf(connection, source, Math.max(LEAST_ROW_GROUP_ROWS, sortable));
  const columns = await columnsOf(connection, files);
  const sortedRows = (condition: string) =>
    `SELECT ${columns} FROM ${source}${condition} ORDER BY "timestamp"`;
  if (cuts.length === 0) return copyRows(connection, sortedRows(''), file, rowBytes);
  const parts: string[] = [];
  try {
    for (let i = 0; i <= cuts.length; i++) {
      signal?.throwIfAborted();
      const [from, to] = [cuts[i - 1], cuts[i]];
      const since = from === undefined ? '' : ` AND "timestamp" >= make_timestamp(${from}::BIGINT)`;
      const until = to === undefined ? '' : ` AND "timestamp" < make_timestamp(${to}::BIGINT)`;
      const part = `${file}.${i}.parquet`;
      parts.push(part);
      await copyRows(connection, sortedRows(since + until), part, rowBytes);
    }
    await copyRows(connection, `FROM ${parquetSql(parts)}`, file, rowBytes);
  } finally {
    await removeFiles(parts);
  }
}

/** Writes rows in the order in which they come. `rowBytes`: roughly what one takes in encoded columns. */
export async function copyRows(
  connection: DuckDBConnection,
  rows: string,
  file: string,
  rowBytes: number,
): Promise<void> {
  const fitting = Math.floor(ROW_GROUP_BYTES / rowBytes) || 0;
  const group = Math.min(ROW_GROUP_ROWS, Math.max(LEAST_ROW_GROUP_ROWS, fitting));
  await connection.run(
    `COPY (${rows}) TO ${textSql(file)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${group}, PARQUET_VERSION v2)`,
  );
}

export function parquetSql(files: readonly string[]): string {
  return `read_parquet([${files.map(textSql).join(', ')}])`;
}

export async function removeFiles(files: readonly string[]): Promise<void> {
  for (const file of files) await rm(file, { force: true });
}

/** The only file, or all of them sorted into one; they are gone then. */
export async function joinSorted(
  connection: DuckDBConnection,
  work: Omit<SortedCopy, 'where'>,
): Promise<void> {
  const [first, ...others] = work.files;
  if (first !== undefined && others.length === 0) return rename(first, work.file);
  await copySorted(connection, { ...work, where: 'true' });
}

/** All columns of events; what files of an earlier version lack is null. */
async function columnsOf(connection: DuckDBConnection, [file]: readonly string[]): Promise<string> {
  const present = new Set<unknown>();
  if (file !== undefined) {
    const reader = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${parquetSql([file])}`);
    for (const [name] of reader.getRows()) present.add(name);
  }
  const texts = EVENT_COLUMNS.map(({ name, type }) =>
    present.has(name) ? `"${name}"` : `NULL::${type} AS "${name}"`,
  );
  return texts.join(', ');
}

/** Instants in microseconds that divide the rows into spans of about `rows`; one instant is never divided. */
async function cutsOf(connection: DuckDBConnection, source: string, rows: number): Promise<bigint[]> {
  const reader = await connection.runAndReadAll(
    `SELECT DISTINCT instant FROM (
       SELECT epoch_us("timestamp") AS instant, row_number() OVER (ORDER BY "timestamp") - 1 AS number FROM ${source}
     ) WHERE number > 0 AND number % ${rows} = 0 ORDER BY instant`,
  );
  return reader.getRows().map(([instant]) => BigInt(String(instant)));
}

/** What a row of the files takes on average before compression, in bytes; 0 without rows. */
async function rowBytesOf(connection: DuckDBConnection, files: readonly string[]): Promise<number> {
  const reader = await connection.runAndReadAll(
    `SELECT sum(total_uncompressed_size) / sum(num_values) * ${EVENT_COLUMNS.length} FROM parquet_metadata([${files.map(textSql).join(', ')}])`,
  );
  return Number(reader.getRows()[0]?.[0] ?? 0);
}
