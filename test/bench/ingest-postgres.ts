/** The events of the ingest bench by COPY into PostgreSQL: rows ready made, durable when the statement ends. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { BenchProcesses } from './bench-processes.ts';
import type { LoadShape } from './ingest-load.ts';
import type { Machine } from './machine.ts';
import { type PostgresCluster, type PsqlSession, startCluster } from './postgres-cluster.ts';
import { allowedProcessors } from './process-usage.ts';
import { CREATE_EVENTS, CREATE_INDEX } from './query-postgres.ts';

/** As a careful operator sets them; each commit waits for the disk, as Tidegate's does. */
const SETTINGS = { shared_buffers: '1GB', max_wal_size: '8GB', max_connections: '300' } as const;
const COLUMNS = [
  ...['organization_id', 'timestamp', 'is_bot', 'event_name', 'website_id', 'anonymous_id', 'session_id'],
  ...['path', 'hostname', 'referrer', 'referrer_host', 'referrer_group', 'utm_source', 'properties'],
  ...['country', 'browser_name', 'browser_version', 'os_name', 'os_version', 'device_type'],
];

/** One measured run of one load. */
export interface CopySample {
  readonly shape: LoadShape;
  readonly eventsPerSecond: number;
  /** CPU time of all processes of PostgreSQL, in microseconds. */
  readonly cpuMicroseconds: number;
  readonly residentMegabytes: number;
  /** Events whose COPY ended and that are not in the table. */
  readonly failures: number;
}

export interface CopyBench {
  readonly processes: BenchProcesses;
  /** As root it must be reachable for the user postgres. */
  readonly folder: string;
  readonly machine: Machine;
  /** `events` of a shape are those of one COPY, `callers` its sessions. */
  readonly shapes: readonly LoadShape[];
  readonly runs: number;
  readonly seconds: number;
  readonly tell: (text: string) => void;
}

/** @throws MissingRequirement when PostgreSQL is not installed */
export async function measureCopy(bench: CopyBench): Promise<CopySample[]> {
  const { processes, machine, tell } = bench;
  tell('PostgreSQL: starting');
  const cluster = await startCluster({
    processes,
    folder: path.join(bench.folder, 'postgresql'),
    processor: machine.targetProcessor,
    settings: SETTINGS,
  });
  await cluster.run(CREATE_EVENTS);
  await cluster.run(CREATE_INDEX);
  const samples: CopySample[] = [];
  const processors = allowedProcessors();
  // This process feeds the sessions: it and they are the load.
  if (machine.loadProcessor !== null) runOn([machine.loadProcessor]);
  try {
    for (let round = 0; round <= bench.runs; round++) {
      tell(round === 0 ? 'PostgreSQL: warming up' : `PostgreSQL: round ${round} of ${bench.runs}`);
      for (const shape of bench.shapes) {
        const sample = await measure(cluster, shape, round === 0 ? 1 : bench.seconds);
        if (round > 0) samples.push(sample);
      }
    }
  } finally {
    if (machine.loadProcessor !== null) runOn(processors);
  }
  return samples;
}

/** Puts every thread of this process on these processors. */
function runOn(processors: readonly number[]): void {
  execFileSync('taskset', ['-acp', processors.join(','), String(process.pid)], { stdio: 'ignore' });
}

async function measure(cluster: PostgresCluster, shape: LoadShape, seconds: number): Promise<CopySample> {
  const sessions = Array.from({ length: shape.callers }, () => cluster.session());
  try {
    const before = await countRows(sessions);
    const run = randomBytes(6).toString('hex');
    const cpuBefore = cluster.cpuMicroseconds();
    const started = performance.now();
    let events = 0;
    await Promise.all(
      sessions.map(async (session) => {
        while (performance.now() - started < seconds * 1_000) {
          const rows = Array.from({ length: shape.events }, (_, index) => rowText(run, events + index));
          await session.send(
            `COPY events (${COLUMNS.map((name) => `"${name}"`).join(', ')}) FROM STDIN (NULL '');\n${rows.join('\n')}\n\\.`,
          );
          events += shape.events;
        }
      }),
    );
    const elapsed = performance.now() - started;
    const cpu = cluster.cpuMicroseconds() - cpuBefore;
    return {
      shape,
      eventsPerSecond: (events * 1_000) / elapsed,
      cpuMicroseconds: cpu / events,
      residentMegabytes: cluster.megabytes(),
      failures: events - ((await countRows(sessions)) - before),
    };
  } finally {
    for (const session of sessions) session.close();
  }
}

async function countRows([session]: readonly PsqlSession[]): Promise<number> {
  const [count] = (await session?.ask('SELECT count(*) FROM events;')) ?? [];
  return Number(count);
}

/** What the event of ingest-load.ts becomes, a tab between its columns. */
function rowText(run: string, number: number): string {
  const properties = `{"plan":"pro","currency":"EUR","amount":${number},"coupon":null,"items":3,"returning":true}`;
  return [
    ...['org_bench', new Date().toISOString().slice(0, 23), 'false', 'checkout_completed', 'web_bench'],
    ...[`anon_7c2a9f54-1b7e-4c1d-9a53-${number % 5_000}`, `sess_${run}-${number % 9_000}`],
    ...['/checkout/complete', 'bench.example.com', 'https://www.google.com/', 'www.google.com', 'search'],
    ...['news', properties, '', 'Chrome', '124.0', 'Windows', '10', 'desktop'],
  ].join('\t');
}
