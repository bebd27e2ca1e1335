/** The bench of processes: CPU of gateway workers, queries beside a process that stands still, and what separate processes add to a wait. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { createApiKeyText } from '../../services/shared/credentials/api-key-text.ts';
import { type DistributedSystem, startDistributed } from '../support/distributed/start-distributed.ts';
import { type ServerProcess, startProcess } from '../support/gateway-process.ts';
import { missingMongodb, mongodbKind } from '../support/mongodb/mongodb-server.ts';
import { missingRedis } from '../support/redis-server.ts';
import { createTempDirectory } from '../support/temp-directory.ts';
import { benchCalls, WEBSITE } from './bench-calls.ts';
import { createBenchProcesses } from './bench-processes.ts';
import { MOST_CAUGHT, MOST_TO_BEFORE, measureBlockedQuery, startTwoQueries } from './blocked-query.ts';
import { benchProvisioning } from './ingest-target.ts';
import { examineMachine, type Machine } from './machine.ts';
import { CALLS, describeWaits, measureModeWaits } from './mode-waits.ts';
import { type Sent, waitOf } from './paced-load.ts';
import { MissingRequirement } from './target.ts';
import { MOST_TO_ONE, measureWorkerCost, type WorkerBench } from './worker-cost.ts';

/** Of the small website, in both modes. */
const EVENTS = 500;
const EVENTS_PER_REQUEST = 100;
/** Queries are measured, not answers that are there already. */
const NOTHING_REMEMBERED = { ANSWERS_MEMORY_MB: '0' };
const EXIT_UNUSABLE = 2;
const EXIT_INTERRUPTED = 130;

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Notes a missed goal in the exit code. */
function judge(text: string, isMet: boolean): void {
  if (!isMet) process.exitCode = 1;
  print(`  ${isMet ? 'met' : 'MISSED'}: ${text}`);
}

async function benchWorkers(bench: WorkerBench): Promise<void> {
  const { one, two, ratio, oneMegabytes, workerMegabytes } = await measureWorkerCost(bench);
  print('\nGET through the gateway, limits counted in Redis');
  print(`  one process: ${one.toFixed(0)} µs CPU per request, ${oneMegabytes.toFixed(0)} MB`);
  const megabytes = workerMegabytes.map((each) => each.toFixed(0)).join(' and ');
  print(`  two workers: ${two.toFixed(0)} µs CPU per request, ${megabytes} MB`);
  judge(`${ratio.toFixed(3)} times the CPU of one (goal: at most ${MOST_TO_ONE})`, ratio <= MOST_TO_ONE);
}

async function benchBlocked(system: DistributedSystem, key: string): Promise<void> {
  const { origin, pid } = await startTwoQueries(system);
  const calls = benchCalls(origin, key);
  const { before, others, caught, caughtLate, failed, ratio } = await measureBlockedQuery(calls, pid);
  await calls.close();
  const sent = others.length + caught.length;
  print('\nQueries, one of two query processes stopped');
  print(`  before: ${describe(before)}`);
  print(
    `  during: ${describe(others)}; ${caught.length} of ${sent} went to the stopped one and waited for it`,
  );
  judge(
    `p50 ${ratio.toFixed(2)} times that before (goal: at most ${MOST_TO_BEFORE})`,
    ratio <= MOST_TO_BEFORE,
  );
  judge(
    `${((caught.length / sent) * 100).toFixed(1)} % caught (goal: at most ${MOST_CAUGHT * 100} %), ${caughtLate} after the health check, ${failed} failed`,
    caught.length <= sent * MOST_CAUGHT && caughtLate === 0 && failed === 0,
  );
}

function describe(sent: readonly Sent[]): string {
  const part = (title: string, share: number) => `${title} ${waitOf(sent, share).toFixed(1)} ms`;
  return `${part('p50', 0.5)}, ${part('p99', 0.99)}`;
}

async function benchModes(system: DistributedSystem, embedded: ServerProcess, key: string): Promise<void> {
  const calls = { embedded: benchCalls(embedded.origin, key), distributed: benchCalls(system.origin, key) };
  for (const each of Object.values(calls)) {
    for (let sent = 0; sent < EVENTS; sent += EVENTS_PER_REQUEST)
      await each.trackAll(EVENTS_PER_REQUEST, sent);
  }
  const waits = await measureModeWaits(calls);
  print('\nWaits, embedded → separate processes');
  for (const name of CALLS) {
    print(`  ${describeWaits(name, waits[name])}`);
    const failed = Object.values(waits[name])
      .flat()
      .filter((each) => each.failed).length;
    if (failed > 0) judge(`${failed} requests of ${name} failed`, false);
  }
  await Promise.all(Object.values(calls).map((each) => each.close()));
}

async function bench(machine: Machine): Promise<void> {
  const processes = createBenchProcesses();
  const directory = createTempDirectory();
  const ends: (() => Promise<unknown>)[] = [async () => directory.remove(), () => processes.stopAll()];
  const endAll = async () => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void endAll().finally(() => process.exit(EXIT_INTERRUPTED)));
  }
  try {
    const key = createApiKeyText('bench', randomBytes);
    const provisioning = benchProvisioning(key, [WEBSITE]);
    const system = await startDistributed({ provisioning, settings: NOTHING_REMEMBERED });
    ends.push(() => system.close());
    print(`node ${process.version}, ${mongodbKind()}, load average ${(loadavg()[0] ?? 0).toFixed(1)}`);
    await benchWorkers({ system, key, processes, machine });
    await benchBlocked(system, key);
    const folder = directory.file('embedded');
    mkdirSync(folder);
    const PROVISION_FILE = directory.file('provision.yml');
    writeFileSync(PROVISION_FILE, provisioning, { mode: 0o600 });
    const embedded = await startProcess('main', {
      ...{ DATA_DIR: folder, PROVISION_FILE, ...NOTHING_REMEMBERED },
    });
    ends.push(() => embedded.end('SIGTERM'));
    await benchModes(system, embedded, key);
    print(`\nload average at the end ${(loadavg()[0] ?? 0).toFixed(1)}`);
  } finally {
    await endAll();
  }
}

/** @throws MissingRequirement */
async function main(): Promise<void> {
  const machine = examineMachine();
  const missing = missingRedis() ?? missingMongodb();
  if (missing !== null) throw new MissingRequirement(missing);
  await bench(machine);
}

main().catch((fault: unknown) => {
  process.stderr.write(`${fault instanceof Error ? fault.message : String(fault)}\n`);
  process.exitCode = fault instanceof MissingRequirement ? EXIT_UNUSABLE : 1;
});
