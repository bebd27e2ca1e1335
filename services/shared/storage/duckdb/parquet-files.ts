/** Makes Parquet files with an engine of its own for each, in a folder that no other process uses. */
import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { ParquetColumn, ParquetFiles, ParquetRow } from '../../ports/parquet-files.ts';
import { type CacheFolder, takeCacheFolder } from '../columns/cache-folder.ts';
import { OneCopyAtATime } from '../one-copy-at-a-time.ts';
import { closeInstance, createInstance } from './create-instance.ts';
import { selectLists } from './event-table.ts';
import { textSql } from './selection-sql.ts';

/** Memory of an engine; what needs more spills into the folder. */
const MEMORY = '256MB';

/** How many rows are compressed together. */
const ROW_GROUP = 8_192;

const PIECE_BYTES = 256 * 1024;

/** `root`: gets a folder for each process; what a process that was killed left in one is removed when it is taken again. */
export class DuckDbParquetFiles implements ParquetFiles {
  readonly #folder: Promise<CacheFolder>;
  readonly #turns = new OneCopyAtATime();

  constructor(root: string) {
    this.#folder = takeEmpty(root);
    // Told to who makes a file.
    this.#folder.catch(() => undefined);
  }

  make(
    columns: readonly ParquetColumn[],
    batches: AsyncIterable<readonly ParquetRow[]>,
    signal: AbortSignal,
  ): Promise<AsyncIterable<Uint8Array>> {
    return this.#turns.run(signal, () => this.#make(columns, batches, signal));
  }

  async close(): Promise<void> {
    await this.#turns.idle();
    const folder = await this.#folder.catch(() => null);
    if (folder === null) return;
    await clear(folder.path);
    folder.release();
  }

  async #make(
    columns: readonly ParquetColumn[],
    batches: AsyncIterable<readonly ParquetRow[]>,
    signal: AbortSignal,
  ): Promise<AsyncIterable<Uint8Array>> {
    const directory = join((await this.#folder).path, randomUUID());
    await mkdir(directory, { mode: 0o700 });
    try {
      const file = join(directory, 'rows.parquet');
      await writeFile(columns, batches, { file, directory, signal });
      // Read by its handle: the file itself is gone before its first piece is sent.
      return piecesOf(await open(file));
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }
}

async function takeEmpty(root: string): Promise<CacheFolder> {
  const folder = await takeCacheFolder(root);
  await clear(folder.path);
  return folder;
}

/** Empties it; one that is gone is empty. */
async function clear(directory: string): Promise<void> {
  const names = await readdir(directory).catch((fault: NodeJS.ErrnoException) => {
    if (fault.code === 'ENOENT') return [];
    throw fault;
  });
  for (const name of names) {
    await rm(join(directory, name), { recursive: true, force: true });
  }
}

async function* piecesOf(file: FileHandle): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(PIECE_BYTES) });
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

interface Target {
  readonly file: string;
  readonly directory: string;
  readonly signal: AbortSignal;
}

async function writeFile(
  columns: readonly ParquetColumn[],
  batches: AsyncIterable<readonly ParquetRow[]>,
  { file, directory, signal }: Target,
): Promise<void> {
  const instance = await createInstance({
    memory_limit: MEMORY,
    threads: '1',
    temp_directory: join(directory, 'spill'),
  });
  try {
    const connection = await instance.connect();
    const interrupt = () => connection.interrupt();
    signal.addEventListener('abort', interrupt);
    try {
      await connection.run("SET GLOBAL TimeZone = 'UTC'");
      await connection.run(`SET allowed_directories = [${textSql(directory)}]`);
      await connection.run('SET enable_external_access = false');
      await connection.run('SET lock_configuration = true');
      await copyRows(connection, columns, batches, { file, signal });
    } catch (fault) {
      throw signal.aborted ? signal.reason : fault;
    } finally {
      signal.removeEventListener('abort', interrupt);
      connection.closeSync();
    }
  } finally {
    await closeInstance(instance);
  }
}

async function copyRows(
  connection: DuckDBConnection,
  columns: readonly ParquetColumn[],
  batches: AsyncIterable<readonly ParquetRow[]>,
  { file, signal }: Pick<Target, 'file' | 'signal'>,
): Promise<void> {
  // Names come from clients: they stand in the text only as those of the file.
  const own = columns.map(({ type }, index) => ({ name: `c${index}`, type }));
  await connection.run(`CREATE TABLE part (${own.map(({ name, type }) => `${name} ${type}`).join(', ')})`);
  const insert = `INSERT INTO part ${selectLists(own)}`;
  for await (const rows of batches) {
    signal.throwIfAborted();
    if (rows.length === 0) continue;
    const lists = Object.fromEntries(own.map(({ name }, at) => [name, rows.map((row) => row[at] ?? null)]));
    await connection.run(insert, [JSON.stringify(lists)]);
  }
  const named = uniqueNames(columns).map((name, index) => `c${index} AS "${name.replaceAll('"', '""')}"`);
  const options = `(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${ROW_GROUP})`;
  await connection.run(`COPY (SELECT ${named.join(', ')} FROM part) TO ${textSql(file)} ${options}`);
}

/** The names, with a number behind those that readers who ignore case would take for an earlier one. */
function uniqueNames(columns: readonly ParquetColumn[]): string[] {
  const taken = new Set<string>();
  return columns.map(({ name }) => {
    let unique = name;
    for (let number = 2; taken.has(unique.toLowerCase()); number++) unique = `${name}_${number}`;
    taken.add(unique.toLowerCase());
    return unique;
  });
}
