/** The ingest bench: durable events per second and CPU per event, through the gateway and straight to the service. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { UsageError } from './bench-options.ts';
import { type BenchProcesses, createBenchProcesses } from './bench-processes.ts';
import { ingestRequest, type LoadShape, nameOf, SHAPES } from './ingest-load.ts';
import { type IngestSample, renderIngestReport, summarizeIngest } from './ingest-report.ts';
import { type IngestRoute, type IngestTarget, ROUTES, startIngestTarget } from './ingest-target.ts';
import { examineMachine, type Machine } from './machine.ts';
import { busyMicroseconds, cpuMicroseconds, residentMegabytes } from './process-usage.ts';
import { MissingRequirement } from './target.ts';
import { type LoadCounts, runLoad, writeLoadScript } from './wrk-load.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const EXIT_FAILED = 1;
const EXIT_UNUSABLE = 2;
/** Questions whether an event is visible, asked while the load runs. */
const VISIBILITY_CHECKS = 10;

const USAGE = `Usage: npm run bench:ingest -- [options]
  --seconds N    length of one measured run, 1..60 (default 3)
  --runs N       measured runs of each load, 1..50 (default 3)
  --profile DIR  write a CPU profile of the server to DIR; its figures are not comparable
  --only TEXT    only loads whose name holds TEXT, such as "gateway arrays"
  --json         print one JSON document instead of the table
  --help         print this`;

interface Run {
  readonly seconds: number;
  readonly processes: BenchProcesses;
  readonly machine: Machine;
  readonly folder: string;
  readonly target: IngestTarget;
}

function readOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: 'string', default: '3' },
      runs: { type: 'string', default: '3' },
      profile: { type: 'string' },
      only: { type: 'string', default: '' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const whole = (name: 'seconds' | 'runs', most: number): number => {
    const value = /^\d{1,2}$/.test(values[name]) ? Number(values[name]) : 0;
    if (value < 1 || value > most) {
      throw new UsageError(`--${name}: "${values[name]}" is not a whole number from 1 to ${most}`);
    }
    return value;
  };
  return { ...values, seconds: whole('seconds', 60), runs: whole('runs', 50) };
}

async function load(run: Run, route: IngestRoute, shape: LoadShape, seconds: number): Promise<LoadCounts> {
  const { target, machine, processes, folder } = run;
  const id = randomBytes(6).toString('hex');
  const script = path.join(folder, `${id}.lua`);
  const request = ingestRequest(shape, id, await target.headers(route));
  writeLoadScript(script, request);
  return runLoad(processes, {
    script,
    url: target.urls[route] + request.path,
    seconds,
    connections: shape.callers,
    processor: machine.loadProcessor,
  });
}

async function measure(run: Run, route: IngestRoute, shape: LoadShape): Promise<IngestSample> {
  const { target, machine } = run;
  target.process.assertRunning();
  const storedBefore = await storedEvents(run);
  const busy = () => (machine.targetProcessor === null ? 0 : busyMicroseconds(machine.targetProcessor));
  const busyBefore = busy();
  const cpuBefore = cpuMicroseconds(target.process.pid);
  const counts = await load(run, route, shape, run.seconds);
  const cpu = cpuMicroseconds(target.process.pid) - cpuBefore;
  const others = Math.max(0, busy() - busyBefore - cpu);
  target.process.assertRunning();
  const answered = (counts.requests - counts.refused) * shape.events;
  const stored = (await storedEvents(run)) - storedBefore;
  return {
    route,
    shape,
    eventsPerSecond: answered / (counts.duration / 1e6),
    cpuMicroseconds: cpu / answered,
    residentMegabytes: residentMegabytes(target.process.pid),
    othersShare: others / counts.duration,
    failures: Math.max(counts.refused + counts.broken, answered - stored, answered === 0 ? 1 : 0),
  };
}

async function ask(run: Run, pathname: string, body: unknown): Promise<unknown> {
  const answer = await fetch(`${run.target.urls.gateway}${pathname}?website_id=web_bench`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(await run.target.headers('gateway')) },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${pathname} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/** A dataset's rows of today; the events of the bench are of now. */
async function rowsOf(run: Run, parameter: string, name?: string): Promise<Record<string, unknown>[]> {
  const filters = name === undefined ? [] : [{ field: 'event_name', op: 'eq', value: name }];
  const query = { parameters: [parameter], preset: 'last_7d', filters };
  const answer = (await ask(run, '/v1/query', query)) as {
    data: { data: Record<string, unknown>[] }[];
  };
  return answer.data[0]?.data ?? [];
}

async function storedEvents(run: Run): Promise<number> {
  const [row] = await rowsOf(run, 'custom_events_summary');
  return Number(row?.total_events ?? 0);
}

/** The longest time from an answer to the first query that shows its event, in milliseconds, while a load runs. */
async function longestToVisible(run: Run): Promise<number> {
  const busy = load(run, 'gateway', { callers: 64, events: 1 }, Math.max(run.seconds, 5));
  let longest = 0;
  for (let check = 0; check < VISIBILITY_CHECKS; check++) {
    const name = `visible ${randomBytes(6).toString('hex')}`;
    await ask(run, '/track', { name, anonymousId: 'visitor' });
    const answered = performance.now();
    while ((await rowsOf(run, 'custom_events', name)).length === 0) {
      if (performance.now() - answered > 60_000) throw new Error('an event was not visible after a minute');
    }
    longest = Math.max(longest, performance.now() - answered);
  }
  await busy;
  return longest;
}

async function bench(args: readonly string[], processes: BenchProcesses, folder: string): Promise<number> {
  const options = readOptions(args);
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  const machine = examineMachine();
  const dataFolder = path.join(folder, 'target');
  mkdirSync(dataFolder);
  const { profile } = options;
  const target = await startIngestTarget({
    processes,
    root: ROOT,
    folder: dataFolder,
    processor: machine.targetProcessor,
    nodeArguments: profile ? ['--cpu-prof', `--cpu-prof-dir=${path.resolve(profile)}`] : [],
  });
  const run: Run = { seconds: options.seconds, processes, machine, folder, target };
  const loads = ROUTES.flatMap((route) => SHAPES.map((shape) => ({ route, shape }))).filter((each) =>
    `${each.route} ${nameOf(each.shape)}`.includes(options.only),
  );
  if (loads.length === 0) throw new UsageError(`--only: no load's name holds "${options.only}"`);
  for (const { route, shape } of loads) await load(run, route, shape, 1);
  const samples: IngestSample[] = [];
  for (let round = 1; round <= options.runs; round++) {
    if (!options.json) console.error(`round ${round} of ${options.runs} …`);
    for (const { route, shape } of loads) samples.push(await measure(run, route, shape));
  }
  const report = summarizeIngest(samples, await longestToVisible(run));
  if (options.json) console.log(JSON.stringify({ node: process.version, ...report }, null, 2));
  else {
    const pinned = machine.targetProcessor === null ? 'not pinned' : 'the server on one processor';
    console.log(
      `\nnode ${process.version}; ${pinned}; median of ${options.runs} runs of ${options.seconds} s\n`,
    );
    console.log(renderIngestReport(report));
  }
  if (report.failures > 0) console.error(`\n${report.failures} failures: the figures do not count.`);
  return report.failures > 0 ? EXIT_FAILED : 0;
}

const processes = createBenchProcesses();
const folder = mkdtempSync(path.join(tmpdir(), 'tidegate-ingest-'));
process.once('SIGINT', () => void processes.stopAll()).once('SIGTERM', () => void processes.stopAll());
try {
  process.exitCode = await bench(process.argv.slice(2), processes, folder);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  if (error instanceof UsageError) console.error(`\n${USAGE}`);
  const isUnusable = error instanceof UsageError || error instanceof MissingRequirement;
  process.exitCode = isUnusable ? EXIT_UNUSABLE : EXIT_FAILED;
} finally {
  await processes.stopAll();
  rmSync(folder, { recursive: true, force: true });
}
