/** Opens the DuckDB file of events: settings that queries cannot change, schema version, and errors that say what to do. */
import { chmodSync, statSync } from 'node:fs';
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { createInstance } from './create-instance.ts';
import { exportDirectoryOf, prepareExportDirectory } from './event-exporter.ts';
import {
  ADD_COMMIT_COLUMN,
  ADD_KEYLESS_COLUMN,
  CREATE_EVENT_TABLE,
  CREATE_RUN_TABLE,
} from './event-table.ts';
import { DATABASE, ROW_GROUP_ROWS, USE_DATABASE } from './file-layout.ts';
import { CREATE_NOTE_TABLE } from './wiping/erasure-notes.ts';
import { DROP_FILLER } from './wiping/free-blocks.ts';

/** Version of the tables; a file of a newer version is refused. */
export const SCHEMA_VERSION = 4;

/**
 * Size of the log, in bytes, at which the engine writes it into the file. What lies in the log lies in memory too, in
 * several times that size: with 64 MB a store that took in 200,000 events grew to 419 MB, with 32 MB to 364, with 16 MB to
 * 297, for the same processor time within 2 %; with 8 MB to no less. Each writing into the file takes as much less time.
 */
export const LOG_BYTES = 16_000_000;

export interface InstanceOptions {
  readonly path: string;
  /** Memory of the engine, such as `1GB`. */
  readonly memoryLimit: string;
  /** Threads of the engine. */
  readonly threads: number;
  /** Size of the log, in bytes, at which the engine writes it into the file; default 16 million. */
  readonly logBytes?: number;
}

/** An open instance and its first connection. @throws Error that names the file and what to do. */
export async function openInstance(
  options: InstanceOptions,
): Promise<{ instance: DuckDBInstance; connection: DuckDBConnection }> {
  const { path } = options;
  const instance = await createInstance({
    memory_limit: options.memoryLimit,
    threads: String(options.threads),
    wal_autocheckpoint: `${logBytes(options)}B`,
    // Row groups that lost all their events are dropped at a checkpoint, others are kept: merging them would block
    // appends for as long as it takes. Compaction does that, slice by slice.
    max_vacuum_tasks: '0',
  });
  try {
    const connection = await instance.connect();
    await attach(connection, path);
    chmodSync(path, 0o600);
    await connection.run(`SET temp_directory = '${`${path}.tmp`.replaceAll("'", "''")}'`);
    await connection.run("SET GLOBAL TimeZone = 'UTC'");
    // Copies for custom queries go here; everything else outside the store's own files stays inaccessible.
    prepareExportDirectory(path);
    await connection.run(`SET allowed_directories = ['${exportDirectoryOf(path).replaceAll("'", "''")}']`);
    await connection.run('SET enable_external_access = false');
    await connection.run('SET lock_configuration = true');
    await createTables(connection, path);
    return { instance, connection };
  } catch (error) {
    instance.closeSync();
    throw error;
  }
}

async function attach(connection: DuckDBConnection, path: string): Promise<void> {
  try {
    await connection.run(
      `ATTACH '${path.replaceAll("'", "''")}' AS ${DATABASE} (ROW_GROUP_SIZE ${ROW_GROUP_ROWS})`,
    );
  } catch (cause) {
    throw openError(path, cause);
  }
  await connection.run(USE_DATABASE);
}

/**
 * After a fault the log may be larger than intended. If it could not grow, every commit would try, and fail, to write it
 * into a full disk.
 */
function logBytes({ path, logBytes = LOG_BYTES }: InstanceOptions): number {
  const present = statSync(`${path}.wal`, { throwIfNoEntry: false })?.size ?? 0;
  return Math.max(logBytes, present * 2);
}

/** Creates the tables that a database, just attached and in use, lacks. @throws Error when a newer version wrote it */
export async function createTables(connection: DuckDBConnection, path: string): Promise<void> {
  await connection.run('BEGIN');
  await connection.run('CREATE TABLE IF NOT EXISTS tidegate_schema (version INTEGER NOT NULL)');
  const reader = await connection.runAndReadAll('SELECT max(version) FROM tidegate_schema');
  const version = reader.getRows()[0]?.[0] ?? 0;
  if (typeof version !== 'number' || version > SCHEMA_VERSION) {
    throw new Error(
      `The event store ${path} has schema version ${version}; this version of Tidegate knows up to ${SCHEMA_VERSION}. ` +
        'Start the newer version that wrote it, or restore a backup made before the upgrade.',
    );
  }
  if (version === 0) await connection.run(CREATE_EVENT_TABLE);
  if (version === 1) await connection.run(ADD_COMMIT_COLUMN);
  if (version < 3) await connection.run(CREATE_RUN_TABLE);
  if (version > 0 && version < 4) await connection.run(ADD_KEYLESS_COLUMN);
  if (version < SCHEMA_VERSION) {
    await connection.run('INSERT INTO tidegate_schema VALUES ($1)', [SCHEMA_VERSION]);
  }
  await connection.run(CREATE_NOTE_TABLE);
  await connection.run(DROP_FILLER);
  await connection.run('COMMIT');
}

/** The message for the operator at the start; nothing was changed in the file. */
export function openError(path: string, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Error(`The event store ${path} cannot be opened. ${adviceFor(path, reason)} (${reason})`, {
    cause,
  });
}

function adviceFor(path: string, reason: string): string {
  if (/set lock on file/i.test(reason)) {
    return 'Another process has it open: one process opens it, once. Stop that process.';
  }
  if (/\bWAL\b/.test(reason)) {
    return (
      `Its log ${path}.wal, which holds the latest events, is damaged; nothing was changed. Copy both files to a safe ` +
      `place, then run "tidegate salvage", which saves what can be read and keeps the old files, or restore a backup.`
    );
  }
  if (/not a valid DuckDB database|corrupt|checksum/i.test(reason)) {
    return 'The file is damaged or no event store; nothing was changed. Copy it to a safe place, then run "tidegate salvage", which saves what can be read and keeps the old file, or restore a backup.';
  }
  return 'Check that this user may write the file and its directory, and that the disk has space.';
}
