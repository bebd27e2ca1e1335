/** Makes the files of segments: writes events into Parquet, merges files, leaves rows out, and counts them. */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { EventRecord } from '../../../model/event-record.ts';
import type { EventSelection } from '../../../ports/event-store.ts';
import type { Segment } from '../../columns/segment-set.ts';
import { EVENT_COLUMNS } from '../../event-columns.ts';
import { closeInstance, createInstance } from '../create-instance.ts';
import { selectLists, toColumnLists } from '../event-table.ts';
import { selectionSql, textSql } from '../selection-sql.ts';
import { copyRows, copySorted, joinSorted, parquetSql, removeFiles } from './sorted-copy.ts';

/** Events are sorted and written once their JSON has this many bytes for each byte of the engine's memory. */
const PART_SHARE = 1 / 8;

/** How much of the engine's memory rows may take while they are sorted. */
const SORTED_SHARE = 1 / 4;

/** What the JSON of an event has for each byte of its encoded columns, at least. */
const JSON_PER_ENCODED = 3;

const DEFAULT_MEMORY_MB = 512;

/** What is known of a file that was made. */
export type MadeFile = Pick<Segment, 'from' | 'to' | 'rows' | 'bytes' | 'sha256'>;

export interface SegmentMakerOptions {
  /** A folder for this maker alone, made when it is missing; every file that it reads or writes lies in it. */
  readonly directory: string;
  /** Memory of the engine, in megabytes; what needs more spills into the folder. Default 512. */
  readonly memoryMb?: number;
  /** Threads of the engine; default 1. */
  readonly threads?: number;
}

/** An engine of its own for the files of one folder. Calls may overlap; each rejects with its signal's reason. */
export class SegmentMaker {
  readonly directory: string;
  readonly #instance: DuckDBInstance;

  /** Of the engine, in bytes. */
  readonly #memory: number;
  /** Calls in progress. */
  readonly #working = new Set<Promise<unknown>>();
  #isClosed = false;

  private constructor(instance: DuckDBInstance, directory: string, memory: number) {
    this.#instance = instance;
    this.directory = directory;
    this.#memory = memory;
  }

  /** @throws Error when the folder cannot be made */
  static async open({
    directory,
    memoryMb = DEFAULT_MEMORY_MB,
    threads = 1,
  }: SegmentMakerOptions): Promise<SegmentMaker> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const instance = await createInstance({
      memory_limit: `${memoryMb}MB`,
      threads: String(threads),
      temp_directory: join(directory, 'spill'),
    });
    try {
      const connection = await instance.connect();
      await connection.run("SET GLOBAL TimeZone = 'UTC'");
      await connection.run(`SET allowed_directories = [${textSql(directory)}]`);
      await connection.run('SET enable_external_access = false');
      await connection.run('SET lock_configuration = true');
      connection.closeSync();
      return new SegmentMaker(instance, directory, memoryMb * 1e6);
    } catch (fault) {
      await closeInstance(instance);
      throw fault;
    }
  }

  /** The path of a new file in the folder. */
  newFile(): string {
    return join(this.directory, `${randomUUID()}.parquet`);
  }

  /**
   * Writes events into `file`, sorted by their instants; null, and no file, when there are none. `batches` of a few
   * thousand: each is held in memory twice.
   */
  write(
    batches: AsyncIterable<readonly EventRecord[]>,
    file: string,
    signal?: AbortSignal,
  ): Promise<MadeFile | null> {
    const parts: string[] = [];
    return this.#making(file, signal, async (connection) => {
      try {
        for await (const part of this.#writeParts(connection, batches, file, signal)) parts.push(part);
        if (parts.length === 0) return;
        await joinSorted(connection, {
          files: parts,
          file,
          sortedBytes: this.#memory * SORTED_SHARE,
          signal,
        });
      } finally {
        await removeFiles(parts);
      }
    });
  }

  /**
   * Writes the rows of `files` into `file`, sorted, except those of the selection; null, and no file, when none are
   * left.
   */
  merge(
    files: readonly string[],
    file: string,
    {
      without,
      signal,
    }: { readonly without?: EventSelection; readonly signal?: AbortSignal | undefined } = {},
  ): Promise<MadeFile | null> {
    const where = without === undefined ? 'true' : `(${selectionSql(without)}) IS NOT TRUE`;
    const sortedBytes = this.#memory * SORTED_SHARE;
    return this.#making(file, signal, (connection) =>
      copySorted(connection, { files, where, file, sortedBytes, signal }),
    );
  }

  /** How many rows of the file belong to the selection; without one: all. */
  count(file: string, selection?: EventSelection, signal?: AbortSignal): Promise<number> {
    const chosen = selection === undefined ? '' : ` WHERE ${selectionSql(selection)}`;
    return this.#using(signal, async (connection) => {
      const reader = await connection.runAndReadAll(`SELECT count(*) FROM ${parquetSql([file])}${chosen}`);
      return Number(reader.getRows()[0]?.[0]);
    });
  }

  /** The rows of a file, their first and last instants; null: it has none. */
  look(file: string, signal?: AbortSignal): Promise<Pick<MadeFile, 'from' | 'to' | 'rows'> | null> {
    return this.#using(signal, (connection) => extentOf(connection, file));
  }

  /** Refuses further calls, lets those in progress end, ends the engine, and deletes the folder with everything in it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#working);
    await closeInstance(this.#instance);
    await rm(this.directory, { recursive: true, force: true });
  }

  /** Files of sorted events, each as large as memory allows. */
  async *#writeParts(
    connection: DuckDBConnection,
    batches: AsyncIterable<readonly EventRecord[]>,
    file: string,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<string> {
    const columns = EVENT_COLUMNS.map(({ name, type }) => `"${name}" ${type}`).join(', ');
    await connection.run(`CREATE TEMP TABLE part (${columns})`);
    const statement = await connection.prepare(`INSERT INTO part ${selectLists(EVENT_COLUMNS)}`);
    let [rows, bytes, parts] = [0, 0, 0];
    const flush = async () => {
      const part = `${file}.part-${parts++}.parquet`;
      await copyRows(connection, 'FROM part ORDER BY "timestamp"', part, bytes / rows / JSON_PER_ENCODED);
      await connection.run('TRUNCATE part');
      [rows, bytes] = [0, 0];
      return part;
    };
    try {
      for await (const events of batches) {
        signal?.throwIfAborted();
        if (events.length === 0) continue;
        const lists = JSON.stringify(toColumnLists(events));
        statement.bindVarchar(1, lists);
        await statement.run();
        rows += events.length;
        bytes += lists.length;
        if (bytes > this.#memory * PART_SHARE) yield await flush();
      }
      if (rows > 0) yield await flush();
    } finally {
      statement.destroySync();
    }
  }

  /** Runs what makes `file`, and reads what is in it; a file of which nothing came is removed. */
  async #making(
    file: string,
    signal: AbortSignal | undefined,
    make: (connection: DuckDBConnection) => Promise<void>,
  ): Promise<MadeFile | null> {
    let made: MadeFile | null = null;
    try {
      made = await this.#using(signal, async (connection) => {
        await make(connection);
        const extent = existsSync(file) ? await extentOf(connection, file) : null;
        return extent === null ? null : { ...extent, ...(await digestOf(file, signal)) };
      });
      return made;
    } finally {
      if (made === null) await rm(file, { force: true });
    }
  }

  /** Gives `work` a connection of its own, whose tables go with it. */
  async #using<R>(
    signal: AbortSignal | undefined,
    work: (connection: DuckDBConnection) => Promise<R>,
  ): Promise<R> {
    signal?.throwIfAborted();
    if (this.#isClosed) throw new Error('the maker of segments is closed');
    const working = this.#work(signal, work);
    this.#working.add(working);
    try {
      return await working;
    } finally {
      this.#working.delete(working);
    }
  }

  async #work<R>(
    signal: AbortSignal | undefined,
    work: (connection: DuckDBConnection) => Promise<R>,
  ): Promise<R> {
    const connection = await this.#instance.connect();
    const interrupt = () => connection.interrupt();
    signal?.addEventListener('abort', interrupt);
    try {
      return await work(connection);
    } catch (fault) {
      throw signal?.aborted ? signal.reason : fault;
    } finally {
      signal?.removeEventListener('abort', interrupt);
      connection.closeSync();
    }
  }
}

/** Its rows, their first and last instants; null without rows. */
async function extentOf(
  connection: DuckDBConnection,
  file: string,
): Promise<Pick<MadeFile, 'from' | 'to' | 'rows'> | null> {
  const reader = await connection.runAndReadAll(
    `SELECT count(*), epoch_ms(min("timestamp")), epoch_ms(max("timestamp")) FROM ${parquetSql([file])}`,
  );
  const [rows, from, to] = (reader.getRows()[0] ?? []).map(Number);
  if (!rows || from === undefined || to === undefined) return null;
  return { from, to, rows };
}

async function digestOf(
  file: string,
  signal: AbortSignal | undefined,
): Promise<Pick<MadeFile, 'bytes' | 'sha256'>> {
  const hash = createHash('sha256');
  let bytes = 0;
  const stream = createReadStream(file, { signal });
  for await (const chunk of stream) {
    bytes += chunk.length;
    hash.update(chunk);
  }
  return { bytes, sha256: hash.digest('hex') };
}
