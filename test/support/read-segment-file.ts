/** Reads the events of a Parquet file as a reader does that knows nothing of the product. */
import { DuckDBInstance } from '@duckdb/node-api';
import type { EventRecord } from '../../services/shared/model/event-record.ts';
import { EVENT_COLUMNS } from '../../services/shared/storage/event-columns.ts';

/** In the order of the file. */
export async function readSegmentFile(path: string): Promise<EventRecord[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    await connection.run("SET TimeZone = 'UTC'");
    const columns = EVENT_COLUMNS.map(({ name, type }) =>
      type === 'TIMESTAMP' ? `epoch_ms("${name}") AS "${name}"` : `"${name}"`,
    );
    const reader = await connection.runAndReadAll(
      `SELECT ${columns.join(', ')} FROM read_parquet('${path}', file_row_number = true) ORDER BY file_row_number`,
    );
    return reader.getRows().map(
      (row) =>
        Object.fromEntries(
          EVENT_COLUMNS.map(({ name }, i) => {
            const value = row[i] ?? null;
            return [name, typeof value === 'bigint' ? Number(value) : value];
          }),
        ) as EventRecord,
    );
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
