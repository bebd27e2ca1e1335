/** Events on a replica set and on shards: what no lone server can show. The suites run where MONGODB_URI is such a cluster. */
import { expect } from 'chai';
import type { Connection, mongo } from 'mongoose';
import type { EventRecord } from '../../../../../services/shared/model/event-record.ts';
import type { EventStore } from '../../../../../services/shared/ports/event-store.ts';
import { EVENT_COLLECTION } from '../../../../../services/shared/storage/mongodb/event-document.ts';
import { EVENT_ID_COLLECTION } from '../../../../../services/shared/storage/mongodb/event-ids.ts';
import { openConnection } from '../../../../../services/shared/storage/mongodb/open-connection.ts';
import { openMongodbColumns } from '../../../../support/columns/mongodb-columns.ts';
import { eventRecord } from '../../../../support/event-record.ts';
import { mongodbEvents, type TestEvents } from '../../../../support/mongodb/mongodb-events.ts';
import { mongodbKind } from '../../../../support/mongodb/mongodb-server.ts';
import { useMongodb } from '../../../../support/mongodb/use-mongodb.ts';
import { withDatabase } from '../../../../support/mongodb/with-database.ts';
import { type Engines, expectAlike, startEngines } from '../../../../support/query/differential.ts';

/** Appends after each of which a majority is asked: with less than a majority waited for, some would be missing there. */
const APPENDS = 100;
/** Commands that move events between shards take long. */
const SHARDS_MS = 300_000;

const SHARD_KEYS = {
  [EVENT_COLLECTION]: { website_id: 1, timestamp: 1 },
  [EVENT_ID_COLLECTION]: { _id: 'hashed' },
} as const;

type Place = { readonly website_id: string; readonly timestamp: number };

const adminOf = (connection: Connection): mongo.Db => connection.getClient().db('admin');
/** What the server says of itself; by the older name of the command, which every server knows. */
const greetingOf = (connection: Connection) => adminOf(connection).command({ isMaster: 1 });

/** Whether writes are copied: of a sharded cluster each shard is a replica set. */
function isCopied(uri: string): Promise<boolean> {
  return withDatabase(uri, async (connection) => {
    const { msg, setName } = await greetingOf(connection);
    return msg === 'isdbgrid' || setName !== undefined;
  });
}

/** Names of the shards; none where there is no sharded cluster. */
async function shardsOf(connection: Connection): Promise<readonly string[]> {
  if ((await greetingOf(connection)).msg !== 'isdbgrid') return [];
  const { shards } = await adminOf(connection).command({ listShards: 1 });
  return (shards as { readonly _id: string }[]).map(({ _id }) => _id);
}

/** As docs/storage.md says. */
async function shard(connection: Connection, collection: keyof typeof SHARD_KEYS): Promise<void> {
  const admin = adminOf(connection);
  await admin.command({ enableSharding: connection.name });
  await admin.command({
    shardCollection: `${connection.name}.${collection}`,
    key: SHARD_KEYS[collection],
  });
}

/** Splits the events of a website there; what is before goes to the first shard, what follows to the second. */
async function spread(
  connection: Connection,
  middle: Place,
  [first, second]: readonly string[],
): Promise<void> {
  const admin = adminOf(connection);
  const events = `${connection.name}.${EVENT_COLLECTION}`;
  await admin.command({ split: events, middle });
  const before = { ...middle, timestamp: middle.timestamp - 1 };
  await admin.command({ moveChunk: events, find: before, to: first, _waitForDelete: true });
  await admin.command({ moveChunk: events, find: middle, to: second, _waitForDelete: true });
}

describe('events on a cluster of MongoDB', function () {
  this.timeout(SHARDS_MS);
  const server = useMongodb();
  let uri: string;
  let events: TestEvents;
  before(function () {
    if (mongodbKind() === 'mongo-java-server') this.skip();
  });
  beforeEach(() => {
    uri = server.newUri();
    events = mongodbEvents(uri);
  });
  afterEach(() => events.remove());

  it('are on a majority of the servers when they are acknowledged (needs a real MongoDB)', async function () {
    if (!(await isCopied(uri))) this.skip();
    const store = await events.open();
    await withDatabase(uri, async (connection) => {
      const collection = connection.collection(EVENT_COLLECTION);
      for (let i = 0; i < APPENDS; i++) {
        const event_id = `${i}`;
        await store.append([eventRecord({ event_id })]);
        const majority = { readConcern: { level: 'majority' }, readPreference: 'primary' } as const;
        expect(await collection.findOne({ event_id }, majority), event_id).to.not.equal(null);
      }
    });
  });

  it('are stored once by several processes, and asked of the shard that has them alone (needs a real MongoDB)', async function () {
    await withDatabase(uri, async (connection) => {
      const shards = await shardsOf(connection);
      if (shards.length < 2) this.skip();
      const store = await events.open();
      const other = await events.openAnother();
      await shard(connection, EVENT_COLLECTION);
      await shard(connection, EVENT_ID_COLLECTION);
      const place = { website_id: 'web_a', timestamp: 1_000 };
      await spread(connection, place, shards);
      const sent = Array.from({ length: 200 }, (_, i) =>
        eventRecord({ event_id: `${i}`, website_id: 'web_a', timestamp: 900 + i }),
      );
      await Promise.all([store, other].flatMap((one) => sent.map((event) => one.append([event]))));
      const collection = connection.collection(EVENT_COLLECTION);
      expect(await collection.countDocuments({ website_id: 'web_a' })).to.equal(sent.length);
      const later = { website_id: 'web_a', timestamp: { $gte: 1_000, $lt: 2_000 } };
      expect(await collection.countDocuments(later)).to.equal(100);
      const { queryPlanner } = await collection.find(later).explain('queryPlanner');
      expect(queryPlanner.winningPlan).to.include({ stage: 'SINGLE_SHARD' });
      expect(queryPlanner.winningPlan.shards[0]).to.include({ shardName: shards[1] });
    });
  });

  describe('and queries', () => {
    let engines: Engines | null = null;
    afterEach(() => engines?.close());

    /** Columns of events of which each website's lie on two shards. */
    async function openOnShards(shards: readonly string[]): Promise<EventStore> {
      const store = await openMongodbColumns(uri);
      await withDatabase(uri, (connection) => shard(connection, EVENT_COLLECTION));
      return {
        ...store,
        async append(records: readonly EventRecord[]) {
          const outcome = await store.append(records);
          const places = records
            .flatMap(({ website_id, timestamp }) => (website_id === null ? [] : [{ website_id, timestamp }]))
            .sort((a, b) => a.timestamp - b.timestamp);
          const middle = places[Math.floor(places.length / 2)];
          if (middle) await withDatabase(uri, (connection) => spread(connection, middle, shards));
          return outcome;
        },
      };
    }

    it('over two shards give exactly the rows of the table (needs a real MongoDB)', async function () {
      const shards = await withDatabase(uri, shardsOf);
      if (shards.length < 2) this.skip();
      engines = await startEngines({ table: null, columns: () => openOnShards(shards) });
      await expectAlike(engines, { runs: 7, paths: [] });
    });
  });

  it('are kept as durably whatever the connection string asks for (needs a real MongoDB)', async function () {
    if (!(await isCopied(uri))) this.skip();
    const weaker = `${uri}${uri.includes('?') ? '&' : '?'}w=1&journal=false`;
    const connection = await openConnection(weaker, { appName: 'tidegate-test' });
    try {
      const things = connection.collection('things');
      for (let i = 0; i < APPENDS; i++) {
        const { insertedId: _id } = await things.insertOne({});
        const found = await things.findOne({ _id }, { readConcern: { level: 'majority' } });
        expect(found, `${i}`).to.not.equal(null);
      }
    } finally {
      await connection.close();
    }
  });
});
