/** The columns of the events in a MongoDB database: opened by the first query, and kept free of what is erased. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { EventRecord } from '../../model/event-record.ts';
import type { EventExporter } from '../../ports/event-export.ts';
import type { CompiledQuery, EventRead, EventSelection, RawRow } from '../../ports/event-store.ts';
import { type AnswerStatus, NO_ANSWERS } from '../answers/remembered-answers.ts';
import { SegmentMaker } from '../duckdb/segments/segment-maker.ts';
import { toStoreError, unavailable } from '../duckdb/store-faults.ts';
import { arrivalSourceOf } from '../mongodb/arrivals/arrival-source.ts';
import { type MongodbBuildPorts, openBuildPorts } from '../mongodb/segments/open-build-ports.ts';
import { SegmentBuilder } from './build/segment-builder.ts';
import { type BuildStatus, NO_BUILDS } from './build-process/build-progress.ts';
import { BuilderProcess } from './build-process/builder-process.ts';
import { type CacheFolder, takeCacheFolder } from './cache-folder.ts';
import { ColumnStore } from './column-store.ts';
import { FreshCounts } from './fresh-counts.ts';

/** Memory of the engine that takes erased events out of segments, in megabytes. */
const ERASURE_MEMORY_MB = 256;

export interface MongodbColumnsOptions {
  readonly uri: string;
  /** A folder on this machine; processes share it, each with folders of its own within. */
  readonly directory: string;
  /** Megabytes of files of segments that a process keeps there. */
  readonly diskMb: number;
  /** Memory of the engine of queries, and of that of builds, in megabytes. */
  readonly memoryMb: number;
  readonly buildMemoryMb: number;
  /** After so many days documents may leave, and segments are the record; null: never. */
  readonly coldAfterDays: number | null;
  /** Megabytes of answers that are kept until an event that they read changes; default 0: none. */
  readonly answersMb?: number;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/** What queries need: the columns, and the process that builds their segments. */
interface Reading {
  readonly columns: ColumnStore;
  readonly builder: BuilderProcess;
}

/** What erasures need. */
interface Erasing {
  readonly folder: CacheFolder;
  readonly maker: SegmentMaker;
  readonly builder: SegmentBuilder;
}

export class MongodbColumns {
  readonly exporter: EventExporter;
  readonly #options: MongodbColumnsOptions;
  readonly #ports = new Opened(() => openBuildPorts(this.#options.uri));
  readonly #reading = new Opened(() => this.#openReading());
  readonly #erasing = new Opened(() => this.#openErasing());
  readonly #fresh: FreshCounts;
  #builder: BuilderProcess | null = null;
  #columns: ColumnStore | null = null;
  #isClosed = false;

  constructor(options: MongodbColumnsOptions) {
    this.#options = options;
    this.#fresh = new FreshCounts(async (counts) => (await this.#ports.get()).sets.addFresh(counts));
    this.exporter = {
      exportEvents: async (selection, signal) =>
        (await this.#read()).columns.exporter.exportEvents(selection, signal),
    };
  }

  /** What its builder does; nothing before the first query. */
  get status(): BuildStatus {
    return this.#builder?.status ?? NO_BUILDS;
  }

  /** Of answers that are remembered; nothing before the first query. */
  get answers(): AnswerStatus {
    return this.#columns?.answers ?? NO_ANSWERS;
  }

  /** Opens what queries need, so that the first one does not wait for it; the first one reports what is wrong. */
  warmUp(): void {
    void this.#read().catch(() => undefined);
  }

  /** Implements `run` of EventStore. */
  async run(query: CompiledQuery, read: EventRead): Promise<readonly RawRow[]> {
    return (await this.#read()).columns.run(query, read);
  }

  /** The websites of an organization of whose events some have no documents any more; null: events without a website. */
  async coldWebsites(organizationId: string): Promise<readonly (string | null)[]> {
    return (await this.#ports.get()).sets.listCold(organizationId);
  }

  /** Counts events that were stored, for whoever builds segments. */
  noteStored(events: readonly EventRecord[]): void {
    this.#fresh.add(events);
  }

  /** Takes events out of segments, whose documents are gone. @throws ApiError SERVICE_UNAVAILABLE, or the signal's reason */
  async eraseFromSegments(selection: EventSelection, signal?: AbortSignal): Promise<number> {
    if (!(await this.#hasSets(selection.organizationId))) return 0;
    return (await this.#erasing.get()).builder.eraseFromSegments(selection, signal);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const reading = await this.#reading.taken();
    await this.#fresh.flush();
    await reading?.columns.close();
    await reading?.builder.close();
    const erasing = await this.#erasing.taken();
    await erasing?.maker.close();
    erasing?.folder.release();
    await (await this.#ports.taken())?.close();
  }

  async #read(): Promise<Reading> {
    if (this.#isClosed) throw unavailable(new Error('the event store is closed'));
    try {
      return await this.#reading.get();
    } catch (fault) {
      throw toStoreError(fault);
    }
  }

  /** Whoever builds the first segments of a partition notes it before it reads documents. */
  async #hasSets(organizationId: string): Promise<boolean> {
    for await (const _ of (await this.#ports.get()).sets.list(organizationId)) return true;
    return false;
  }

  async #openReading(): Promise<Reading> {
    const {
      uri,
      directory,
      diskMb,
      memoryMb,
      buildMemoryMb,
      coldAfterDays,
      answersMb = 0,
      logger,
    } = this.#options;
    const { arrivals, files, sets } = await this.#ports.get();
    const builder = new BuilderProcess({
      uri,
      directory: join(directory, 'builds'),
      memoryMb: buildMemoryMb,
      coldAfterDays,
      logger,
    });
    try {
      const columns = await ColumnStore.open({
        arrivals: arrivalSourceOf(arrivals),
        segments: {
          read: (partition, known) => sets.read(partition, known),
          get: (segment, path, signal) => files.get(segment, path, signal),
        },
        builds: builder,
        directory: join(directory, 'queries'),
        cacheBytes: diskMb * 1_000_000,
        memoryLimit: `${memoryMb}MB`,
        answersMb,
      });
      this.#builder = builder;
      this.#columns = columns;
      return { columns, builder };
    } catch (fault) {
      await builder.close();
      throw unavailable(fault);
    }
  }

  async #openErasing(): Promise<Erasing> {
    const ports: MongodbBuildPorts = await this.#ports.get();
    const folder = await takeCacheFolder(join(this.#options.directory, 'erasures'));
    try {
      const files = join(folder.path, 'files');
      // A killed process may have left some.
      await rm(files, { recursive: true, force: true });
      const maker = await SegmentMaker.open({ directory: files, memoryMb: ERASURE_MEMORY_MB });
      return { folder, maker, builder: new SegmentBuilder({ ...ports, maker }) };
    } catch (fault) {
      folder.release();
      throw fault;
    }
  }
}

/** Something that is opened when it is first needed, and again after a fault. */
class Opened<T> {
  readonly #open: () => Promise<T>;
  #value: Promise<T> | null = null;

  constructor(open: () => Promise<T>) {
    this.#open = open;
  }

  get(): Promise<T> {
    if (this.#value === null) {
      const opening = this.#open();
      this.#value = opening;
      opening.catch(() => {
        if (this.#value === opening) this.#value = null;
      });
    }
    return this.#value;
  }

  /** What was opened; null: nothing was, or it failed. */
  async taken(): Promise<T | null> {
    return (await this.#value?.catch(() => null)) ?? null;
  }
}
