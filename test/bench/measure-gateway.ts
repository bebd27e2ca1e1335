/** The order of events of the gateway bench: the same upstream behind every target, measured in turn in one go. */
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { createApiKeyText } from '../../services/shared/credentials/api-key-text.ts';
import { startBareTarget } from './bare-target.ts';
import type { BenchProcesses } from './bench-processes.ts';
import { startFastifyTarget } from './fastify-target.ts';
import { loadRequests } from './gateway-load.ts';
import { startKrakendTarget, startTraefikTarget } from './go-targets.ts';
import { type HalfLoad, measureHalfLoad, mergeHalfLoads, type WaitsOf } from './half-load.ts';
import { examineMachine, type Machine } from './machine.ts';
import { startNginxLuaTarget } from './nginx-lua-target.ts';
import { startNginxUpstream, type Upstream } from './nginx-upstream.ts';
import { probeTarget } from './probe.ts';
import { busyMicroseconds, cpuMicroseconds, residentMegabytes } from './process-usage.ts';
import { METHODS, type Method, median, type Sample } from './report.ts';
import { installStockTarget, startStockTarget } from './stock-target.ts';
import { MissingRequirement, type RunningTarget, type TargetContext, type TargetName } from './target.ts';
import { startTidegateTarget } from './tidegate-target.ts';
import { runLoad, writeLoadScript } from './wrk-load.ts';

const START: Readonly<Record<TargetName, (context: TargetContext) => Promise<RunningTarget>>> = {
  bare: startBareTarget,
  stock: startStock,
  tidegate: startTidegateTarget,
  fastify: startFastifyTarget,
  'nginx-lua': startNginxLuaTarget,
  traefik: startTraefikTarget,
  krakend: startKrakendTarget,
};

export interface GatewayBench {
  readonly processes: BenchProcesses;
  readonly root: string;
  readonly folder: string;
  readonly targets: readonly TargetName[];
  /** Measured runs of each target with each method, and the seconds of each. */
  readonly runs: number;
  readonly seconds: number;
  /** Rounds whose figures do not count, in which code is compiled and connections are opened. */
  readonly warmUpRounds: number;
  /** Runs at half load of each target and method, and the seconds of each; the medians count. */
  readonly halfLoadRuns: number;
  readonly halfLoadSeconds: number;
  readonly connections: number;
  readonly profileFolder: string | null;
  readonly tell: (text: string) => void;
  /** Told of a target that is missing here and why; absent: a missing one ends the bench. */
  readonly leaveOut?: (target: TargetName, reason: string) => void;
}

export interface GatewayMeasures {
  readonly machine: Machine;
  /** Those that were measured. */
  readonly targets: readonly TargetName[];
  readonly samples: readonly Sample[];
  readonly halfLoads: readonly HalfLoad[];
}

interface Run extends GatewayBench {
  readonly machine: Machine;
  readonly upstream: Upstream;
  readonly apiKey: string;
}

async function startStock(context: TargetContext): Promise<RunningTarget> {
  await installStockTarget(context);
  return startStockTarget(context);
}

const scriptOf = (folder: string, method: Method) => path.join(folder, `${method}.lua`);

/** @throws MissingRequirement when the bench cannot run here */
export async function measureGateway(bench: GatewayBench): Promise<GatewayMeasures> {
  const { processes, folder } = bench;
  const machine = examineMachine();
  const upstreamFolder = path.join(folder, 'nginx');
  const upstream = await startNginxUpstream(processes, machine.nginx, upstreamFolder, machine.loadProcessor);
  const apiKey = createApiKeyText('bench', randomBytes);
  const run: Run = { ...bench, machine, upstream, apiKey };
  const requests = loadRequests(apiKey);
  for (const method of METHODS) writeLoadScript(scriptOf(folder, method), requests[method]);
  const targets: RunningTarget[] = [];
  for (const name of bench.targets) {
    const target = await startTarget(run, name);
    if (target !== null) targets.push(target);
  }
  const samples = await measureAll(run, targets);
  return {
    machine,
    targets: targets.map(({ name }) => name),
    samples,
    halfLoads: bench.halfLoadRuns === 0 ? [] : await measureHalfLoads(run, targets, samples),
  };
}

/** Starts and probes it; null when it is left out. */
async function startTarget(run: Run, name: TargetName): Promise<RunningTarget | null> {
  const folder = path.join(run.folder, name);
  mkdirSync(folder);
  const profile = run.profileFolder;
  try {
    run.tell(`starting ${name}`);
    const target = await START[name]({
      ...{ processes: run.processes, root: run.root, folder, apiKey: run.apiKey },
      upstreamUrl: run.upstream.url,
      processor: run.machine.targetProcessor,
      nodeArguments: profile ? ['--cpu-prof', `--cpu-prof-dir=${path.resolve(profile, name)}`] : [],
    });
    for (const method of METHODS) await probeTarget(target, loadRequests(run.apiKey)[method]);
    return target;
  } catch (error) {
    // What is Tidegate's own is never left out.
    if (run.leaveOut === undefined || name === 'tidegate' || name === 'bare') throw error;
    const text = error instanceof Error ? error.message : String(error);
    run.leaveOut(name, error instanceof MissingRequirement ? text : `${name} did not start here: ${text}`);
    return null;
  }
}

async function measure(run: Run, round: number, target: RunningTarget, method: Method): Promise<Sample> {
  const { machine, processes, upstream } = run;
  target.process.assertRunning();
  const answeredBefore = await upstream.answered();
  const busy = () => (machine.targetProcessor === null ? 0 : busyMicroseconds(machine.targetProcessor));
  const busyBefore = busy();
  const cpuBefore = cpuMicroseconds(target.process.pid);
  const counts = await runLoad(processes, {
    script: scriptOf(run.folder, method),
    url: target.url + loadRequests('')[method].path,
    seconds: run.seconds,
    connections: run.connections,
    processor: machine.loadProcessor,
  });
  target.process.assertRunning();
  const cpu = cpuMicroseconds(target.process.pid) - cpuBefore;
  const others = Math.max(0, busy() - busyBefore - cpu);
  // The question itself is one of the answers.
  const answered = (await upstream.answered()) - answeredBefore - 1;
  const unasked = Math.max(0, counts.requests - answered);
  return {
    round,
    target: target.name,
    method,
    requestsPerSecond: counts.requests / (counts.duration / 1e6),
    cpuMicroseconds: cpu / counts.requests,
    residentMegabytes: residentMegabytes(target.process.pid),
    othersShare: others / counts.duration,
    failures: Math.max(counts.refused + counts.broken, unasked, counts.requests === 0 ? 1 : 0),
  };
}

/** The list with another one first each time, so that what else the machine does falls on all alike. */
function shifted<T>(list: readonly T[], by: number): T[] {
  const shift = by % list.length;
  return [...list.slice(shift), ...list.slice(0, shift)];
}

async function measureAll(run: Run, targets: readonly RunningTarget[]): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (let round = 1 - run.warmUpRounds; round <= run.runs; round++) {
    run.tell(round < 1 ? 'warming up' : `round ${round} of ${run.runs}`);
    for (const method of METHODS) {
      for (const target of shifted(targets, round + run.warmUpRounds)) {
        const sample = await measure(run, round, target, method);
        if (round >= 1) samples.push(sample);
      }
    }
  }
  return samples;
}

/** Each target at half of what it answered at most; the upstream alone at half of what Tidegate did. */
async function measureHalfLoads(
  run: Run,
  targets: readonly RunningTarget[],
  samples: readonly Sample[],
): Promise<HalfLoad[]> {
  const halfOf = (name: TargetName, method: Method) =>
    median(
      samples
        .filter((sample) => sample.target === name && sample.method === method)
        .map(({ requestsPerSecond }) => requestsPerSecond),
    ) / 2;
  const measured: readonly { name: WaitsOf; rateOf: TargetName; url: string }[] = [
    { name: 'upstream', rateOf: 'tidegate', url: run.upstream.url },
    ...targets.map(({ name, url }) => ({ name, rateOf: name, url })),
  ];
  const found: HalfLoad[] = [];
  for (let round = 1; round <= run.halfLoadRuns; round++) {
    run.tell(`waits at half load, ${round} of ${run.halfLoadRuns}`);
    for (const method of METHODS) {
      for (const { name, rateOf, url } of shifted(measured, round)) {
        found.push(
          await measureHalfLoad({
            ...{ processes: run.processes, root: run.root, target: name, url, method },
            request: loadRequests(run.apiKey)[method],
            perSecond: halfOf(rateOf, method),
            seconds: run.halfLoadSeconds,
            connections: run.connections,
            processor: run.machine.loadProcessor,
          }),
        );
      }
    }
  }
  return mergeHalfLoads(found);
}
