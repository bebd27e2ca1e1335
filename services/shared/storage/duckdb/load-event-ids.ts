/** Fills the window of event ids from the stored events, so that it is exact from the first request after a start. */
import type { DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api';
import type { EventIdWindow } from '../event-id-window.ts';
import { COMMIT_COLUMN, EVENT_TABLE } from './event-table.ts';

/** The hash as `eventIdHash` makes it: 128 bits, of which the lowest are the first bytes. */
const HASH = `md5_number(coalesce('w' || website_id, 'o' || organization_id) || chr(0) || event_id)`;

/** How many events with id came in each minute, the latest first. */
const MINUTES = `SELECT epoch("${COMMIT_COLUMN}")::BIGINT // 60 AS minute, count(*)::INTEGER AS events FROM ${EVENT_TABLE}
WHERE "${COMMIT_COLUMN}" >= make_timestamp($1::BIGINT) AND event_id IS NOT NULL GROUP BY minute ORDER BY minute DESC`;

const IDS = `SELECT (id & 4294967295)::UINTEGER, ((id >> 32) & 4294967295)::UINTEGER, ((id >> 64) & 4294967295)::UINTEGER, came
FROM (SELECT ${HASH} AS id, epoch("${COMMIT_COLUMN}")::UINTEGER AS came FROM ${EVENT_TABLE}
WHERE "${COMMIT_COLUMN}" >= make_timestamp($1::BIGINT) AND event_id IS NOT NULL ORDER BY "${COMMIT_COLUMN}")`;

/** Adds the newest ids that came at `earliest` (milliseconds) or later; five million take about eight seconds of one processor. */
export async function loadEventIds(
  connection: DuckDBConnection,
  window: EventIdWindow,
  earliest: number,
): Promise<void> {
  const from = await startOfNewest(connection, earliest, window.size);
  const result = await connection.stream(IDS, [BigInt(from) * 1_000n]);
  for (;;) {
    const chunk = await result.fetchChunk();
    if (!chunk || chunk.rowCount === 0) return;
    addAll(chunk, window);
  }
}

/** The instant from which on there are at least `size` ids, no earlier than `earliest`. */
async function startOfNewest(connection: DuckDBConnection, earliest: number, size: number): Promise<number> {
  const minutes = await connection.runAndReadAll(MINUTES, [BigInt(earliest) * 1_000n]);
  let events = 0;
  for (const [minute, count] of minutes.getRows()) {
    events += Number(count);
    if (events >= size) return Math.max(earliest, Number(minute) * 60_000);
  }
  return earliest;
}

function addAll(chunk: DuckDBDataChunk, window: EventIdWindow): void {
  const columns = [0, 1, 2, 3].map((index) => chunk.getColumnVector(index));
  const value = (column: number, row: number) => Number(columns[column]?.getItem(row) ?? 0);
  for (let row = 0; row < chunk.rowCount; row++) {
    window.addWords(value(0, row), value(1, row), value(2, row), value(3, row));
  }
}
