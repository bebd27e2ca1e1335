/** PostgreSQL for the query bench: loaded with COPY, asked by prepared statements. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { BenchProcesses } from './bench-processes.ts';
import { type PostgresCluster, startCluster } from './postgres-cluster.ts';
import { type Answers, type QueryEngine, runSpread } from './query-engine.ts';
import { POSTGRES_PATHS } from './query-paths-sql.ts';
import { POSTGRES_BATCH } from './query-sql.ts';
import { BATCH, FILLED_COLUMNS, WEBSITES, type Window } from './query-workload.ts';

/** Statements of a batch that run at once, as many as Tidegate runs for one organization. */
const SESSIONS = 2;
/** As a careful operator sets them on such a machine: memory like Tidegate's engine has, random reads of a solid-state disk. */
const SETTINGS = {
  shared_buffers: '1GB',
  work_mem: '64MB',
  maintenance_work_mem: '512MB',
  effective_cache_size: '4GB',
  random_page_cost: '1.1',
  max_wal_size: '8GB',
  fsync: 'off',
} as const;
const NUMBERS = ['time_on_page', 'scroll_depth', 'interaction_count', 'load_time', 'ttfb', 'metric_value'];

export interface PostgresOptions {
  readonly processes: BenchProcesses;
  /** For the cluster; it is made when the folder does not hold a loaded one. */
  readonly folder: string;
  /** The events, see query-events.ts. */
  readonly textFile: string;
  readonly window: Window;
  readonly onProgress: (text: string) => void;
}

export interface PostgresEngine extends QueryEngine {
  /** A statement of POSTGRES_PATHS over every event of the large website in the window. */
  askPath(name: string): Promise<string[][]>;
}

/** Starts the cluster, with the events in it. PostgreSQL refuses to run as root, so root hands it to the user postgres. */
export async function startPostgres(options: PostgresOptions): Promise<PostgresEngine> {
  const loaded = path.join(options.folder, 'loaded');
  if (!existsSync(loaded)) rmSync(options.folder, { recursive: true, force: true });
  const cluster = await startCluster({ ...options, processor: null, settings: SETTINGS });
  if (!existsSync(loaded)) {
    await loadEvents(cluster, options);
    writeFileSync(loaded, '');
  }
  const sessions = Array.from({ length: SESSIONS }, () => cluster.session());
  for (const session of sessions) {
    for (const name of BATCH) {
      await session.ask(`PREPARE ${name} (text, timestamp, timestamp) AS ${POSTGRES_BATCH[name]};`);
    }
  }
  const [first] = sessions;
  for (const [index, { sql }] of Object.values(POSTGRES_PATHS).entries())
    await first?.ask(`PREPARE path_${index} (text, timestamp, timestamp) AS ${sql};`);
  const range = [options.window.from, options.window.to].map(
    (at) => `'${new Date(at).toISOString().slice(0, 19)}'`,
  );
  return {
    name: 'postgresql',
    async ask(websiteId): Promise<Answers> {
      const statement = (name: string) => `EXECUTE ${name} ('${websiteId}', ${range.join(', ')});`;
      return runSpread(sessions, async (session, name) =>
        (await session.ask(statement(name))).map((line) => line.split('\t')),
      );
    },
    async askPath(name): Promise<string[][]> {
      const index = Object.keys(POSTGRES_PATHS).indexOf(name);
      const statement = `EXECUTE path_${index} ('${WEBSITES[0].websiteId}', ${range.join(', ')});`;
      return ((await first?.ask(statement)) ?? []).map((line) => line.split('\t'));
    },
    cpuMicroseconds: () => cluster.cpuMicroseconds(),
    megabytes: () => cluster.megabytes(),
    // The server ends with the other processes of the bench; without sessions it does so at once.
    stop: async () => {
      for (const session of sessions) session.close();
    },
  };
}

/** COPY, then the index that the queries need, then the statistics and the visibility map. */
async function loadEvents({ run }: PostgresCluster, options: PostgresOptions): Promise<void> {
  await run(CREATE_EVENTS);
  options.onProgress('PostgreSQL: COPY');
  await run(`COPY events FROM STDIN (FORMAT text, NULL '')`, options.textFile);
  options.onProgress('PostgreSQL: index on (website_id, timestamp), VACUUM ANALYZE');
  await run(CREATE_INDEX);
  await run('VACUUM ANALYZE events');
  await run('CHECKPOINT');
}

function typeOf(column: string): string {
  if (column === 'timestamp') return 'timestamp NOT NULL';
  if (column === 'is_bot') return 'boolean NOT NULL';
  return NUMBERS.includes(column) ? 'double precision' : 'text';
}

/** The table with the columns that generated events fill, and the index that queries need. */
export const CREATE_EVENTS = `CREATE TABLE events (${FILLED_COLUMNS.map((name) => `"${name}" ${typeOf(name)}`).join(', ')})`;
export const CREATE_INDEX = 'CREATE INDEX events_by_website ON events (website_id, "timestamp")';
