/** Events that MongoDB keeps and columns answer for: what is acknowledged is in the next answer, what is erased in none. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ColumnEventStore } from '../../../../../services/shared/storage/columns/column-event-store.ts';
import { MongodbColumns } from '../../../../../services/shared/storage/columns/mongodb-columns.ts';
import {
  EVENT_COLLECTION,
  toEventDocument,
} from '../../../../../services/shared/storage/mongodb/event-document.ts';
import { SEGMENT_CHUNK_COLLECTION } from '../../../../../services/shared/storage/mongodb/segments/segment-files.ts';
import { eventExporterContract } from '../../../../contract/event-exporter.contract.ts';
import { eventQueryContract } from '../../../../contract/event-queries.contract.ts';
import { eventRecord } from '../../../../support/event-record.ts';
import { mongodbEvents, type TestEvents } from '../../../../support/mongodb/mongodb-events.ts';
import { useMongodb } from '../../../../support/mongodb/use-mongodb.ts';
import { withDatabase } from '../../../../support/mongodb/with-database.ts';
import { withRun } from '../../../../support/query/with-run.ts';
import { everythingOf, type ReadableEvents } from '../../../../support/readable-events.ts';
import { rejection } from '../../../../support/rejection.ts';
import { createTempDirectory, type TempDirectory } from '../../../../support/temp-directory.ts';
import { until } from '../../../../support/until.ts';

const REACH = everythingOf('org_a', 'web_a', 'web_b');
const IDS = { engine: 'duckdb', sql: 'SELECT event_id FROM events ORDER BY event_id', params: {} } as const;
const LOGGER = { info() {}, warn() {} };
const LIMITS = { diskMb: 100, memoryMb: 256, buildMemoryMb: 128, coldAfterDays: null };

describe('events of MongoDB in columns', function () {
  this.timeout(180_000);
  const mongodb = useMongodb();
  let events: TestEvents;
  let closing: (() => Promise<unknown>)[];
  let directory: TempDirectory;

  beforeEach(async () => {
    events = mongodbEvents(mongodb.newUri());
    closing = [];
    directory = createTempDirectory();
    await events.open();
  });
  afterEach(async () => {
    for (const close of closing.reverse()) await close();
    await events.remove();
    directory.remove();
  });

  /** As a process of its own has it. */
  const open = async () => {
    const columns = new MongodbColumns({
      uri: events.uri,
      directory: directory.file('columns'),
      ...LIMITS,
      logger: LOGGER as never,
    });
    const stored = await events.openAnother({ segments: columns });
    const store = new ColumnEventStore(stored, columns);
    closing.push(() => columns.close());
    const found = async () => (await store.run(IDS, { reach: REACH })).map(({ event_id }) => event_id);
    return { store, stored, columns, found };
  };
  const record = (event_id: string, overrides = {}) =>
    eventRecord({ event_id, organization_id: 'org_a', website_id: 'web_a', ...overrides });

  it('are in the answer that is asked for next, in every process, and nothing comes twice', async () => {
    const [one, two] = [await open(), await open()];
    expect(await one.found()).to.deep.equal([]);
    await one.store.append([
      record('a'),
      record('b', { website_id: null }),
      record('x', { organization_id: 'org_b' }),
    ]);
    expect([await one.found(), await two.found()]).to.deep.equal([
      ['a', 'b'],
      ['a', 'b'],
    ]);
    await two.store.append([record('c', { website_id: 'web_b' }), record('a')]);
    expect([await one.found(), await two.found()]).to.deep.equal([
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
    ]);
    expect(await one.store.findRepeats([record('c', { website_id: 'web_b' })])).to.deep.equal([true]);
  });

  it('are found by the first query, also those that an older version stored without a stamp', async () => {
    await withDatabase(events.uri, async (database) => {
      await database.collection(EVENT_COLLECTION).insertOne(toEventDocument(record('old')));
    });
    const { found, store, columns } = await open();
    await store.append([record('new')]);
    expect(await found()).to.deep.equal(['new', 'old']);
    await until('the builder tells', () => columns.status.built > 0);
  });

  it('are in no answer once they are erased, from segments or from what came since, by whoever erases', async () => {
    const one = await open();
    // A process that answers no query.
    const other = await open();
    await one.store.append([record('a', { anonymous_id: 'ann' }), record('b', { anonymous_id: 'bob' })]);
    expect(await one.found()).to.deep.equal(['a', 'b']);
    await one.store.append([record('c', { anonymous_id: 'ann' }), record('d', { anonymous_id: 'bob' })]);
    expect(await one.found()).to.deep.equal(['a', 'b', 'c', 'd']);
    const ofAnn = { organizationId: 'org_a', websiteId: 'web_a', anonymousId: 'ann' };
    expect(await other.stored.erase(ofAnn)).to.equal(2);
    expect(await one.found()).to.deep.equal(['b', 'd']);
    expect(await (await open()).found()).to.deep.equal(['b', 'd']);
    expect(await one.store.erase({ ...ofAnn, websiteId: null, anonymousId: null })).to.equal(2);
    expect(await one.found()).to.deep.equal([]);
  });

  it('are in no answer once they are erased, although a process has a copy of a file that is lost in the database', async () => {
    const { store, stored, found } = await open();
    await store.append([
      eventRecord({ event_id: 'a', website_id: 'web_a', anonymous_id: 'ann' }),
      eventRecord({ event_id: 'b', website_id: 'web_a', anonymous_id: 'bob' }),
    ]);
    expect(await found()).to.deep.equal(['a', 'b']);
    await until('both are in a segment that it has', async () => {
      const files = await withDatabase(events.uri, (connection) =>
        connection.collection(SEGMENT_CHUNK_COLLECTION).deleteMany({}),
      );
      return files.deletedCount > 0;
    });
    await stored.erase({ organizationId: 'org_a', websiteId: 'web_a', anonymousId: 'ann' });
    const answer = await found().catch((fault: unknown) => fault);
    if (answer instanceof Error) expect(answer).to.have.property('kind', 'SERVICE_UNAVAILABLE');
    else expect(answer).to.deep.equal(['b']);
    await until('the rest is built anew', async () => {
      const again = await found().catch((): unknown[] => []);
      expect(again).not.to.include('a');
      return again.includes('b');
    });
  });

  it('are hinted at for builders, and an erasure where nothing was built opens no engine', async () => {
    const { store, columns } = await open();
    await store.append([record('a'), record('b')]);
    expect(
      await store.erase({ organizationId: 'org_a', websiteId: 'web_a', anonymousId: 'nobody' }),
    ).to.equal(0);
    expect(existsSync(directory.file('columns/erasures'))).to.equal(false);
    await columns.close();
    await withDatabase(events.uri, async (database) => {
      const [set] = await database.collection('segment_sets').find().toArray();
      expect(set).to.deep.include({ website_id: 'web_a', fresh: 2, version: 0 });
    });
  });

  it('answer a query that cannot work, and one after the end, as every store does', async () => {
    const { store, columns } = await open();
    const wrong = { ...IDS, sql: 'SELECT nothing FROM events' };
    expect(await rejection(store.run(wrong, { reach: REACH }))).to.have.property('kind', 'INTERNAL_ERROR');
    await columns.close();
    expect(await rejection(store.run(IDS, { reach: REACH }))).to.have.property('kind', 'SERVICE_UNAVAILABLE');
  });

  eventQueryContract('ColumnEventStore', async () => {
    const { store, columns } = await open();
    const run: ReadableEvents['run'] = (query, read = {}) =>
      store.run(query, { ...read, reach: read.reach ?? REACH });
    const readable: ReadableEvents = { ...withRun(store, run), run, close: () => columns.close() };
    return { store: readable, close: async () => undefined };
  });

  eventExporterContract('ColumnEventStore', async () => {
    const { store } = await open();
    const exports = join(directory.path, 'columns/queries/0/exports');
    return { store, exports: () => readdirSync(exports), close: async () => undefined };
  });
});
