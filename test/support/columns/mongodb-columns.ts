/** An event store whose events lie in MongoDB and are read as columns: half from segments in GridFS, half as they arrived. */
import type { mongo } from 'mongoose';
import type { EventRecord } from '../../../services/shared/model/event-record.ts';
import { SegmentBuilder } from '../../../services/shared/storage/columns/build/segment-builder.ts';
import { ColumnStore } from '../../../services/shared/storage/columns/column-store.ts';
import { type Partition, partitionId } from '../../../services/shared/storage/columns/partition.ts';
import { SegmentMaker } from '../../../services/shared/storage/duckdb/segments/segment-maker.ts';
import { ArrivalReader } from '../../../services/shared/storage/mongodb/arrivals/arrival-reader.ts';
import { arrivalSourceOf } from '../../../services/shared/storage/mongodb/arrivals/arrival-source.ts';
import { ColdDocuments } from '../../../services/shared/storage/mongodb/arrivals/cold-documents.ts';
import { Leases } from '../../../services/shared/storage/mongodb/lease.ts';
import { openConnection } from '../../../services/shared/storage/mongodb/open-connection.ts';
import { SegmentFiles } from '../../../services/shared/storage/mongodb/segments/segment-files.ts';
import { SegmentSets } from '../../../services/shared/storage/mongodb/segments/segment-sets.ts';
import { mongodbEvents } from '../mongodb/mongodb-events.ts';
import { NO_PROFILE_EVENTS } from '../no-profile-events.ts';
import type { ReadableEvents } from '../readable-events.ts';
import { until } from '../until.ts';

const DAY_MS = 86_400_000;

export interface MongodbColumnsOptions {
  /** Whether documents leave of the older half of what lies in segments. Default: none do. */
  readonly goCold?: boolean;
}

/** Over a new database, which is removed at the end. */
export async function openMongodbColumns(
  uri: string,
  { goCold = false }: MongodbColumnsOptions = {},
): Promise<ReadableEvents> {
  const events = mongodbEvents(uri);
  const documents = await events.open({
    segments: { eraseFromSegments: (selection, signal) => builder.eraseFromSegments(selection, signal) },
  });
  const connection = await openConnection(uri, { appName: 'tidegate-test' });
  const client = connection.getClient() as unknown as mongo.MongoClient;
  const database = client.db(connection.name);
  const arrivals = new ArrivalReader(client, database);
  const files = new SegmentFiles(database);
  const sets = new SegmentSets(database);
  const maker = await SegmentMaker.open({ directory: events.directory.file('made'), memoryMb: 128 });
  const coldDocuments = new ColdDocuments(database);
  const builder = new SegmentBuilder({
    arrivals,
    documents: coldDocuments,
    files,
    sets,
    maker,
    leases: new Leases(connection),
  });
  let latest: Promise<unknown> = Promise.resolve();
  /** One after the other, as in the process that builds. */
  const build = (partition: Partition): Promise<void> => {
    const built = latest.then(async () => {
      if (!(await builder.buildPartition(partition))) throw new Error('another process builds');
    });
    latest = built.catch(() => undefined);
    return built;
  };
  const columns = await ColumnStore.open({
    arrivals: arrivalSourceOf(arrivals),
    segments: {
      read: (partition, known) => sets.read(partition, known),
      get: (segment, path, signal) => files.get(segment, path, signal),
    },
    builds: {
      ask: () => undefined,
      first: build,
      damaged: (partition, cause) => {
        throw new Error(`a segment of ${partitionId(partition)} is damaged`, { cause });
      },
    },
    directory: events.directory.file('columns'),
    cacheBytes: 100_000_000,
    memoryLimit: '512MB',
    threads: 1,
    followEveryMs: 0,
  });

  /** Builds what arrived in the partitions of these events. */
  async function buildFor(records: readonly EventRecord[]): Promise<void> {
    for (const partition of partitionsOf(records)) await build(partition);
  }

  /** Waits until the writer has told that they are settled: only then they may leave. */
  async function cool(records: readonly EventRecord[]): Promise<void> {
    const instants = records.map(({ timestamp }) => timestamp).sort((a, b) => a - b);
    const before = instants[Math.ceil(instants.length / 2)];
    if (before === undefined || before === instants[0]) return;
    await until('documents have left', async () => {
      let moved = 0;
      await buildFor(records);
      for (const partition of partitionsOf(records)) {
        for (const now of [0, 2 * DAY_MS]) {
          const outcome = await builder.coolPartition(partition, { before, now, leastEvents: 0.01 });
          moved += outcome?.events ?? 0;
        }
      }
      return moved > 0;
    });
  }

  return {
    profileEvents: NO_PROFILE_EVENTS,
    async append(records) {
      const middle = Math.ceil(records.length / 2);
      const first = await documents.append(records.slice(0, middle));
      await buildFor(records.slice(0, middle));
      if (goCold) await cool(records.slice(0, middle));
      const second = await documents.append(records.slice(middle));
      return { repeats: [...first.repeats, ...second.repeats.map((position) => middle + position)] };
    },
    async run(query, read) {
      if (!read?.reach) throw new TypeError('it reads what a reach names');
      return columns.run(query, { ...read, reach: read.reach });
    },
    erase: (selection, signal) => documents.erase(selection, signal),
    findRepeats: (records) => documents.findRepeats(records),
    ping: () => documents.ping(),
    async close() {
      await columns.close();
      await maker.close();
      await connection.close();
      await events.remove();
    },
  };
}

function partitionsOf(records: readonly EventRecord[]): Partition[] {
  const partitions = new Map<string, Partition>();
  for (const { organization_id: organizationId, website_id: websiteId } of records) {
    const partition = { organizationId, websiteId };
    partitions.set(partitionId(partition), partition);
  }
  return [...partitions.values()];
}
