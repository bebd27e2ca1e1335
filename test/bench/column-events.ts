/** The events of the bench of columns: a website's, in a file of the embedded store and batch by batch, and fresh ones. */
import { randomUUID } from 'node:crypto';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { EventRecord } from '../../services/shared/model/event-record.ts';
import { createDuckDbEventStore } from '../../services/shared/storage/duckdb/duckdb-event-store.ts';
import { EVENT_COLUMNS } from '../../services/shared/storage/event-columns.ts';
import { FILLED_COLUMNS, GENERATE_SQL, type Window } from './query-workload.ts';

/** Whose events they are. */
export const PARTITION = { organizationId: 'org_a', websiteId: 'web_a' };
const BATCH = 2_000;

const FILLED = FILLED_COLUMNS.map((name) => `"${name}"`).join(', ');
const READ = EVENT_COLUMNS.map(({ name, type }) =>
  type === 'TIMESTAMP' ? `epoch_ms("${name}") AS "${name}"` : `"${name}"`,
).join(', ');

/** Fills a new file, and hands on what is in it. */
export async function generateWebsite(
  path: string,
  count: number,
  window: Window,
  each: (events: EventRecord[]) => Promise<void>,
): Promise<void> {
  // The store itself makes its tables.
  await (await createDuckDbEventStore({ path })).close();
  await withEngine(path, async (connection) => {
    await fill(connection, count, window);
    await connection.run('CHECKPOINT');
    for (let from = 0; from < count; from += BATCH)
      await each(await recordsOf(connection, `WHERE rowid >= ${from} AND rowid < ${from + BATCH}`));
  });
}

/** Events like those, with other ids. */
export async function freshEvents(count: number, window: Window): Promise<EventRecord[]> {
  return withEngine(':memory:', async (connection) => {
    const columns = EVENT_COLUMNS.map(({ name, type }) => `"${name}" ${type}`).join(', ');
    await connection.run(`CREATE TABLE events (${columns})`);
    await fill(connection, count, window);
    return (await recordsOf(connection)).map((event) => ({ ...event, event_id: randomUUID() }));
  });
}

async function fill(connection: DuckDBConnection, count: number, { from }: Window): Promise<void> {
  await connection.run(`INSERT INTO events (${FILLED}) ${GENERATE_SQL} ORDER BY "timestamp"`, {
    website: PARTITION.websiteId,
    organization: PARTITION.organizationId,
    events: BigInt(count),
    from: BigInt(from),
  });
}

async function recordsOf(connection: DuckDBConnection, where = ''): Promise<EventRecord[]> {
  const rows = await connection.runAndReadAll(`SELECT ${READ} FROM events ${where}`);
  return rows.getRowObjectsJS().map((row) => {
    const values = Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'bigint' ? Number(value) : value,
    ]);
    return Object.fromEntries(values) as EventRecord;
  });
}

async function withEngine<R>(path: string, work: (connection: DuckDBConnection) => Promise<R>): Promise<R> {
  const instance = await DuckDBInstance.create(path, { memory_limit: '4GB' });
  const connection = await instance.connect();
  try {
    await connection.run("SET TimeZone = 'UTC'");
    return await work(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
