/** The order of events of the ingest bench: durable events per second and CPU per event, load by load. */
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { BenchProcesses } from './bench-processes.ts';
import { ingestRequest, type LoadShape, nameOf, SHAPES } from './ingest-load.ts';
import type { IngestSample } from './ingest-report.ts';
import { type IngestRoute, type IngestTarget, ROUTES, startIngestTarget } from './ingest-target.ts';
import { examineMachine, type Machine } from './machine.ts';
import { busyMicroseconds, cpuMicroseconds, residentMegabytes } from './process-usage.ts';
import { type LoadCounts, runLoad, writeLoadScript } from './wrk-load.ts';

/** Questions whether an event is visible, asked while the load runs. */
const VISIBILITY_CHECKS = 10;

/** A load, and the way that it takes. */
export interface IngestLoad {
  readonly route: IngestRoute;
  readonly shape: LoadShape;
}

/** Every load of the bench. */
export const LOADS: readonly IngestLoad[] = ROUTES.flatMap((route) =>
  SHAPES.map((shape) => ({ route, shape })),
);
export const nameOfLoad = ({ route, shape }: IngestLoad) => `${route} ${nameOf(shape)}`;

export interface IngestBench {
  readonly processes: BenchProcesses;
  readonly root: string;
  readonly folder: string;
  readonly loads: readonly IngestLoad[];
  /** Measured runs of each load, and the seconds of each. */
  readonly runs: number;
  readonly seconds: number;
  readonly profileFolder: string | null;
  readonly tell: (text: string) => void;
}

export interface IngestMeasures {
  readonly machine: Machine;
  readonly samples: readonly IngestSample[];
  /** The longest time from an answer to the query that showed its event, while events come in. */
  readonly visibleMilliseconds: number;
}

interface Run {
  readonly seconds: number;
  readonly processes: BenchProcesses;
  readonly machine: Machine;
  readonly folder: string;
  readonly target: IngestTarget;
}

/** @throws MissingRequirement when the bench cannot run here */
export async function measureIngest(bench: IngestBench): Promise<IngestMeasures> {
  const { processes, root, folder, seconds, tell } = bench;
  const machine = examineMachine();
  const dataFolder = path.join(folder, 'target');
  mkdirSync(dataFolder);
  const profile = bench.profileFolder;
  const target = await startIngestTarget({
    ...{ processes, root, folder: dataFolder, processor: machine.targetProcessor },
    nodeArguments: profile ? ['--cpu-prof', `--cpu-prof-dir=${path.resolve(profile)}`] : [],
  });
  const run: Run = { seconds, processes, machine, folder, target };
  tell('warming up');
  for (const { route, shape } of bench.loads) await load(run, route, shape, 1);
  const samples: IngestSample[] = [];
  for (let round = 1; round <= bench.runs; round++) {
    tell(`round ${round} of ${bench.runs}`);
    for (const { route, shape } of bench.loads) samples.push(await measure(run, route, shape));
  }
  tell('how soon events are visible');
  return { machine, samples, visibleMilliseconds: await longestToVisible(run) };
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
