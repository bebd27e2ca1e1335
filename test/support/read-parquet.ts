/** Reads a Parquet file as a client would: its columns with their types, and its rows as JSON values. */
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

export interface ReadParquet {
  /** Types by the names of columns, in their order. */
  readonly columns: Readonly<Record<string, string>>;
  /** Instants and large numbers as text. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

export async function readParquet(bytes: Uint8Array): Promise<ReadParquet> {
  const file = join(tmpdir(), `tidegate-read-${process.pid}-${Math.random()}.parquet`);
  writeFileSync(file, bytes);
  const instance = await DuckDBInstance.create(':memory:');
  try {
    const connection = await instance.connect();
    const reader = await connection.runAndReadAll(`FROM read_parquet('${file}')`);
    const types = reader.columnTypes();
    const columns = Object.fromEntries(
      reader.columnNames().map((name, index) => [name, String(types[index])]),
    );
    const rows = reader.getRowObjectsJson();
    connection.closeSync();
    return { columns, rows };
  } finally {
    instance.closeSync();
    rmSync(file, { force: true });
  }
}
