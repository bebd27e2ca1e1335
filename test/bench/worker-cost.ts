/** What a request costs in a gateway of one process and in one of two workers, under load in turns. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import type { DistributedSystem } from '../support/distributed/start-distributed.ts';
import type { ServerProcess } from '../support/gateway-process.ts';
import type { BenchProcesses } from './bench-processes.ts';
import type { Machine } from './machine.ts';
import { startNginxUpstream } from './nginx-upstream.ts';
import { cpuMicroseconds, residentMegabytes } from './process-usage.ts';
import { median } from './report.ts';
import { runLoad, writeLoadScript } from './wrk-load.ts';

/** Two workers may cost at most this many times the CPU time of one, per request. */
export const MOST_TO_ONE = 1.1;

const WORKERS = 2;
/** Of each worker: with one, no work of several requests is ever done at once, which would cost less of each. */
const CONNECTIONS_PER_WORKER = 1;
const WARM_UP_CONNECTIONS_PER_WORKER = 16;
const ROUNDS = 7;
const SECONDS = 3;
/** Of each worker before anything counts: until then code is still compiled, which costs more than the requests. */
const WARM_UP_REQUESTS = 15_000;
/** Of each worker. */
const MOST_WARM_UP_SECONDS = 15;
const PATH = '/v1/query/websites';

export interface WorkerCost {
  /** CPU time of a request, of all processes of the gateway, in microseconds. */
  readonly one: number;
  readonly two: number;
  /** Median of the rounds' own ratios. */
  readonly ratio: number;
  /** Resident memory of the single gateway, and of each worker, in megabytes. */
  readonly oneMegabytes: number;
  readonly workerMegabytes: readonly number[];
}

export interface WorkerBench {
  readonly system: DistributedSystem;
  readonly key: string;
  readonly processes: BenchProcesses;
  readonly machine: Machine;
}

interface Gateway {
  readonly origin: string;
  readonly workers: readonly number[];
  /** The workers, and what hands their connections out. */
  readonly processes: readonly number[];
}

/** Both gateways stand before nginx and count limits in the system's Redis. */
export async function startWorkerGateways(
  system: DistributedSystem,
  upstreamUrl: string,
): Promise<{ readonly one: ServerProcess; readonly two: ServerProcess }> {
  const start = (workers: number) =>
    system.startGateway({ QUERY_URL: upstreamUrl, GATEWAY_WORKERS: `${workers}` });
  return { one: await start(1), two: await start(WORKERS) };
}

/** All processes of the gateways share one processor, nginx and the load another. */
export async function measureWorkerCost(bench: WorkerBench): Promise<WorkerCost> {
  const { system, key, processes, machine } = bench;
  const upstream = await startNginxUpstream(
    processes,
    machine.nginx,
    path.join(system.folder, 'nginx'),
    machine.loadProcessor,
  );
  const script = path.join(system.folder, 'get.lua');
  writeLoadScript(script, { method: 'GET', path: PATH, headers: { 'x-api-key': key } });
  const started = await startWorkerGateways(system, upstream.url);
  const [one, two] = [gatewayOf(started.one, machine), gatewayOf(started.two, machine)];
  const costs: { one: number; two: number }[] = [];
  for (const gateway of [one, two]) await warmUp(bench, gateway, script);
  for (let round = 0; round < ROUNDS; round++) {
    const cost = { one: 0, two: 0 };
    const gateways = { one, two };
    for (const name of round % 2 === 0 ? (['one', 'two'] as const) : (['two', 'one'] as const)) {
      cost[name] = await costOf(bench, gateways[name], script);
    }
    costs.push(cost);
  }
  return {
    one: median(costs.map((cost) => cost.one)),
    two: median(costs.map((cost) => cost.two)),
    ratio: median(costs.map((cost) => cost.two / cost.one)),
    oneMegabytes: residentMegabytes(one.workers[0] ?? 0),
    workerMegabytes: two.workers.map(residentMegabytes),
  };
}

function gatewayOf({ child, origin }: ServerProcess, { targetProcessor }: Machine): Gateway {
  const first = Number(child.pid);
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', `${first}`], { encoding: 'utf8' });
  const children = stdout.split('\n').filter(Boolean).map(Number);
  const processes = [first, ...children];
  if (targetProcessor !== null) {
    for (const pid of processes) spawnSync('taskset', ['-a', '-c', '-p', `${targetProcessor}`, `${pid}`]);
  }
  return { origin, workers: children.length > 0 ? children : [first], processes };
}

async function warmUp(bench: WorkerBench, gateway: Gateway, script: string): Promise<void> {
  let requests = 0;
  for (let second = 0; second < MOST_WARM_UP_SECONDS * gateway.workers.length; second++) {
    if (requests >= WARM_UP_REQUESTS * gateway.workers.length) return;
    requests += await load(bench, gateway, {
      ...{ script, seconds: 1, connectionsPerWorker: WARM_UP_CONNECTIONS_PER_WORKER },
    });
  }
}

/** CPU microseconds of a request. */
async function costOf(bench: WorkerBench, gateway: Gateway, script: string): Promise<number> {
  const used = () => gateway.processes.reduce((sum, pid) => sum + cpuMicroseconds(pid), 0);
  const before = used();
  const requests = await load(bench, gateway, {
    ...{ script, seconds: SECONDS, connectionsPerWorker: CONNECTIONS_PER_WORKER },
  });
  return (used() - before) / requests;
}

/** Each connection asks again as soon as it is answered; how many requests were answered. @throws Error when one was not */
async function load(
  { processes, machine }: WorkerBench,
  { origin, workers }: Gateway,
  options: { readonly script: string; readonly seconds: number; readonly connectionsPerWorker: number },
): Promise<number> {
  const { script, seconds, connectionsPerWorker } = options;
  const { requests, refused, broken } = await runLoad(processes, {
    script,
    url: origin + PATH,
    seconds,
    connections: connectionsPerWorker * workers.length,
    processor: machine.loadProcessor,
  });
  if (refused + broken > 0) throw new Error(`${refused} requests were refused, ${broken} broke`);
  return requests;
}
