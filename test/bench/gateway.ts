/** The gateway bench: the same upstream behind a bare proxy, stock express-gateway and Tidegate, measured in turn in one go. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createApiKeyText } from '../../services/shared/credentials/api-key-text.ts';
import { startBareTarget } from './bare-target.ts';
import { type BenchOptions, parseBenchOptions, USAGE, UsageError } from './bench-options.ts';
import { type BenchProcesses, createBenchProcesses } from './bench-processes.ts';
import { loadRequests } from './gateway-load.ts';
import { describeMachine, examineMachine, type Machine } from './machine.ts';
import { startNginxUpstream, type Upstream } from './nginx-upstream.ts';
import { probeTarget } from './probe.ts';
import { busyMicroseconds, cpuMicroseconds, residentMegabytes } from './process-usage.ts';
import { METHODS, type Method, renderReport, type Sample, summarize } from './report.ts';
import { installStockTarget, startStockTarget } from './stock-target.ts';
import { MissingRequirement, type RunningTarget, type TargetName } from './target.ts';
import { startTidegateTarget } from './tidegate-target.ts';
import { runLoad, writeLoadScript } from './wrk-load.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Rounds whose figures do not count, in which code is compiled and connections are opened. */
const WARM_UP_ROUNDS = 2;
const EXIT_FAILED = 1;
const EXIT_UNUSABLE = 2;
const EXIT_INTERRUPTED = 130;

const START = { bare: startBareTarget, stock: startStockTarget, tidegate: startTidegateTarget };

interface Run {
  readonly options: BenchOptions;
  readonly machine: Machine;
  readonly processes: BenchProcesses;
  readonly upstream: Upstream;
  readonly folder: string;
}

const scriptOf = (folder: string, method: Method) => path.join(folder, `${method}.lua`);

async function startTargets(run: Run, apiKey: string): Promise<RunningTarget[]> {
  const { options, machine, processes, upstream } = run;
  const targets: RunningTarget[] = [];
  for (const name of options.targets) {
    const folder = path.join(run.folder, name);
    mkdirSync(folder);
    const profile = options.profileFolder;
    targets.push(
      await START[name]({
        processes,
        root: ROOT,
        folder,
        upstreamUrl: upstream.url,
        apiKey,
        processor: machine.targetProcessor,
        nodeArguments: profile ? ['--cpu-prof', `--cpu-prof-dir=${path.resolve(profile, name)}`] : [],
      }),
    );
  }
  return targets;
}

async function measure(run: Run, round: number, target: RunningTarget, method: Method): Promise<Sample> {
  const { options, machine, processes, upstream } = run;
  target.process.assertRunning();
  const answeredBefore = await upstream.answered();
  const busy = () => (machine.targetProcessor === null ? 0 : busyMicroseconds(machine.targetProcessor));
  const busyBefore = busy();
  const cpuBefore = cpuMicroseconds(target.process.pid);
  const counts = await runLoad(processes, {
    script: scriptOf(run.folder, method),
    url: target.url + loadRequests('')[method].path,
    seconds: options.seconds,
    connections: options.connections,
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

/** Every target in turn, in another order each time, so that what else the machine does falls on all alike. */
async function measureAll(run: Run, targets: readonly RunningTarget[]): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (let round = 1 - WARM_UP_ROUNDS; round <= run.options.runs; round++) {
    const shift = (round + WARM_UP_ROUNDS) % targets.length;
    const order = [...targets.slice(shift), ...targets.slice(0, shift)];
    if (!run.options.json) {
      console.error(round < 1 ? 'warming up …' : `round ${round} of ${run.options.runs} …`);
    }
    for (const method of METHODS) {
      for (const target of order) {
        const sample = await measure(run, round, target, method);
        if (round >= 1) samples.push(sample);
      }
    }
  }
  return samples;
}

async function bench(options: BenchOptions, processes: BenchProcesses, folder: string): Promise<number> {
  const machine = examineMachine();
  if (options.targets.includes('stock')) await installStockTarget({ processes, root: ROOT });
  const upstream = await startNginxUpstream(
    processes,
    machine.nginx,
    path.join(folder, 'nginx'),
    machine.loadProcessor,
  );
  const run: Run = { options, machine, processes, upstream, folder };
  const apiKey = createApiKeyText('bench', randomBytes);
  const requests = loadRequests(apiKey);
  for (const method of METHODS) writeLoadScript(scriptOf(folder, method), requests[method]);
  const targets = await startTargets(run, apiKey);
  for (const target of targets) {
    for (const method of METHODS) await probeTarget(target, requests[method]);
  }
  const names: TargetName[] = targets.map((target) => target.name);
  const report = summarize(await measureAll(run, targets), names);
  const where = describeMachine(machine);
  if (options.json) {
    console.log(JSON.stringify({ node: process.version, where, options, ...report }, null, 2));
  } else {
    console.log(
      `\nnode ${process.version}; ${where}\nmedian of ${options.runs} runs of ${options.seconds} s, ${options.connections} connections\n`,
    );
    console.log(renderReport(report));
  }
  if (report.failures > 0) console.error(`\n${report.failures} requests failed: the figures do not count.`);
  return report.failures > 0 ? EXIT_FAILED : 0;
}

async function main(): Promise<number> {
  const options = parseBenchOptions(process.argv.slice(2));
  if (options === null) {
    console.log(USAGE);
    return 0;
  }
  const processes = createBenchProcesses();
  const folder = mkdtempSync(path.join(tmpdir(), 'tidegate-bench-'));
  let interrupted = false;
  const interrupt = () => {
    interrupted = true;
    void processes.stopAll();
  };
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    return await bench(options, processes, folder);
  } catch (error) {
    if (interrupted) return EXIT_INTERRUPTED;
    throw error;
  } finally {
    await processes.stopAll();
    rmSync(folder, { recursive: true, force: true });
  }
}

main().then(
  (status) => {
    process.exitCode = status;
  },
  (error: unknown) => {
    const text = error instanceof Error ? error.message : String(error);
    if (error instanceof UsageError) console.error(`${text}\n\n${USAGE}`);
    else console.error(text);
    process.exitCode =
      error instanceof UsageError || error instanceof MissingRequirement ? EXIT_UNUSABLE : EXIT_FAILED;
  },
);
