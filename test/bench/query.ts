/** The query bench: what a batch of five datasets takes in Tidegate, PostgreSQL and SQLite, and what ingest does to it. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from './bench-options.ts';
import { type BenchProcesses, createBenchProcesses } from './bench-processes.ts';
import { measureBatches, startEngines, type Tell } from './measure-query.ts';
import { startIngest } from './query-ingest.ts';
import { QUERY_USAGE, type QueryOptions, readQueryOptions } from './query-options.ts';
import { measureAgain, measureOverview, type OverviewCost, type OverviewMeasures } from './query-overview.ts';
import { type ComparedTarget, measurePaths, type PathMeasures } from './query-paths.ts';
import { type IngestPhase, judge, renderQueryReport } from './query-report.ts';
import { datesOf, type TidegateEngine } from './query-tidegate.ts';
import { WEBSITES, type Window } from './query-workload.ts';
import { MissingRequirement } from './target.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const EXIT_FAILED = 1;
const EXIT_UNUSABLE = 2;
const EXIT_INTERRUPTED = 130;
const CUSTOM_QUERIES = 15;
const OVERVIEW_TURNS = 7;
const PATH_TURNS = 5;
/** As shipped. */
const ANSWERS_MB = 32;
const CUSTOM_SQL =
  'SELECT path, count(*) AS views, count(DISTINCT anonymous_id) AS visitors FROM pageviews GROUP BY path ORDER BY views DESC, path LIMIT 20';

async function bench(options: QueryOptions, folder: string, processes: BenchProcesses): Promise<number> {
  const begun = performance.now();
  const tell: Tell = (text) => {
    if (!options.json)
      console.error(`${((performance.now() - begun) / 1_000).toFixed(0).padStart(4)} s  ${text}`);
  };
  const started = await startEngines({ ...options, processes, root: ROOT, folder, tell });
  const { engines, tidegate, postgres, window } = started;
  try {
    const samples = await measureBatches(engines, options.runs, tell);
    const megabytes = Object.fromEntries(engines.map((engine) => [engine.name, engine.megabytes()]));
    tell('funnels, retention and the like');
    const paths = await measurePathsOf(tidegate, window, postgres);
    for (const engine of engines) await engine.stop();
    const phases: IngestPhase[] = [];
    for (const clients of options.seconds === 0 ? [] : [1, 4]) {
      tell(`${clients} ${clients === 1 ? 'client queries' : 'clients query'} while events come in`);
      phases.push(await measureUnderIngest(tidegate, clients, options.seconds));
    }
    tell('overview');
    const measured = await measureOverviewOf(tidegate, window);
    tell('custom SQL');
    const custom = await measureCustom(tidegate, window);
    tell('the same overview again');
    await tidegate.target.process.stop();
    const overview = {
      ...measured,
      again: await measureAgainOf(await started.startTidegate(ANSWERS_MB), window),
    };
    const measures = { samples, megabytes, phases, overview, paths, custom };
    const { events, arrivalOrder } = options;
    if (options.json) {
      const about = { node: process.version, events, arrivalOrder, load: loadavg() };
      console.log(JSON.stringify({ ...about, goals: judge(measures), ...measures }, null, 2));
    } else {
      const order = arrivalOrder ? 'in the order of arrival' : 'by website and time';
      const load = loadavg().map((value) => value.toFixed(1));
      console.log(
        `\nnode ${process.version}; ${events} events stored ${order}; load of the machine ${load.join(' ')}\n`,
      );
      console.log(renderQueryReport(measures));
    }
    const failures = phases.reduce((sum, phase) => sum + phase.failures, 0);
    if (failures > 0)
      console.error(`\n${failures} failures while events came in: those figures do not count.`);
    return failures > 0 ? EXIT_FAILED : 0;
  } finally {
    for (const engine of engines) await engine.stop();
  }
}

/** Each client asks for one website after the other, without pause. */
async function measureUnderIngest(
  engine: TidegateEngine,
  clients: number,
  seconds: number,
): Promise<IngestPhase> {
  const ingest = startIngest(engine);
  const queries: IngestPhase['queries'][number][] = [];
  let failures = 0;
  const end = performance.now() + seconds * 1_000;
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (let turn = client; performance.now() < end; turn++) {
        const website = WEBSITES[turn % WEBSITES.length];
        if (!website) break;
        const before = performance.now();
        try {
          await engine.post('/v1/query', website.websiteId, engine.batch);
          queries.push({ website: website.name, milliseconds: performance.now() - before });
        } catch {
          engine.target.process.assertRunning();
          failures++;
        }
      }
    }),
  );
  const eventsPerSecond = await ingest.stop();
  failures += ingest.failures();
  return { clients, queries, appends: ingest.milliseconds, eventsPerSecond, failures };
}

/** The second half of the window of the large website, compared with the first. */
async function measureOverviewOf(engine: TidegateEngine, { from, to }: Window): Promise<OverviewMeasures> {
  const { websiteId } = WEBSITES[0];
  const target = {
    ask: (body: string) => engine.post('/v1/query', websiteId, body),
    firstLine: (body: string) => engine.firstLine(websiteId, body),
    cpuMicroseconds: () => engine.cpuMicroseconds(),
  };
  return measureOverview(target, datesOf({ from: (from + to) / 2, to }), OVERVIEW_TURNS);
}

/** With answers remembered. */
function measureAgainOf(engine: TidegateEngine, { from, to }: Window): Promise<OverviewCost> {
  const { websiteId } = WEBSITES[0];
  const target = {
    ask: (body: string) => engine.post('/v1/query', websiteId, body),
    cpuMicroseconds: () => engine.cpuMicroseconds(),
  };
  return measureAgain(target, datesOf({ from: (from + to) / 2, to }), OVERVIEW_TURNS);
}

/** Over the whole window of the large website. */
function measurePathsOf(
  engine: TidegateEngine,
  window: Window,
  postgres: ComparedTarget | null,
): Promise<PathMeasures> {
  const { websiteId } = WEBSITES[0];
  const target = {
    ask: (body: string) => engine.post('/v1/query', websiteId, body),
    cpuMicroseconds: () => engine.cpuMicroseconds(),
  };
  return measurePaths(target, datesOf(window), PATH_TURNS, postgres);
}

async function measureCustom(engine: TidegateEngine, window: Window): Promise<number[]> {
  const middle = WEBSITES[1];
  const body = JSON.stringify({ sql: CUSTOM_SQL, ...datesOf(window) });
  const milliseconds: number[] = [];
  for (let query = 0; query <= CUSTOM_QUERIES; query++) {
    const before = performance.now();
    await engine.post('/v1/query/custom', middle.websiteId, body);
    // The first one only warms up.
    if (query > 0) milliseconds.push(performance.now() - before);
  }
  return milliseconds;
}

const processes = createBenchProcesses();
const temporary = mkdtempSync(path.join(tmpdir(), 'tidegate-query-'));
// PostgreSQL runs as another user below it.
chmodSync(temporary, 0o755);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await processes.stopAll();
    rmSync(temporary, { recursive: true, force: true });
    process.exit(EXIT_INTERRUPTED);
  });
}
try {
  const options = readQueryOptions(process.argv.slice(2));
  if (options.help) console.log(QUERY_USAGE);
  else {
    const folder = options.dataFolder === null ? temporary : path.resolve(options.dataFolder);
    mkdirSync(folder, { recursive: true });
    process.exitCode = await bench(options, folder, processes);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  if (error instanceof UsageError) console.error(`\n${QUERY_USAGE}`);
  const isUnusable = error instanceof UsageError || error instanceof MissingRequirement;
  process.exitCode = isUnusable ? EXIT_UNUSABLE : EXIT_FAILED;
} finally {
  await processes.stopAll();
  rmSync(temporary, { recursive: true, force: true });
}
