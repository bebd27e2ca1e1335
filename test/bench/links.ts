/** The links bench: redirects of the whole server, their clicks stored, against the gateway alone before an upstream, in turns. */
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { UsageError } from './bench-options.ts';
import type { BenchProcesses } from './bench-processes.ts';
import { LINK, type LinkTarget, startLinkTarget } from './link-target.ts';
import { describeMachine, examineMachine, type Machine } from './machine.ts';
import { startNginxUpstream } from './nginx-upstream.ts';
import { cpuMicroseconds } from './process-usage.ts';
import { runBench } from './run-bench.ts';
import { runLoad, writeLoadScript } from './wrk-load.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Share of the bare gateway's throughput that redirects reach. */
const GOAL = 0.7;
const WARM_UP_ROUNDS = 2;
const CONNECTIONS = 32;
/** Longest wait for the last clicks to be stored, in seconds. */
const LONGEST_WAIT_SECONDS = 60;
const USER_AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

const USAGE = `Usage: npm run bench:links -- [options]
  --seconds N  length of one measured run, 1..60 (default 3)
  --runs N     measured runs of each server, 1..50 (default 7)
  --help       print this`;

interface LinksOptions {
  readonly seconds: number;
  readonly runs: number;
}

/** Null: help is asked for. @throws UsageError */
function readOptions(args: readonly string[]): LinksOptions | null {
  const { values } = readArguments(args);
  if (values.help) return null;
  const whole = (name: keyof LinksOptions, most: number): number => {
    const value = /^\d{1,2}$/.test(values[name]) ? Number(values[name]) : 0;
    if (value < 1 || value > most) {
      throw new UsageError(`--${name}: "${values[name]}" is not a whole number from 1 to ${most}`);
    }
    return value;
  };
  return { seconds: whole('seconds', 60), runs: whole('runs', 50) };
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        seconds: { type: 'string', default: '3' },
        runs: { type: 'string', default: '7' },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

interface Load {
  readonly processes: BenchProcesses;
  readonly machine: Machine;
  readonly script: string;
  readonly seconds: number;
}

interface Sample {
  readonly requests: number;
  /** Requests at most whose answers the load did not read: it stopped, or waited too long. */
  readonly unread: number;
  readonly requestsPerSecond: number;
  readonly cpuMicroseconds: number;
}

async function measure(target: LinkTarget, load: Load): Promise<Sample> {
  const before = cpuMicroseconds(target.process.pid);
  const { requests, duration, refused, broken } = await runLoad(load.processes, {
    script: load.script,
    url: `${target.url}/${LINK.slug}`,
    seconds: load.seconds,
    connections: CONNECTIONS,
    processor: load.machine.loadProcessor,
  });
  target.process.assertRunning();
  if (refused > 0 || requests === 0) throw new Error(`${refused} of ${requests} requests were refused`);
  const cpu = cpuMicroseconds(target.process.pid) - before;
  return {
    requests,
    unread: broken + CONNECTIONS,
    requestsPerSecond: requests / (duration / 1e6),
    cpuMicroseconds: cpu / requests,
  };
}

async function storedClicks({ url, key }: LinkTarget): Promise<number> {
  const response = await fetch(`${url}/v1/query?link_id=${LINK.id}`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ parameters: ['link_total_clicks'], preset: 'last_7d' }),
  });
  const answer = (await response.json()) as { data?: { data: { total: number }[] }[] };
  return answer.data?.[0]?.data[0]?.total ?? 0;
}

/** Every redirect was a click, those that the load did not read too. */
async function expectClicks(target: LinkTarget, redirects: number, unread: number): Promise<void> {
  const deadline = Date.now() + LONGEST_WAIT_SECONDS * 1_000;
  let stored = await storedClicks(target);
  while (stored < redirects && Date.now() < deadline) {
    await delay(500);
    stored = await storedClicks(target);
  }
  console.log(`${redirects} redirects were read, ${stored} clicks are stored`);
  if (stored < redirects || stored > redirects + unread)
    throw new Error('clicks and redirects differ: the figures do not count');
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

async function bench(
  { seconds, runs }: LinksOptions,
  processes: BenchProcesses,
  folder: string,
): Promise<void> {
  const machine = examineMachine();
  const upstream = await startNginxUpstream(
    processes,
    machine.nginx,
    path.join(folder, 'nginx'),
    machine.loadProcessor,
  );
  const start = (name: string, upstreamUrl: string | null) =>
    startLinkTarget({
      processes,
      root: ROOT,
      folder: path.join(folder, name),
      processor: machine.targetProcessor,
      upstreamUrl,
    });
  const gateway = await start('gateway', upstream.url);
  const whole = await start('whole', null);
  const script = path.join(folder, 'follow.lua');
  writeLoadScript(script, { method: 'GET', path: `/${LINK.slug}`, headers: { 'user-agent': USER_AGENT } });

  const first = await fetch(`${whole.url}/${LINK.slug}`, {
    redirect: 'manual',
    headers: { 'user-agent': USER_AGENT },
  });
  if (first.status !== 302 || first.headers.get('location') !== LINK.targetUrl) {
    throw new Error(`the link was answered ${first.status}`);
  }
  let redirects = 1;
  let unread = 0;
  const samples: { readonly gateway: Sample; readonly whole: Sample }[] = [];
  const load: Load = { processes, machine, script, seconds };
  for (let round = 1 - WARM_UP_ROUNDS; round <= runs; round++) {
    let ofGateway = round % 2 === 0 ? await measure(gateway, load) : null;
    const ofWhole = await measure(whole, load);
    ofGateway ??= await measure(gateway, load);
    redirects += ofWhole.requests;
    unread += ofWhole.unread;
    if (round >= 1) samples.push({ gateway: ofGateway, whole: ofWhole });
  }
  await expectClicks(whole, redirects, unread);

  console.log(
    `node ${process.version}; ${describeMachine(machine)}; median of ${runs} rounds of ${seconds} s`,
  );
  for (const name of ['gateway', 'whole'] as const) {
    const rate = median(samples.map((sample) => sample[name].requestsPerSecond));
    const cpu = median(samples.map((sample) => sample[name].cpuMicroseconds));
    console.log(`${name.padEnd(8)} ${rate.toFixed(0)} requests/s, ${cpu.toFixed(1)} µs CPU/request`);
  }
  const cost = median(samples.map((sample) => sample.whole.cpuMicroseconds / sample.gateway.cpuMicroseconds));
  console.log(`a redirect costs ${cost.toFixed(2)} times the CPU of the bare gateway's request`);
  const share = median(
    samples.map((sample) => sample.whole.requestsPerSecond / sample.gateway.requestsPerSecond),
  );
  console.log(
    `redirects reach ${share.toFixed(2)} of the bare gateway's throughput (goal ${GOAL}) ${share >= GOAL ? 'ok' : 'MISSED'}`,
  );
  if (share < GOAL) process.exitCode = 1;
}

await runBench(USAGE, async (args, processes, folder) => {
  const options = readOptions(args);
  if (options === null) console.log(USAGE);
  else await bench(options, processes, folder);
});
