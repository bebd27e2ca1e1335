/** The engines of the query bench over the same events, and what a batch takes in each of them, measured in turn. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from './bench-options.ts';
import type { BenchProcesses } from './bench-processes.ts';
import { findPostgres } from './postgres-cluster.ts';
import { startClickhouse } from './query-clickhouse.ts';
import type { EngineName, QueryEngine } from './query-engine.ts';
import { generateEvents } from './query-events.ts';
import { type PostgresEngine, startPostgres } from './query-postgres.ts';
import { differenceOf, type QuerySample } from './query-report.ts';
import { startSqlite } from './query-sqlite.ts';
import { startTidegate, type TidegateEngine } from './query-tidegate.ts';
import { WEBSITES, type Website, type Window, windowBefore } from './query-workload.ts';

/** A sample is so many batches, or as many as end within this time, but at least one. */
const SAMPLE_BATCHES = 10;
const SAMPLE_MILLISECONDS = 400;

/** What a data folder holds. */
interface Loaded {
  readonly events: number;
  readonly arrivalOrder: boolean;
  readonly window: Window;
}

export type Tell = (text: string) => void;

export interface EnginesOptions {
  readonly processes: BenchProcesses;
  readonly root: string;
  /** For what is loaded. As root it must be reachable for the user postgres. */
  readonly folder: string;
  readonly events: number;
  readonly arrivalOrder: boolean;
  readonly engines: readonly EngineName[];
  /** Folder for a CPU profile of Tidegate; null: none. */
  readonly profileFolder: string | null;
  readonly tell: Tell;
  /** Told of an engine that is missing here and why; absent: a missing one ends the bench. */
  readonly leaveOut?: (engine: EngineName, reason: string) => void;
}

export interface StartedEngines {
  /** Tidegate first. */
  readonly engines: readonly QueryEngine[];
  readonly tidegate: TidegateEngine;
  readonly postgres: PostgresEngine | null;
  readonly window: Window;
  /** Another one, with so many megabytes of remembered answers, once the first has ended. */
  startTidegate(answersMb: number): Promise<TidegateEngine>;
}

/** Generates the events, unless the folder holds them, and starts each engine over them. @throws MissingRequirement */
export async function startEngines(options: EnginesOptions): Promise<StartedEngines> {
  const { processes, root, folder, tell, leaveOut } = options;
  if (options.engines.includes('postgresql') && leaveOut === undefined) findPostgres();
  const { window } = await loadedEvents(options);
  const start = (answersMb: number) =>
    startTidegate({
      ...{ processes, root, folder, window, answersMb },
      nodeArguments: options.profileFolder
        ? ['--cpu-prof', `--cpu-prof-dir=${path.resolve(options.profileFolder)}`]
        : [],
    });
  const tidegate = await start(0);
  const engines: QueryEngine[] = [tidegate];
  const started = async <E extends QueryEngine>(
    name: EngineName,
    startIn: (place: {
      processes: BenchProcesses;
      root: string;
      folder: string;
      textFile: string;
      window: Window;
      onProgress: Tell;
    }) => Promise<E>,
  ): Promise<E | null> => {
    if (!options.engines.includes(name)) return null;
    const textFile = path.join(folder, 'events.tsv');
    const place = { processes, root, folder: path.join(folder, name), textFile, window, onProgress: tell };
    try {
      const engine = await startIn(place);
      engines.push(engine);
      return engine;
    } catch (error) {
      if (leaveOut === undefined) throw error;
      leaveOut(name, error instanceof Error ? error.message : String(error));
      return null;
    }
  };
  const postgres = await started('postgresql', startPostgres);
  await started('sqlite', startSqlite);
  await started('clickhouse', startClickhouse);
  return { engines, tidegate, postgres, window, startTidegate: start };
}

/** The samples of so many rounds; one before them only warms up. @throws when two engines answer differently */
export async function measureBatches(
  engines: readonly QueryEngine[],
  runs: number,
  tell: Tell,
): Promise<QuerySample[]> {
  await requireSameAnswers(engines);
  tell('every engine gives the same answers');
  const samples: QuerySample[] = [];
  for (let round = 0; round <= runs; round++) {
    tell(round === 0 ? 'warm-up' : `round ${round} of ${runs}`);
    const taken = await measureRound(engines, round);
    if (round > 0) samples.push(...taken);
  }
  return samples;
}

/** Generates the events, unless the folder holds them. */
async function loadedEvents({ events, arrivalOrder, folder, tell }: EnginesOptions): Promise<Loaded> {
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
