/** Builders of segments over a database of a test: events with stamps go in, and segments are compared with documents. */
import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Connection, mongo } from 'mongoose';
import type { EventRecord } from '../../../services/shared/model/event-record.ts';
import {
  SegmentBuilder,
  type SegmentBuilderOptions,
} from '../../../services/shared/storage/columns/build/segment-builder.ts';
import type { Partition } from '../../../services/shared/storage/columns/partition.ts';
import { isWithin, type Stamp } from '../../../services/shared/storage/columns/positions.ts';
import type { SegmentSet } from '../../../services/shared/storage/columns/segment-set.ts';
import { SegmentMaker } from '../../../services/shared/storage/duckdb/segments/segment-maker.ts';
import { ArrivalReader } from '../../../services/shared/storage/mongodb/arrivals/arrival-reader.ts';
import { ColdDocuments } from '../../../services/shared/storage/mongodb/arrivals/cold-documents.ts';
import {
  EVENT_COLLECTION,
  toEventDocument,
  toEventRecord,
} from '../../../services/shared/storage/mongodb/event-document.ts';
import { EVENT_INDEXES } from '../../../services/shared/storage/mongodb/event-indexes.ts';
import { createIndex } from '../../../services/shared/storage/mongodb/indexes.ts';
import { Leases } from '../../../services/shared/storage/mongodb/lease.ts';
import { openConnection } from '../../../services/shared/storage/mongodb/open-connection.ts';
import { SegmentFiles } from '../../../services/shared/storage/mongodb/segments/segment-files.ts';
import { SEGMENT_INDEXES } from '../../../services/shared/storage/mongodb/segments/segment-indexes.ts';
import { SegmentSets } from '../../../services/shared/storage/mongodb/segments/segment-sets.ts';
import { readSegmentFile } from '../read-segment-file.ts';
import { sortedTexts } from '../segment-events.ts';
import { createTempDirectory, type TempDirectory } from '../temp-directory.ts';

export type WorkshopOptions = Partial<SegmentBuilderOptions>;

/** Leases that are always free: the sets alone then keep builders apart, and nobody waits for a dead holder. */
export const NO_LEASES: SegmentBuilderOptions['leases'] = {
  tryLease: async () => ({ signal: new AbortController().signal, release: async () => undefined }),
};

/** What a process that builds has. */
export interface Bench {
  readonly builder: SegmentBuilder;
  readonly files: SegmentFiles;
  readonly sets: SegmentSets;
  readonly maker: SegmentMaker;
  readonly arrivals: ArrivalReader;
  close(): Promise<void>;
}

/** A builder over the connection, with its files below the folder. */
export async function openBench(
  connection: Connection,
  directory: string,
  options: WorkshopOptions = {},
): Promise<Bench> {
  const client = connection.getClient() as unknown as mongo.MongoClient;
  const database = client.db(connection.name);
  const maker = await SegmentMaker.open({ directory, memoryMb: 128 });
  const parts = {
    arrivals: new ArrivalReader(client, database),
    documents: new ColdDocuments(database, 7),
    files: new SegmentFiles(database),
    sets: new SegmentSets(database),
    maker,
  };
  const builder = new SegmentBuilder({ ...parts, leases: new Leases(connection), ...options });
  return { ...parts, builder, close: () => maker.close() };
}

export class SegmentWorkshop {
  readonly connection: Connection;
  readonly bench: Bench;
  readonly #directory: TempDirectory;
  readonly #benches: Bench[] = [];
  #sequence = 0;
  #benchesOpened = 0;

  private constructor(connection: Connection, bench: Bench, directory: TempDirectory) {
    this.connection = connection;
    this.bench = bench;
    this.#directory = directory;
  }

  /** Over a new database, with the indexes of events and segments. */
  static async open(uri: string, options: WorkshopOptions = {}): Promise<SegmentWorkshop> {
    const connection = await openConnection(uri, { appName: 'tidegate-test' });
    for (const index of [...EVENT_INDEXES, ...SEGMENT_INDEXES]) await createIndex(connection, index);
    const directory = createTempDirectory();
    const bench = await openBench(connection, directory.file('segments'), options);
    return new SegmentWorkshop(connection, bench, directory);
  }

  /** A further builder, as another process would have it. */
  async openAnother(options: WorkshopOptions = {}): Promise<Bench> {
    const bench = await openBench(this.connection, this.folder(), options);
    this.#benches.push(bench);
    return bench;
  }

  /** A folder that nothing else uses. */
  folder(): string {
    return this.#directory.file(`bench-${this.#benchesOpened++}`);
  }

  async close(): Promise<void> {
    await Promise.all([this.bench, ...this.#benches].map((bench) => bench.close()));
    await this.connection.dropDatabase();
    await this.connection.close();
    this.#directory.remove();
  }

  /** Stores the events as one group of a writer; without `stamp`, as the next group of writer 1, and settles it. */
  async store(events: readonly EventRecord[], stamp?: Stamp): Promise<void> {
    const { writer, sequence } = stamp ?? { writer: 1, sequence: ++this.#sequence };
    const stamped = writer === null ? {} : { writer, sequence };
    const documents = events.map((event) => ({ ...toEventDocument(event), ...stamped }));
    if (documents.length > 0) await this.connection.collection(EVENT_COLLECTION).insertMany(documents);
    if (stamp === undefined) await this.settle(1, this.#sequence);
  }

  /** Every file in the database, named or not. */
  async storedFiles(): Promise<string[]> {
    const ids: string[] = [];
    for await (const { id } of this.bench.files.list()) ids.push(id);
    return ids;
  }

  /** The groups of a writer up to this number have ended. */
  async settle(writer: number, settled: number, closed = false): Promise<void> {
    const state = { settled, closed, recheck: 0, at: new Date() };
    await this.connection
      .collection<{ _id: number }>('event_writers')
      .updateOne({ _id: writer }, { $set: state, $inc: { beats: 1 } }, { upsert: true });
  }

  async set(partition: Partition): Promise<SegmentSet> {
    const set = await this.bench.sets.read(partition);
    if (set === null || set === 'unchanged') throw new Error('nothing is visible');
    return set;
  }

  /** The events of all visible segments, each file as its name, bytes and instants promise. */
  async segmentEvents(partition: Partition): Promise<EventRecord[]> {
    const events: EventRecord[] = [];
    const path = this.#directory.file('looked-at.parquet');
    for (const segment of (await this.set(partition)).segments) {
      await this.bench.files.get(segment, path);
      const read = await readSegmentFile(path);
      expect(read.length, 'rows').to.equal(segment.rows);
      expect([read[0]?.timestamp, read.at(-1)?.timestamp]).to.deep.equal([segment.from, segment.to]);
      events.push(...read);
    }
    writeFileSync(path, '');
    return events;
  }

  /** Holds the visible segments to the documents within what they cover: each in exactly one of them, whole. */
  async expectWhole(partition: Partition): Promise<void> {
    const { covered } = await this.set(partition);
    const { organizationId: organization_id, websiteId: website_id } = partition;
    const stored = await this.connection
      .collection(EVENT_COLLECTION)
      .find({ organization_id, website_id })
      .toArray();
    const within = stored.filter(({ writer = null, sequence = null }) =>
      isWithin({ writer, sequence }, covered),
    );
    const expected = within.map((document) => toEventRecord(document as never));
    expect(sortedTexts(await this.segmentEvents(partition))).to.deep.equal(sortedTexts(expected));
  }
}
