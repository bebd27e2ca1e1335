/**
 * What the bench of columns measures: the first answer of a website when nothing is built and when no segment is here,
 * every dataset beside the embedded table once all is warm, and what events cost that are not in segments yet.
 */
import type { EventStore } from '../../services/shared/ports/event-store.ts';
import { ColumnEventStore } from '../../services/shared/storage/columns/column-event-store.ts';
import { ColumnStore } from '../../services/shared/storage/columns/column-store.ts';
import { MongodbColumns } from '../../services/shared/storage/columns/mongodb-columns.ts';
import type { ArrivalSource } from '../../services/shared/storage/columns/sources.ts';
import { createDuckDbEventStore } from '../../services/shared/storage/duckdb/duckdb-event-store.ts';
import { arrivalSourceOf } from '../../services/shared/storage/mongodb/arrivals/arrival-source.ts';
import { EVENT_COLLECTION } from '../../services/shared/storage/mongodb/event-document.ts';
import { createMongodbEventStore } from '../../services/shared/storage/mongodb/mongodb-event-store.ts';
import { openConnection } from '../../services/shared/storage/mongodb/open-connection.ts';
import { SegmentWorkshop } from '../support/columns/segment-workshop.ts';
import { asked, datasetNames } from '../support/query/asked-datasets.ts';
import { type StartedQueryService, startQueryService } from '../support/query/start-query-service.ts';
import { createTempDirectory } from '../support/temp-directory.ts';
import { freshEvents, generateWebsite, PARTITION } from './column-events.ts';
import { type Window, windowBefore } from './query-workload.ts';
import { median } from './report.ts';

const DATASETS = datasetNames();
/** Fresh events of one append. */
const FRESH_GROUP = 100;

export interface ColumnsBenchOptions {
  /** A database that holds nothing yet. */
  readonly uri: string;
  readonly events: number;
  readonly fresh: number;
  readonly rounds: number;
  /** Told what is under way. */
  readonly told: (text: string) => void;
}

/** Of one dataset, in milliseconds: medians, without the look at the database for what is new. */
export interface DatasetTimes {
  readonly name: string;
  readonly table: number;
  readonly columns: number;
  /** With fresh events beside the segments. */
  readonly fresh: number;
}

export interface ColumnsMeasures {
  /** Milliseconds until the first answer, from documents alone and from segments alone. */
  readonly rebuiltMs: number;
  readonly firstMs: number;
  readonly segments: number;
  readonly bytesPerEvent: number;
  readonly datasets: readonly DatasetTimes[];
  /** The look at the database, without and with fresh events, in milliseconds: the server's share of every query. */
  readonly lookMs: number;
  readonly freshLookMs: number;
  /** The first query that sees the fresh events, in milliseconds. */
  readonly caughtUpMs: number;
}

export async function measureColumns(options: ColumnsBenchOptions): Promise<ColumnsMeasures> {
  const { uri, events, fresh, rounds, told } = options;
  const window = windowBefore(Date.now());
  const directory = createTempDirectory();
  const ends: (() => Promise<unknown>)[] = [];
  const serve = async (openEvents: () => Promise<EventStore>, looks = new Looks()) => {
    const service = await startQueryService({ log: [], now: Date.now(), openEvents });
    ends.unshift(() => service.close());
    return new Asker(service, window, looks);
  };
  try {
    const shop = await SegmentWorkshop.open(uri);
    ends.unshift(() => shop.close());
    const path = directory.file('events.duckdb');
    let stored = 0;
    await generateWebsite(path, events, window, async (batch) => {
      await shop.store(batch);
      stored += batch.length;
      if (stored % 200_000 === 0) told(`${stored} events stored`);
    });
    const keeper = async () =>
      createMongodbEventStore({ connection: await openConnection(uri, { appName: 'tidegate-bench' }) });

    told('segments are built');
    const building = new MongodbColumns({
      ...{ uri, directory: directory.file('built'), diskMb: 2_000, memoryMb: 1_024, buildMemoryMb: 512 },
      ...{ coldAfterDays: null, logger: { info() {}, warn() {} } },
    });
    const rebuilt = await serve(async () => new ColumnEventStore(await keeper(), building));
    const rebuiltMs = await rebuilt.untilAnswered();
    await building.close();
    const { segments } = await shop.set(PARTITION);
    // They are in segments, and no query reads them again. The independent server would look at each of them all the same.
    await shop.connection.collection(EVENT_COLLECTION).deleteMany({});

    const looks = new Looks();
    const store = await openColumns(shop, directory.file('columns'), looks);
    ends.unshift(() => store.close());
    const columns = await serve(async () => new ColumnEventStore(await keeper(), columnsOf(store)), looks);
    const firstMs = await columns.time('summary_metrics');

    told('all is warm');
    const table = await serve(() => createDuckDbEventStore({ path }));
    const [ofTable = [], ofColumns = []] = await medians([table, columns], rounds);
    const lookMs = looks.take();

    told('events are fresh');
    const late = await freshEvents(fresh, window);
    for (let from = 0; from < late.length; from += FRESH_GROUP)
      await shop.store(late.slice(from, from + FRESH_GROUP));
    const caughtUpMs = await columns.time('summary_metrics');
    looks.take();
    const [ofFresh = []] = await medians([columns], rounds);
    const freshLookMs = looks.take();
    const datasets = DATASETS.map((name, i) => ({
      name,
      table: ofTable[i] ?? Number.NaN,
      columns: ofColumns[i] ?? Number.NaN,
      fresh: ofFresh[i] ?? Number.NaN,
    }));
    const bytes = segments.reduce((sum, segment) => sum + segment.bytes, 0);
    return {
      ...{ rebuiltMs, firstMs, datasets, lookMs, freshLookMs, caughtUpMs },
      ...{ segments: segments.length, bytesPerEvent: bytes / events },
    };
  } finally {
    for (const end of ends) await end();
    directory.remove();
  }
}

/** How long the looks at the database for what is new took: the independent server reads every event for each of them. */
class Looks {
  /** Milliseconds of all looks. */
  spentMs = 0;
  #each: number[] = [];

  /** The same source, whose reads are measured. */
  measured(source: ArrivalSource): ArrivalSource {
    const noted = (ms: number) => {
      this.spentMs += ms;
      this.#each.push(ms);
    };
    return {
      writers: (signal) => source.writers(signal),
      async *read(...asked) {
        const began = performance.now();
        yield* source.read(...asked);
        noted(performance.now() - began);
      },
    };
  }

  /** The median of those since the last call. */
  take(): number {
    return median(this.#each.splice(0));
  }
}

/** Over what is built: what is fresh stays so. */
function openColumns({ bench: { arrivals, sets, files } }: SegmentWorkshop, directory: string, looks: Looks) {
  return ColumnStore.open({
    arrivals: looks.measured(arrivalSourceOf(arrivals)),
    segments: {
      read: (partition, known) => sets.read(partition, known),
      get: (segment, path, signal) => files.get(segment, path, signal),
    },
    builds: {
      ask: () => undefined,
      first: () => Promise.reject(new Error('nothing is built')),
      damaged: (_, fault) => {
        throw fault;
      },
    },
    directory,
    cacheBytes: 2_000_000_000,
  });
}

function columnsOf(store: ColumnStore): ConstructorParameters<typeof ColumnEventStore>[1] {
  return {
    run: (query, read) => {
      if (!read.reach) throw new TypeError('it reads what a reach names');
      return store.run(query, { ...read, reach: read.reach });
    },
    exporter: store.exporter,
    noteStored: () => undefined,
    coldWebsites: async () => [],
  };
}

/**
 * Of each service, for each dataset; they take turns, and the first round, which warms up, does not count.
 * @throws Error when they answer differently: their times would say nothing
 */
async function medians(services: readonly Asker[], rounds: number): Promise<number[][]> {
  const times = services.map(() => DATASETS.map((): number[] => []));
  for (let round = 0; round <= rounds; round++) {
    for (const [dataset, name] of DATASETS.entries()) {
      const answers: string[] = [];
      for (const [place, service] of services.entries()) {
        const { ms, rows } = await service.ask(name);
        if (round > 0) times[place]?.[dataset]?.push(ms);
        else answers.push(JSON.stringify(rows));
      }
      if (new Set(answers).size > 1) throw new Error(`${name}: the table and the columns differ`);
    }
  }
  return times.map((each) => each.map(median));
}

class Asker {
  readonly #service: StartedQueryService;
  readonly #looks: Looks;
  readonly #dates: { readonly startDate: string; readonly endDate: string };

  constructor(service: StartedQueryService, { from, to }: Window, looks: Looks) {
    this.#service = service;
    this.#looks = looks;
    const day = (at: number) => new Date(at).toISOString().slice(0, 10);
    this.#dates = { startDate: day(from), endDate: day(to) };
  }

  /** Milliseconds that a dataset takes, its look at the database included. @throws Error when it fails */
  async time(name: string): Promise<number> {
    const began = performance.now();
    await this.ask(name);
    return performance.now() - began;
  }

  /** Milliseconds that a dataset takes without its look at the database, and its rows. @throws Error when it fails */
  async ask(name: string): Promise<{ readonly ms: number; readonly rows: unknown }> {
    const { spentMs } = this.#looks;
    const began = performance.now();
    const { status, body } = await this.#service.query({ parameters: [asked(name)], ...this.#dates });
    const took = performance.now() - began - (this.#looks.spentMs - spentMs);
    const [result] = (body.results ?? body.data ?? []) as {
      success: boolean;
      error?: string;
      data: unknown;
    }[];
    if (!result?.success) throw new Error(`${name}: ${status} ${result?.error ?? JSON.stringify(body)}`);
    return { ms: took, rows: result.data };
  }

  /** Milliseconds until there are segments: a query that waited in vain for them is sent again. */
  async untilAnswered(): Promise<number> {
    const began = performance.now();
    for (;;) {
      const body = { parameters: ['summary_metrics'], ...this.#dates };
      const { status } = await this.#service.query(body);
      if (status === 200) return performance.now() - began;
      if (status !== 503) throw new Error(`the first query answered ${status}`);
    }
  }
}
