/** An event file that no server has open: locked against every other process, and read without changing it. */
import { resolve } from 'node:path';
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { createInstance } from './create-instance.ts';
import { USE_DATABASE } from './file-layout.ts';
import { openError } from './open-instance.ts';
import { takeOwnerLock } from './owner-lock.ts';

export interface ReadOnlyFile {
  readonly connection: DuckDBConnection;
  /** Version of its tables; 0 when there are none. */
  readonly schemaVersion: number;
  /** Releases the file. */
  close(): void;
}

/**
 * Opens the file, which must exist. The content of its log is read too, and stays in the log.
 * @throws OwnedElsewhereError while a process has it open; Error that says what to do when it cannot be read
 */
export async function openReadOnly(path: string): Promise<ReadOnlyFile> {
  const file = resolve(path);
  const lock = takeOwnerLock(file);
  let instance: DuckDBInstance | undefined;
  try {
    instance = await createInstance({ memory_limit: '1GB', threads: '2' });
    const connection = await attach(instance, file);
    const schemaVersion = await readSchemaVersion(connection);
    const opened = instance;
    return {
      connection,
      schemaVersion,
      close() {
        connection.closeSync();
        opened.closeSync();
        lock.release();
      },
    };
  } catch (fault) {
    instance?.closeSync();
    lock.release();
    throw fault;
  }
}

async function attach(instance: DuckDBInstance, file: string): Promise<DuckDBConnection> {
  const connection = await instance.connect();
  await connection.run("SET GLOBAL TimeZone = 'UTC'");
  try {
    await connection.run(`ATTACH '${file.replaceAll("'", "''")}' AS store (READ_ONLY)`);
  } catch (cause) {
    throw openError(file, cause);
  }
  await connection.run(USE_DATABASE);
  return connection;
}

async function readSchemaVersion(connection: DuckDBConnection): Promise<number> {
  const tables = await connection.runAndReadAll(
    "SELECT 1 FROM duckdb_tables() WHERE database_name = 'store' AND table_name = 'tidegate_schema'",
  );
  if (tables.currentRowCount === 0) return 0;
  const reader = await connection.runAndReadAll('SELECT max(version) FROM tidegate_schema');
  return Number(reader.getRows()[0]?.[0] ?? 0);
}
