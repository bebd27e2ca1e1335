/**
 * Writes events from another store into the same kind of Parquet file as a copy from DuckDB's own table, with little
 * memory.
 */
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { EventRecord } from '../../model/event-record.ts';
import type { ExportSelection } from '../../ports/event-export.ts';
import { EVENT_COLUMNS, type EventColumn } from '../event-columns.ts';
import { COPY_OPTIONS, copiedColumns } from './event-exporter.ts';
import { selectLists, toColumnLists } from './event-table.ts';

/** Memory of the engine: the rows of one part, and those that are copied together. */
const MEMORY = '256MB';

/** A copy in progress: parts are added, and joined at the end. */
export class ParquetCopy {
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  readonly #columns: readonly EventColumn[];
  /** A folder for the parts alone. */
  readonly #directory: string;
  readonly #parts: string[] = [];
  #closed = false;
  /** Bytes of the parts so far: roughly the size of the copy. */
  bytes = 0;

  private constructor(
    instance: DuckDBInstance,
    connection: DuckDBConnection,
    columns: readonly EventColumn[],
    directory: string,
  ) {
    this.#instance = instance;
    this.#connection = connection;
    this.#columns = columns;
    this.#directory = directory;
  }

  /** Begins a copy in `directory`, which must exist; `columns` are those besides the ones in every copy. */
  static async begin(
    directory: string,
    columns: ExportSelection['columns'],
    name: string,
  ): Promise<ParquetCopy> {
    const parts = join(directory, `${name}.parts`);
    await mkdir(parts, { mode: 0o700 });
    const instance = await DuckDBInstance.create(':memory:', {
      memory_limit: MEMORY,
      threads: '1',
      temp_directory: join(parts, 'spill'),
      autoload_known_extensions: 'false',
      autoinstall_known_extensions: 'false',
      allow_community_extensions: 'false',
    });
    const connection = await instance.connect();
    await connection.run("SET GLOBAL TimeZone = 'UTC'");
    await connection.run(`SET allowed_directories = ['${quoted(directory)}']`);
    await connection.run('SET enable_external_access = false');
    await connection.run('SET lock_configuration = true');
    return new ParquetCopy(instance, connection, columnsNamed(copiedColumns(columns)), parts);
  }

  /** Adds rows: a few thousand at once, as they are held in memory. */
  async add(events: readonly EventRecord[]): Promise<void> {
    const part = join(this.#directory, `${this.#parts.length}.parquet`);
    const lists = toColumnLists(events, this.#columns);
    await this.#connection.run(`CREATE OR REPLACE TEMP TABLE part AS ${selectLists(this.#columns)}`, [
      JSON.stringify(lists),
    ]);
    await this.#connection.run(`COPY part TO '${quoted(part)}' ${COPY_OPTIONS}`);
    this.#parts.push(part);
    this.bytes += (await stat(part)).size;
  }

  /** Joins the parts in `file`. */
  async finish(file: string): Promise<void> {
    if (this.#parts.length === 0) await this.add([]);
    const [first, ...others] = this.#parts;
    if (first !== undefined && others.length === 0) return rename(first, file);
    const parts = this.#parts.map((part) => `'${quoted(part)}'`).join(', ');
    await this.#connection.run('DROP TABLE IF EXISTS part');
    await this.#connection.run(`COPY (FROM read_parquet([${parts}])) TO '${quoted(file)}' ${COPY_OPTIONS}`);
  }

  /** Interrupts what the engine is doing. */
  interrupt(): void {
    if (!this.#closed) this.#connection.interrupt();
  }

  /** Ends the engine and deletes the parts, whether the copy was finished or not. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#connection.closeSync();
    this.#instance.closeSync();
    await rm(this.#directory, { recursive: true, force: true });
  }
}

function columnsNamed(names: readonly string[]): EventColumn[] {
  return names.flatMap((wanted) => EVENT_COLUMNS.filter(({ name }) => name === wanted));
}

function quoted(text: string): string {
  return text.replaceAll("'", "''");
}
