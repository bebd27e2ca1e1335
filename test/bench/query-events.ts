/** Generates the events of the query bench into Tidegate's own event store, and hands them on to the other engines. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { createDuckDbEventStore } from '../../services/shared/storage/duckdb/duckdb-event-store.ts';
import { FILLED_COLUMNS, GENERATE_SQL, type Window, websitesOf } from './query-workload.ts';

export interface EventLoad {
  /** Tidegate's file of events. */
  readonly eventsFile: string;
  /** Receives the same events in the same order, a line each: tabs between the filled columns, nothing for null. Null: nobody asks for them. */
  readonly textFile: string | null;
  readonly events: number;
  readonly window: Window;
  /** As events come in, instead of by website and time. */
  readonly arrivalOrder: boolean;
  /** Told from time to time how many events there are. */
  readonly onProgress: (part: string, events: number) => void;
}

/** Fills a new store. */
export async function generateEvents(load: EventLoad): Promise<void> {
  mkdirSync(path.dirname(load.eventsFile), { recursive: true });
  // The store itself makes its tables.
  await (await createDuckDbEventStore({ path: load.eventsFile })).close();
  const instance = await DuckDBInstance.create(load.eventsFile, { memory_limit: '4GB' });
  try {
    const connection = await instance.connect();
    const columns = FILLED_COLUMNS.map((name) => `"${name}"`).join(', ');
    // By website and time they come out of the generator; as they arrive only once all are there.
    const into = load.arrivalOrder ? 'generated' : `events (${columns})`;
    if (load.arrivalOrder) {
      await connection.run(`CREATE TEMP TABLE generated AS SELECT ${columns} FROM events`);
    }
    await connection.run('BEGIN');
    let generated = 0;
    for (const { websiteId, organizationId, events } of websitesOf(load.events)) {
      await connection.run(`INSERT INTO ${into} ${GENERATE_SQL} ORDER BY "timestamp"`, {
        website: websiteId,
        organization: organizationId,
        events: BigInt(events),
        from: BigInt(load.window.from),
      });
      generated += events;
      load.onProgress('events generated', generated);
    }
    if (load.arrivalOrder) {
      await connection.run(
        `INSERT INTO events (${columns}) SELECT ${columns} FROM generated ORDER BY "timestamp", "website_id"`,
      );
    }
    await connection.run('COMMIT');
    await connection.run('CHECKPOINT');
    if (load.textFile !== null) {
      const target = load.textFile.replaceAll("'", "''");
      await connection.run(
        `COPY (SELECT ${columns} FROM events) TO '${target}' (FORMAT csv, HEADER false, DELIMITER '\t', QUOTE '', ESCAPE '')`,
      );
    }
    connection.closeSync();
  } finally {
    instance.closeSync();
  }
}
