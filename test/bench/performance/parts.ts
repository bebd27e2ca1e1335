/** The parts of `npm run bench`: each runs one of the benches with everything that it compares, and sums its samples up. */
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type BenchProcesses, createBenchProcesses } from '../bench-processes.ts';
import type { LoadShape } from '../ingest-load.ts';
import { measureCopy } from '../ingest-postgres.ts';
import { summarizeIngest } from '../ingest-report.ts';
import { measureGateway } from '../measure-gateway.ts';
import { measureIngest } from '../measure-ingest.ts';
import { measureBatches, startEngines } from '../measure-query.ts';
import { KEYS_IN_USE, measureScale } from '../measure-scale.ts';
import { ENGINE_NAMES } from '../query-engine.ts';
import { quantile, timesSlower } from '../query-report.ts';
import { WEBSITES } from '../query-workload.ts';
import { median, summarize } from '../report.ts';
import { MissingRequirement, TARGET_NAMES } from '../target.ts';
import type { GatewayPart, GrowthPart, IngestPart, Part, QueryPart } from './document.ts';
import { ENGINE_TITLES, TARGET_TITLES, whole } from './names.ts';

/** What a part is run with. Its processes end with it. */
export interface PartContext {
  readonly processes: BenchProcesses;
  readonly root: string;
  /** Of its own; the user postgres reaches it. */
  readonly folder: string;
  readonly quick: boolean;
  readonly events: readonly number[];
  readonly tell: (text: string) => void;
  /** Told of a peer that is missing here, and why. */
  readonly leaveOut: (name: string, reason: string) => void;
}

/** What a part measured, without when. */
type Measured<P> = Omit<P, 'about'>;

/** What each part takes about, in seconds, on two quiet processors: for people who wait. */
export const USUAL_SECONDS: Readonly<Record<Part, number>> = {
  gateway: 360,
  growth: 120,
  query: 240,
  ingest: 150,
};

export interface MeasuredParts {
  readonly gateway: Measured<GatewayPart>;
  readonly growth: Measured<GrowthPart>;
  readonly query: Measured<QueryPart>;
  readonly ingest: Measured<IngestPart>;
}

export const MEASURE: {
  readonly [P in Part]: (context: PartContext) => Promise<MeasuredParts[P]>;
} = { gateway: gatewayPart, growth: growthPart, query: queryPart, ingest: ingestPart };

async function gatewayPart(context: PartContext): Promise<Measured<GatewayPart>> {
  const { quick, leaveOut } = context;
  const counts = quick
    ? { runs: 1, seconds: 1, warmUpRounds: 1, halfLoadRuns: 1, halfLoadSeconds: 1 }
    : { runs: 5, seconds: 2, warmUpRounds: 2, halfLoadRuns: 3, halfLoadSeconds: 4 };
  const connections = 64;
  const { targets, samples, halfLoads } = await measureGateway({
    ...{ ...context, ...counts, connections, targets: TARGET_NAMES, profileFolder: null },
    leaveOut: (name, reason) => leaveOut(TARGET_TITLES[name], reason),
  });
  const { rows, othersShare } = summarize(samples, targets);
  const { runs, seconds, halfLoadRuns, halfLoadSeconds } = counts;
  return {
    ...{ runs, seconds, connections, halfLoadRuns, halfLoadSeconds, othersShare },
    rows: rows.map(({ cpuSpread: [least, most], ...row }) => ({ ...row, cpuSpread: [least, most] })),
    halfLoads: [...halfLoads],
  };
}

async function growthPart(context: PartContext): Promise<Measured<GrowthPart>> {
  const counts = context.quick ? { rounds: 1, requests: 500 } : { rounds: 6, requests: 8_000 };
  const one = { routes: 1, keys: 1, organizations: 1 };
  const sizes = context.quick
    ? [one, { routes: 50, keys: 1_000, organizations: 100 }]
    : [
        one,
        { ...one, routes: 1_000 },
        { ...one, keys: 100_000 },
        { ...one, keys: 10_000, organizations: 10_000 },
      ];
  const rows = await measureScale({ ...context, ...counts, sizes });
  return { ...counts, keysInUse: KEYS_IN_USE, rows };
}

async function queryPart(context: PartContext): Promise<Measured<QueryPart>> {
  const runs = context.quick ? 1 : 5;
  const sizes: QueryPart['sizes'] = [];
  for (const events of context.events) {
    const folder = path.join(context.folder, String(events));
    mkdirSync(folder);
    // Each size has processes of its own, which end before the next.
    const processes = createBenchProcesses();
    try {
      sizes.push(await measureSize({ ...context, processes, folder }, events, runs));
    } finally {
      await processes.stopAll();
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return { runs, sizes };
}

async function measureSize(
  context: PartContext,
  events: number,
  runs: number,
): Promise<QueryPart['sizes'][number]> {
  const tell = (text: string) => context.tell(`${whole(events)} events: ${text}`);
  const { engines } = await startEngines({
    ...{ ...context, tell, events, engines: ENGINE_NAMES, arrivalOrder: false, profileFolder: null },
    leaveOut: (name, reason) => context.leaveOut(ENGINE_TITLES[name], reason),
  });
  try {
    const samples = await measureBatches(engines, runs, tell);
    const rows = WEBSITES.flatMap(({ name: website }) =>
      engines.map(({ name: engine }) => {
        const own = samples.filter((sample) => sample.engine === engine && sample.website === website);
        const all = own.flatMap(({ milliseconds }) => milliseconds);
        const elapsed = (sample: (typeof own)[number]) => median(sample.milliseconds);
        return {
          ...{ engine, website, p50: quantile(all, 0.5), p99: quantile(all, 0.99) },
          cpuMilliseconds: median(own.map(({ cpuMilliseconds }) => cpuMilliseconds)),
          toTidegate: timesSlower(samples, engine, website, elapsed) ?? Number.NaN,
        };
      }),
    );
    const megabytes = Object.fromEntries(engines.map((engine) => [engine.name, engine.megabytes()]));
    return { events, rows, megabytes };
  } finally {
    for (const engine of engines) await engine.stop();
  }
}

/** What both stores are asked for; then what only COPY does: many rows in one statement. */
const SHAPES: readonly LoadShape[] = [
  { callers: 1, events: 1 },
  { callers: 64, events: 1 },
  { callers: 16, events: 10 },
  { callers: 16, events: 100 },
];
const BULK: LoadShape = { callers: 1, events: 10_000 };

async function ingestPart(context: PartContext): Promise<Measured<IngestPart>> {
  const counts = context.quick ? { runs: 1, seconds: 1 } : { runs: 3, seconds: 3 };
  const loads = SHAPES.map((shape) => ({ route: 'gateway' as const, shape }));
  // Ends before PostgreSQL begins.
  const own = createBenchProcesses();
  const measured = await measureIngest({
    ...{ ...context, ...counts, processes: own, loads, profileFolder: null },
  }).finally(() => own.stopAll());
  const { rows, othersShare } = summarizeIngest(measured.samples, measured.visibleMilliseconds);
  const tidegate = rows.map(({ shape, spread: [least, most], ...row }) => ({
    ...{ store: 'tidegate' as const, callers: shape.callers, events: shape.events },
    ...{ eventsPerSecond: row.eventsPerSecond, cpuMicroseconds: row.cpuMicroseconds },
    ...{ residentMegabytes: row.residentMegabytes, failures: row.failures },
    spread: [least, most] as [number, number],
  }));
  return {
    ...{ ...counts, othersShare, visibleMilliseconds: measured.visibleMilliseconds },
    rows: [...tidegate, ...(await copyRows(context, measured.machine, counts))],
  };
}

async function copyRows(
  context: PartContext,
  machine: Awaited<ReturnType<typeof measureIngest>>['machine'],
  counts: { readonly runs: number; readonly seconds: number },
): Promise<IngestPart['rows']> {
  const shapes = [...SHAPES, BULK];
  try {
    const samples = await measureCopy({ ...context, ...counts, machine, shapes });
    return shapes.map((shape) => {
      const own = samples.filter((sample) => sample.shape === shape);
      const rates = own.map(({ eventsPerSecond }) => eventsPerSecond);
      return {
        ...{ store: 'postgresql' as const, callers: shape.callers, events: shape.events },
        eventsPerSecond: median(rates),
        spread: [Math.min(...rates), Math.max(...rates)] as [number, number],
        cpuMicroseconds: median(own.map(({ cpuMicroseconds }) => cpuMicroseconds)),
        residentMegabytes: median(own.map(({ residentMegabytes }) => residentMegabytes)),
        failures: own.reduce((sum, { failures }) => sum + failures, 0),
      };
    });
  } catch (error) {
    if (!(error instanceof MissingRequirement)) throw error;
    context.leaveOut('PostgreSQL by COPY', error.message);
    return [];
  }
}
