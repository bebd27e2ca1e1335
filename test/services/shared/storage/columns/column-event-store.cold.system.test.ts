/** Events without documents, as callers see them: answers, people, repeats and erasure are what they were before. */
import { expect } from 'chai';
import { mongo } from 'mongoose';
import { SegmentBuilder } from '../../../../../services/shared/storage/columns/build/segment-builder.ts';
import { ColumnEventStore } from '../../../../../services/shared/storage/columns/column-event-store.ts';
import { MongodbColumns } from '../../../../../services/shared/storage/columns/mongodb-columns.ts';
import { SegmentMaker } from '../../../../../services/shared/storage/duckdb/segments/segment-maker.ts';
import { openBuildPorts } from '../../../../../services/shared/storage/mongodb/segments/open-build-ports.ts';
import { SEGMENT_FILE_COLLECTION } from '../../../../../services/shared/storage/mongodb/segments/segment-files.ts';
import { eventRecord } from '../../../../support/event-record.ts';
import { mongodbEvents, type TestEvents } from '../../../../support/mongodb/mongodb-events.ts';
import { useMongodb } from '../../../../support/mongodb/use-mongodb.ts';
import { withDatabase } from '../../../../support/mongodb/with-database.ts';
import { everythingOf } from '../../../../support/readable-events.ts';
import { rejection } from '../../../../support/rejection.ts';
import { createTempDirectory, type TempDirectory } from '../../../../support/temp-directory.ts';
import { until } from '../../../../support/until.ts';

const REACH = everythingOf('org_a', 'web_a', 'web_b');
const IDS = { engine: 'duckdb', sql: 'SELECT event_id FROM events ORDER BY event_id', params: {} } as const;
const LIMITS = { diskMb: 100, memoryMb: 256, buildMemoryMb: 128, coldAfterDays: null };
const LOGGER = { info() {}, warn() {} };
const DAY = 86_400_000;
const COLD = { organizationId: 'org_a', websiteId: 'web_a' };

describe('events of MongoDB that have gone cold', function () {
  this.timeout(180_000);
  const mongodb = useMongodb();
  let events: TestEvents;
  let directory: TempDirectory;
  let columns: MongodbColumns;
  let store: ColumnEventStore;

  const record = (event_id: string, timestamp: number, overrides = {}) =>
    eventRecord({ event_id, organization_id: 'org_a', website_id: 'web_a', timestamp, ...overrides });
  const LOG = [
    record('a', 1_000, { anonymous_id: 'ann', profile_id: 'p1' }),
    record('b', 2_000, { anonymous_id: 'bob', is_keyless: true, profile_id: 'p2' }),
    record('c', 3_000, { anonymous_id: 'ann' }),
    record('d', 9_000, { anonymous_id: 'ann', profile_id: 'p1' }),
    record('e', 1_500, { website_id: 'web_b', anonymous_id: 'ann', profile_id: 'p1' }),
    record('f', 1_700, { website_id: null, anonymous_id: 'ann', profile_id: 'p1' }),
    record('g', 1_800, { website_id: 'web_b', anonymous_id: 'bob', profile_id: 'p2' }),
  ];

  beforeEach(async () => {
    events = mongodbEvents(mongodb.newUri());
    directory = createTempDirectory();
    await events.open();
    columns = new MongodbColumns({
      uri: events.uri,
      directory: directory.file('columns'),
      ...LIMITS,
      logger: LOGGER as never,
    });
    store = new ColumnEventStore(await events.openAnother({ segments: columns }), columns);
    await store.append(LOG);
  });
  afterEach(async () => {
    await columns.close();
    await events.remove();
    directory.remove();
  });

  /** Of web_a everything before the instant. */
  async function cool(before: number): Promise<void> {
    const ports = await openBuildPorts(events.uri);
    const maker = await SegmentMaker.open({ directory: directory.file('made'), memoryMb: 128 });
    try {
      const builder = new SegmentBuilder({ ...ports, maker });
      // What has just been stored is settled, and so may leave, once its writer says so.
      await until('the events have gone cold', async () => {
        await builder.buildPartition(COLD);
        await builder.coolPartition(COLD, { before, now: 0, leastEvents: 0.01 });
        const moved = await builder.coolPartition(COLD, { before, now: 2 * DAY, leastEvents: 0.01 });
        return (moved?.events ?? 0) > 0;
      });
    } finally {
      await maker.close();
      await ports.close();
    }
  }
  const found = async (range: { from: number; to: number } | null = null) =>
    (await store.run(IDS, { reach: { ...REACH, range } })).map(({ event_id }) => event_id).join('');
  const left = () =>
    withDatabase(events.uri, async (connection) =>
      (await connection.collection('events').find({}).toArray())
        .map((event) => event.event_id)
        .sort()
        .join(''),
    );

  it('are in every answer, beside late ones', async () => {
    await cool(5_000);
    expect(await left()).to.equal('defg');
    expect(await found()).to.equal('abcdefg');
    await store.append([record('h', 2_500)]);
    expect(await found()).to.equal('abcdefgh');
  });

  it('tell of people what their documents told', async () => {
    const everything = async () => {
      const people = store.profileEvents;
      const scopes = [null, ['web_a'], ['web_b', 'web_a'], ['web_b']];
      const told: unknown[] = [];
      for (const profileId of ['p1', 'p2', 'p3']) {
        for (const websiteIds of scopes) {
          const scope = { organizationId: 'org_a', websiteIds, profileId };
          told.push(await people.visitors(scope, { limit: 10 }), await people.visitors(scope, { limit: 1 }));
          const after = { websiteId: 'web_a', anonymousId: 'ann' };
          told.push(await people.visitors(scope, { limit: 2, after }));
          const visitors = ['web_a', 'web_b'].flatMap((websiteId) =>
            ['ann', 'bob'].map((anonymousId) => ({ websiteId, anonymousId })),
          );
          const keyed = await people.keyedToOthers(scope, visitors);
          told.push(keyed.map(({ websiteId, anonymousId }) => `${websiteId} ${anonymousId}`).sort());
          const unnamed = [{ websiteId: null, visitors: ['ann'] }];
          told.push(await people.counts(scope, unnamed), await people.counts(scope, []));
        }
      }
      return told;
    };
    const before = await everything();
    expect(before.flat().length).to.be.above(40);
    await cool(5_000);
    expect(await left()).to.equal('defg');
    expect(await everything()).to.deep.equal(before);
  });

  it('are recognized as repeats within 24 hours of their arrival', async () => {
    await cool(5_000);
    expect(await store.append([LOG[0] ?? record('a', 1_000)]))
      .to.have.property('repeats')
      .with.lengthOf(1);
    expect(await store.findRepeats([record('c', 3_000)])).to.deep.equal([true]);
    expect(await found()).to.equal('abcdefg');
  });

  it('are erased, counted, and in no answer then', async () => {
    await cool(5_000);
    const ann = { organizationId: 'org_a', websiteId: 'web_a', anonymousId: 'ann' };
    expect(await store.erase(ann)).to.equal(3);
    expect(await found()).to.equal('befg');
    expect(await store.erase({ ...ann, websiteId: null, anonymousId: null, profileId: 'p2' })).to.equal(2);
    expect(await found()).to.equal('ef');
  });

  it('answer 503 for ranges that touch a damaged file, and never fewer; others are answered', async () => {
    await cool(5_000);
    const id = await withDatabase(events.uri, async (connection) => {
      const set = await connection
        .collection<{ _id: string }>('segment_sets')
        .findOne({ _id: 'org_a/web_a' });
      const { id } = (set as unknown as { segments: { id: string; cold?: string }[] }).segments.find(
        ({ cold }) => cold !== undefined,
      ) ?? { id: '' };
      const files = connection.collection(SEGMENT_FILE_COLLECTION);
      const file = await files.findOne({ _id: new mongo.ObjectId(id) });
      await files.deleteOne({ _id: new mongo.ObjectId(id) });
      return { id, file };
    });
    for (const range of [null, { from: 0, to: 1_001 }])
      expect(await rejection(found(range))).to.have.property('kind', 'SERVICE_UNAVAILABLE');
    expect(await found({ from: 4_000, to: 10_000 })).to.equal('d');
    const other = { organizationId: 'org_a', websiteIds: ['web_b'], organizationEvents: false, range: null };
    expect((await store.run(IDS, { reach: other })).length).to.equal(2);
    // An operator restores the file.
    await withDatabase(events.uri, async (connection) => {
      if (id.file) await connection.collection(SEGMENT_FILE_COLLECTION).insertOne(id.file);
    });
    expect(await found()).to.equal('abcdefg');
  });
});
