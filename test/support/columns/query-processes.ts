/**
 * Query processes over a database, and what builds their segments, as a random run needs them: they are cut off and begin
 * anew, builders die in any step, files go bad, old documents leave. What each process shows can be asked at any time.
 */
import { mongo } from 'mongoose';
import { ApiError } from '../../../services/shared/errors/api-error.ts';
import { SegmentBuilder } from '../../../services/shared/storage/columns/build/segment-builder.ts';
import { ColumnStore } from '../../../services/shared/storage/columns/column-store.ts';
import type { Partition } from '../../../services/shared/storage/columns/partition.ts';
import { SegmentMaker } from '../../../services/shared/storage/duckdb/segments/segment-maker.ts';
import { arrivalSourceOf } from '../../../services/shared/storage/mongodb/arrivals/arrival-source.ts';
import type { SegmentEraser } from '../../../services/shared/storage/mongodb/mongodb-event-store.ts';
import {
  type MongodbBuildPorts,
  openBuildPorts,
} from '../../../services/shared/storage/mongodb/segments/open-build-ports.ts';
import { SEGMENT_CHUNK_COLLECTION } from '../../../services/shared/storage/mongodb/segments/segment-files.ts';
import { type FaultProxy, startFaultProxy } from '../fault-proxy.ts';
import { withDatabase } from '../mongodb/with-database.ts';
import { everythingOf } from '../readable-events.ts';
import type { TempDirectory } from '../temp-directory.ts';
import { NO_LEASES } from './segment-workshop.ts';

/** So small that a few events already make several segments, slices and merges. */
const SIZES = { sliceEvents: 40, spanEvents: 60, fanIn: 2, leases: NO_LEASES };
const DAY_MS = 86_400_000;
/** A build takes fewer steps than this: a builder that is to die later ends its work. */
const MOST_STEPS = 12;
/** How often a process is asked again that says it cannot answer now. */
const MOST_TRIES = 20;

/** Instants in epoch milliseconds: from `from` on, before `to`. */
interface InstantRange {
  readonly from: number;
  readonly to: number;
}

const everythingIn = ({ from, to }: InstantRange) =>
  ({
    engine: 'duckdb',
    sql: `SELECT title, event_id, website_id, anonymous_id, path, epoch_ms("timestamp") AS at FROM events
      WHERE epoch_ms("timestamp") >= $from AND epoch_ms("timestamp") < $to`,
    params: { from, to },
  }) as const;

/** A process that answers, behind a network of its own. */
interface QueryProcess {
  readonly proxy: FaultProxy;
  readonly ports: MongodbBuildPorts;
  readonly columns: ColumnStore;
}

export interface QueryProcessesOptions {
  readonly uri: string;
  /** Gets their files. */
  readonly directory: TempDirectory;
  readonly partitions: readonly Partition[];
  /** From 0 to below 1. */
  readonly random: () => number;
}

export class QueryProcesses implements SegmentEraser {
  readonly #options: QueryProcessesOptions;
  readonly #ports: MongodbBuildPorts;
  readonly #maker: SegmentMaker;
  readonly #builder: SegmentBuilder;
  readonly #processes: QueryProcess[] = [];
  /** Engines of builders that died. */
  readonly #left: SegmentMaker[] = [];
  #folders = 0;
  /** Until what was reported as damaged is made anew. */
  #mending: Promise<void> = Promise.resolve();
  /** The latest instant before which documents left. */
  coldBefore = Number.NEGATIVE_INFINITY;

  private constructor(options: QueryProcessesOptions, ports: MongodbBuildPorts, maker: SegmentMaker) {
    this.#options = options;
    this.#ports = ports;
    this.#maker = maker;
    this.#builder = new SegmentBuilder({ ...ports, maker, ...SIZES });
  }

  static async open(count: number, options: QueryProcessesOptions): Promise<QueryProcesses> {
    const ports = await openBuildPorts(options.uri);
    const directory = options.directory.file('builds');
    const processes = new QueryProcesses(
      options,
      ports,
      await SegmentMaker.open({ directory, memoryMb: 128 }),
    );
    for (let i = 0; i < count; i++) processes.#processes.push(await processes.#start());
    return processes;
  }

  /** What may happen to them at any time. */
  get acts(): readonly [string, () => Promise<unknown>][] {
    return [
      ['build', () => this.#builder.buildPartition(this.#partition())],
      ['rebuild', () => this.#builder.rebuildPartition(this.#partition())],
      ['kill a builder', () => this.#killBuilder()],
      ['go cold', () => this.#goCold()],
      ['damage a file', () => this.#damage()],
      ['cut a query off', () => this.#cutOff()],
      ['replace a query process', () => this.#replace()],
    ];
  }

  /** Implements SegmentEraser by the builder of none of the processes. */
  eraseFromSegments(...selection: Parameters<SegmentEraser['eraseFromSegments']>): Promise<number> {
    return this.#builder.eraseFromSegments(...selection);
  }

  /** The events that each process shows, as texts in order; one that says it cannot answer now is asked again. */
  answers(organizationId: string, range: InstantRange): Promise<string[][]> {
    return Promise.all(this.#processes.map((process) => this.#answerOf(process, organizationId, range)));
  }

  /** How many answers were there already. */
  get remembered(): number {
    return this.#processes.reduce((sum, { columns }) => sum + columns.answers.hits, 0);
  }

  async close(): Promise<void> {
    for (const process of this.#processes) await stop(process);
    for (const maker of [this.#maker, ...this.#left]) await maker.close();
    await this.#ports.close();
  }

  async #answerOf({ columns }: QueryProcess, organizationId: string, range: InstantRange): Promise<string[]> {
    const websites = this.#options.partitions.flatMap(({ websiteId }) => websiteId ?? []);
    for (let tries = 1; ; tries++) {
      try {
        const reach = { ...everythingOf(organizationId, ...websites), range };
        const rows = await columns.run(everythingIn(range), { reach });
        return rows.map((row) => JSON.stringify(Object.values(row).map(String))).sort();
      } catch (fault) {
        const isTold = fault instanceof ApiError && fault.kind === 'SERVICE_UNAVAILABLE';
        if (!isTold || tries === MOST_TRIES) throw fault;
        await this.#mending;
      }
    }
  }

  /** A builder is at some step, and does nothing more; the next takes over. */
  async #killBuilder(): Promise<void> {
    const directory = this.#options.directory.file(`killed-${this.#folders++}`);
    const maker = await SegmentMaker.open({ directory, memoryMb: 128 });
    this.#left.push(maker);
    let stepsLeft = this.#below(MOST_STEPS) + 1;
    let die = (): void => undefined;
    const died = new Promise<void>((resolve) => {
      die = resolve;
    });
    const told = async () => {
      if (--stepsLeft > 0) return;
      die();
      await new Promise<never>(() => undefined);
    };
    const killed = new SegmentBuilder({ ...this.#ports, maker, ...SIZES, told });
    await Promise.race([died, this.#changeBy(killed)]);
  }

  #changeBy(builder: SegmentBuilder): Promise<unknown> {
    const partition = this.#partition();
    const works = [
      () => builder.buildPartition(partition),
      () => builder.rebuildPartition(partition),
      () => this.#cool(builder, partition),
    ];
    return (works[this.#below(works.length)] as () => Promise<unknown>)();
  }

  async #goCold(): Promise<void> {
    const partition = this.#partition();
    await this.#builder.buildPartition(partition);
    await this.#cool(this.#builder, partition);
  }

  /** By a plan that is made now and then old enough: what is settled may leave. */
  async #cool(builder: SegmentBuilder, partition: Partition): Promise<void> {
    const before = Date.now() - (10 + this.#below(60)) * DAY_MS;
    this.coldBefore = Math.max(this.coldBefore, before);
    await builder.coolPartition(partition, { before, now: 0, leastEvents: 0.01 });
    await builder.coolPartition(partition, { before, now: 2 * DAY_MS, leastEvents: 0.01 });
  }

  /** A bit of a file flips, or it goes missing. Cold ones are left alone: only a backup restores them. */
  async #damage(): Promise<void> {
    const partition = this.#partition();
    const { segments } = await this.#ports.sets.readState(partition);
    const segment = segments[this.#below(segments.length)];
    if (segment === undefined || segment.cold !== undefined) return;
    await withDatabase(this.#options.uri, async (connection) => {
      const chunks = connection.collection(SEGMENT_CHUNK_COLLECTION);
      const of = { files_id: new mongo.ObjectId(segment.id) };
      const chunk = await chunks.findOne(of);
      if (chunk === null) return;
      const bytes = Buffer.from(chunk.data.buffer);
      bytes.writeUInt8(bytes.readUInt8(50) ^ 1, 50);
      if (this.#options.random() < 0.5) await chunks.deleteMany(of);
      else await chunks.updateOne({ _id: chunk._id }, { $set: { data: bytes } });
    });
  }

  /** Its connections end while it looks for what is new. */
  async #cutOff(): Promise<void> {
    const process = this.#processes[this.#below(this.#processes.length)] as QueryProcess;
    const { organizationId } = this.#partition();
    const answer = this.#answerOf(process, organizationId, { from: 0, to: Date.now() });
    await new Promise((resolve) => setTimeout(resolve, this.#below(20)));
    process.proxy.cut();
    await answer;
  }

  /** The next one finds the files of the former. */
  async #replace(): Promise<void> {
    const index = this.#below(this.#processes.length);
    await stop(this.#processes[index] as QueryProcess);
    this.#processes[index] = await this.#start();
  }

  async #start(): Promise<QueryProcess> {
    const uri = new URL(this.#options.uri);
    const proxy = await startFaultProxy(Number(uri.port));
    uri.port = String(proxy.port);
    const ports = await openBuildPorts(uri.href);
    const columns = await ColumnStore.open({
      arrivals: arrivalSourceOf(ports.arrivals),
      segments: {
        read: (partition, known) => ports.sets.read(partition, known),
        get: (segment, path, signal) => ports.files.get(segment, path, signal),
      },
      builds: {
        ask: () => undefined,
        first: async (partition) => void (await this.#builder.buildPartition(partition)),
        damaged: (partition, { segment }) => {
          const mend = async () => {
            await this.#builder.noteDamage(partition, segment);
            await this.#builder.buildPartition(partition);
          };
          this.#mending = this.#mending.then(mend);
        },
      },
      directory: this.#options.directory.file('queries'),
      cacheBytes: 100_000_000,
      memoryLimit: '256MB',
      threads: 1,
      concurrentQueries: 2,
      answersMb: 8,
      followEveryMs: 0,
    });
    return { proxy, ports, columns };
  }

  #partition(): Partition {
    return this.#options.partitions[this.#below(this.#options.partitions.length)] as Partition;
  }

  #below(count: number): number {
    return Math.floor(this.#options.random() * count);
  }
}

async function stop({ columns, ports, proxy }: QueryProcess): Promise<void> {
  await columns.close();
  await ports.close();
  await proxy.close();
}
