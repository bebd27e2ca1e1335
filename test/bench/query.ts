/** The query bench: what a batch of five datasets takes in Tidegate, PostgreSQL and SQLite, and what ingest does to it. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from './bench-options.ts';
import { type BenchProcesses, createBenchProcesses } from './bench-processes.ts';
import type { QueryEngine } from './query-engine.ts';
import { generateEvents } from './query-events.ts';
import { startIngest } from './query-ingest.ts';
import { QUERY_USAGE, type QueryOptions, readQueryOptions } from './query-options.ts';
import { measureAgain, measureOverview, type OverviewCost, type OverviewMeasures } from './query-overview.ts';
import { type ComparedTarget, measurePaths, type PathMeasures } from './query-paths.ts';
import { findPostgres, startPostgres } from './query-postgres.ts';
import {
  differenceOf,
  type IngestPhase,
  judge,
  type QuerySample,
  renderQueryReport,
} from './query-report.ts';
import { startSqlite } from './query-sqlite.ts';
import { datesOf, startTidegate, type TidegateEngine } from './query-tidegate.ts';
import { WEBSITES, type Website, type Window, windowBefore } from './query-workload.ts';
import { MissingRequirement } from './target.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const EXIT_FAILED = 1;
const EXIT_UNUSABLE = 2;
const EXIT_INTERRUPTED = 130;
/** A sample is so many batches, or as many as end within this time, but at least one. */
const SAMPLE_BATCHES = 10;
const SAMPLE_MILLISECONDS = 400;
const CUSTOM_QUERIES = 15;
const OVERVIEW_TURNS = 7;
const PATH_TURNS = 5;
/** As shipped. */
const ANSWERS_MB = 32;
const CUSTOM_SQL =
  'SELECT path, count(*) AS views, count(DISTINCT anonymous_id) AS visitors FROM pageviews GROUP BY path ORDER BY views DESC, path LIMIT 20';

/** What a data folder holds. */
interface Loaded {
  readonly events: number;
  readonly arrivalOrder: boolean;
  readonly window: Window;
}

type Tell = (text: string) => void;

async function bench(options: QueryOptions, folder: string, processes: BenchProcesses): Promise<number> {
  const begun = performance.now();
  const tell: Tell = (text) => {
    if (!options.json)
      console.error(`${((performance.now() - begun) / 1_000).toFixed(0).padStart(4)} s  ${text}`);
  };
  if (options.engines.includes('postgresql')) findPostgres();
  const { window } = await loadedEvents(options, folder, tell);
  const started = (answersMb: number) =>
    startTidegate({
      ...{ processes, root: ROOT, folder, window, answersMb },
      nodeArguments: options.profileFolder
        ? ['--cpu-prof', `--cpu-prof-dir=${path.resolve(options.profileFolder)}`]
        : [],
    });
  const tidegate = await started(0);
  const engines: QueryEngine[] = [tidegate];
  try {
    const placeOf = (name: string) => ({
      ...{ processes, folder: path.join(folder, name), textFile: path.join(folder, 'events.tsv') },
      ...{ window, onProgress: tell },
    });
    const postgres = options.engines.includes('postgresql')
      ? await startPostgres(placeOf('postgresql'))
      : null;
    if (postgres !== null) engines.push(postgres);
    if (options.engines.includes('sqlite')) engines.push(await startSqlite(placeOf('sqlite')));
    await requireSameAnswers(engines);
    tell('every engine gives the same answers');
    const samples: QuerySample[] = [];
    for (let round = 0; round <= options.runs; round++) {
      tell(round === 0 ? 'warm-up' : `round ${round} of ${options.runs}`);
      const taken = await measureRound(engines, round);
      // The first one only warms up.
      if (round > 0) samples.push(...taken);
    }
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
    const overview = { ...measured, again: await measureAgainOf(await started(ANSWERS_MB), window) };
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

/** Generates the events, unless the folder holds them. */
async function loadedEvents(options: QueryOptions, folder: string, tell: Tell): Promise<Loaded> {
  const { events, arrivalOrder } = options;
  const marker = path.join(folder, 'loaded.json');
  if (existsSync(marker)) {
    const loaded = JSON.parse(readFileSync(marker, 'utf8')) as Loaded;
    if (loaded.events === events && loaded.arrivalOrder === arrivalOrder) return loaded;
    throw new UsageError(
      `--data: ${folder} holds ${loaded.events} events${loaded.arrivalOrder ? ' in the order of arrival' : ''}; name the same, or another folder`,
    );
  }
  const loaded: Loaded = { events, arrivalOrder, window: windowBefore(Date.now()) };
  let told = 0;
  await generateEvents({
    ...loaded,
    eventsFile: path.join(folder, 'data', 'events.duckdb'),
    textFile: path.join(folder, 'events.tsv'),
    onProgress(part, count) {
      if (count < events && count - told < events / 10) return;
      told = count;
      tell(`${part}: ${count}`);
    },
  });
  tell('Tidegate: stored');
  writeFileSync(marker, JSON.stringify(loaded));
  return loaded;
}

/** A comparison of engines that answer differently would be worth nothing. */
async function requireSameAnswers(engines: readonly QueryEngine[]): Promise<void> {
  const [first, ...others] = engines;
  if (!first) return;
  for (const { websiteId } of WEBSITES) {
    const expected = await first.ask(websiteId);
    for (const other of others) {
      const difference = differenceOf(expected, await other.ask(websiteId));
      if (difference !== null) {
        throw new Error(`${first.name} and ${other.name} differ for ${websiteId}: ${difference}`);
      }
    }
  }
}

/** Each engine with each website; who comes first shifts from round to round. */
async function measureRound(engines: readonly QueryEngine[], round: number): Promise<QuerySample[]> {
  const samples: QuerySample[] = [];
  for (const website of WEBSITES) {
    for (let turn = 0; turn < engines.length; turn++) {
      const engine = engines[(round + turn) % engines.length];
      if (engine) samples.push(await measureSample(engine, website, round));
    }
  }
  return samples;
}

async function measureSample(engine: QueryEngine, website: Website, round: number): Promise<QuerySample> {
  const milliseconds: number[] = [];
  const cpuBefore = engine.cpuMicroseconds();
  const started = performance.now();
  do {
    const before = performance.now();
    await engine.ask(website.websiteId);
    milliseconds.push(performance.now() - before);
  } while (milliseconds.length < SAMPLE_BATCHES && performance.now() - started < SAMPLE_MILLISECONDS);
  const cpuMilliseconds = (engine.cpuMicroseconds() - cpuBefore) / 1_000 / milliseconds.length;
  return { round, engine: engine.name, website: website.name, milliseconds, cpuMilliseconds };
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
