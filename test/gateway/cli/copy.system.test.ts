/** Holds `tidegate copy` to what it says: the database holds every document and event of the files, also after interruptions. */
import { hash, randomInt } from 'node:crypto';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { expect } from 'chai';
import type { Connection, mongo } from 'mongoose';
import { dataPathsOf } from '../../../config/data-directory.ts';
import { systemClock } from '../../../services/shared/ports/clock.ts';
import type { CopyState } from '../../../services/shared/storage/mongodb/copy/copy-state.ts';
import { migrate, requireMigrated } from '../../../services/shared/storage/mongodb/migrate.ts';
import { createMongodbDocumentStore } from '../../../services/shared/storage/mongodb/mongodb-document-store.ts';
import { createMongodbEventStore } from '../../../services/shared/storage/mongodb/mongodb-event-store.ts';
import { openConnection } from '../../../services/shared/storage/mongodb/open-connection.ts';
import { contentsOfDatabase, contentsOfFiles } from '../../support/installation-contents.ts';
import { killCopyAfter } from '../../support/interrupted-copy.ts';
import { useMongodb } from '../../support/mongodb/use-mongodb.ts';
import { withDatabase } from '../../support/mongodb/with-database.ts';
import { eventRecord } from '../../support/query/event.ts';
import { rejection } from '../../support/rejection.ts';
import { runCliProcess } from '../../support/run-cli.ts';
import { seedInstallation } from '../../support/seed-installation.ts';
import { createTempDirectory, type TempDirectory } from '../../support/temp-directory.ts';

const EVENTS = 20_000;
/** Of an installation for what does not hang on size. */
const FEW_EVENTS = 300;

describe('tidegate copy', function () {
  this.timeout(240_000);
  const server = useMongodb();
  let master: TempDirectory;
  let small: TempDirectory;
  let directory: TempDirectory;
  let uri: string;

  before(async () => {
    master = createTempDirectory();
    small = createTempDirectory();
    await seedInstallation(master.path, EVENTS);
    await seedInstallation(small.path, FEW_EVENTS);
  });
  after(async () => {
    master?.remove();
    small?.remove();
  });
  beforeEach(() => {
    uri = server.newUri();
    directory = createTempDirectory();
    use(master);
  });
  afterEach(() => directory.remove());

  function use(installation: TempDirectory): void {
    rmSync(directory.path, { recursive: true });
    cpSync(installation.path, directory.path, { recursive: true });
  }

  const environment = () => ({ DATA_DIR: directory.path, MONGODB_URI: uri });
  const run = (...args: string[]) =>
    runCliProcess(['copy', '--from', 'embedded', '--to', 'mongodb', ...args], environment());
  /** How many events both hold. */
  async function expectEqual(): Promise<number> {
    const [files, database] = [await contentsOfFiles(directory.path), await contentsOfDatabase(uri)];
    expect(database.documents).to.deep.equal(files.documents);
    expect(database.events).to.deep.equal(files.events);
    return files.events.length;
  }
  const state = () =>
    withDatabase(uri, async (database) => database.collection<CopyState>('tidegate_copy').findOne());

  it('copies every document and every event unchanged, and says so', async () => {
    const { code, out, error } = await run('--json');
    expect(code, error).to.equal(0);
    const events = await expectEqual();
    const { data } = JSON.parse(out);
    expect(events).to.be.at.least(EVENTS);
    expect(data.events).to.equal(events);
    expect(data.documents.audit_records.count).to.equal(1_202);
    expect(data.secretsFile).to.equal(dataPathsOf(directory.path).secrets);
    const scopes = data.websites.map((one: { websiteId: string | null; organizationId: string }) => [
      one.organizationId,
      one.websiteId,
    ]);
    expect(scopes).to.deep.include(['org_b', null]).and.deep.include(['org_a', 'web_sample_3']);
    expect(await state()).to.include({ phase: 'complete', events });
  });

  it('keeps the ids of events that came within a day, so that their repeats stay known, and no others', async () => {
    use(small);
    expect((await run()).code).to.equal(0);
    const ids = await withDatabase(uri, (database) => database.collection('event_ids').find().toArray());
    const key = (scope: string, id: string) => hash('sha256', `${scope}\0${id}`, 'base64url');
    expect(ids.map(({ _id }) => String(_id))).to.have.members([
      key('oorg_a', 'own-1'),
      key('wweb_a', 'last-1'),
      key('wweb_a', 'last-2'),
    ]);
    for (const id of ids) {
      expect(id).to.include({ state: 'stored', writers: 1 });
      expect(Date.now() - (id.at as Date).getTime()).to.be.within(0, 600_000);
      const event = await withDatabase(uri, (database) =>
        database.collection('events').findOne({ _id: id.event as mongo.ObjectId }),
      );
      expect(event?.timestamp).to.equal(id.timestamp);
    }
  });

  it('is what the stores of a service read, and they know the repeats', async () => {
    use(small);
    expect((await run()).code).to.equal(0);
    const events = await createMongodbEventStore({
      connection: await openConnection(uri, { appName: 'test' }),
    });
    const documents = createMongodbDocumentStore({
      connection: await openConnection(uri, { appName: 'test' }),
      clock: systemClock,
    });
    try {
      const id = { website_id: 'web_a', event_id: 'last-1' };
      const outcome = await events.append([
        eventRecord({ at: '2025-06-01T00:00:00.000Z', ...id }),
        eventRecord({ at: '2025-06-01T00:00:00.000Z', ...id, event_id: 'of its own' }),
      ]);
      expect(outcome.repeats).to.deep.equal([0]);
      const key = await documents.apiKeys.findUnique('keyHash', ['hash of a']);
      expect(key).to.include({ id: 'key_a', version: 1, previousKeyHash: null });
      const organization = await documents.organizations.get('org_b', 'org_b');
      expect(organization).to.include({ name: 'Changed', version: 2 });
      const profile = await documents.profiles.get('org_a', 'prf_unusual');
      expect(profile?.traits).to.deep.equal({ $where: 1, 'a.b': null, '': '😀', $set: true });
    } finally {
      await events.close();
      await documents.close();
    }
  });

  it('goes on where two kills left it, and nothing is missing or there twice', async () => {
    const first = await killCopyAfter(randomInt(1, EVENTS / 4), environment());
    const second = await killCopyAfter(randomInt(first + 1, EVENTS - 4_000), environment());
    expect(second).to.be.within(first + 1, EVENTS - 1);
    const { code, out, error } = await run('--json');
    expect(code, error).to.equal(0);
    expect(error).to.include('resuming the copy begun');
    expect(JSON.parse(out).data.eventsOfEarlierRuns).to.equal(second);
    await expectEqual();
  });

  it('stores nothing twice when the last page was stored and the word of it was not', async () => {
    await killCopyAfter(EVENTS / 2, environment());
    // As if it had been killed between the events and its account of them, and in the middle of the documents.
    await withDatabase(uri, async (database) => {
      await database
        .collection('tidegate_copy')
        .updateOne({}, { $set: { afterRow: -1, events: 0, phase: 'documents' } });
    });
    expect((await run()).code).to.equal(0);
    await expectEqual();
  });

  it('lets no service start over a copy that is not whole', async () => {
    await killCopyAfter(1, environment());
    await withDatabase(uri, async (connection) => {
      expect(String(await rejection(requireMigrated(connection)))).to.include(
        'is not whole: run tidegate copy',
      );
      expect(String(await rejection(migrate(connection)))).to.include('is not whole');
    });
    expect((await run()).code).to.equal(0);
    await withDatabase(uri, requireMigrated);
  });

  const tamperings: Record<string, [string, (database: Connection) => Promise<unknown>]> = {
    'an event that is missing': [
      `events of the website web_a of org_a: 2 events in the files, 1 in the database`,
      (database) => database.collection('events').deleteOne({ event_id: 'last-1' }),
    ],
    'an event of other content': [
      'events of the website web_a of org_a: 2 events in both, but they differ',
      (database) =>
        database.collection('events').updateOne({ event_id: 'last-1' }, { $set: { is_bot: false } }),
    ],
    'an event too many': [
      'events of the website web_other of org_a: 0 events in the files, 1 in the database',
      (database) =>
        database.collection('events').insertOne({
          ...{ organization_id: 'org_a', website_id: 'web_other', timestamp: 1, is_bot: false },
          event_name: 'x',
        }),
    ],
    'a document that was changed': [
      'websites: 5 documents in both, but they differ',
      (database) =>
        database
          .collection<{ _id: string }>('websites')
          .updateOne({ _id: 'web_a' }, { $set: { name: 'Other' } }),
    ],
    'a document that is missing': [
      'sessions: 2 documents in the files, 1 in the database',
      (database) => database.collection<{ _id: string }>('sessions').deleteOne({ _id: 'ses_a' }),
    ],
  };
  for (const [what, [told, tamper]] of Object.entries(tamperings)) {
    it(`reports ${what}, and the copy is not whole`, async () => {
      use(small);
      expect((await run()).code).to.equal(0);
      await withDatabase(uri, async (database) => {
        const checking = { phase: 'checking', completedAt: null };
        await database.collection('tidegate_copy').updateOne({}, { $set: checking });
        await tamper(database);
      });
      const { code, out, error } = await run();
      expect([code, out]).to.deep.equal([1, '']);
      expect(error).to.include(told);
      expect(await state()).to.include({ phase: 'checking', completedAt: null });
      expect((await run('--restart')).code).to.equal(0);
      await expectEqual();
    });
  }

  it('refuses to go on once the files are others, and begins anew when it is told to', async () => {
    await killCopyAfter(1, environment());
    use(master);
    expect(
      (
        await runCliProcess(['organizations', 'update', 'org_a', '--limit', 'perMinute=7'], {
          DATA_DIR: directory.path,
        })
      ).code,
    ).to.equal(0);
    const { code, error } = await run();
    expect(code).to.equal(1);
    expect(error).to.include('add --restart');
    // Another program began to use the database meanwhile: what it keeps there is not the copy's.
    await withDatabase(uri, (database) => database.collection('orders').insertOne({ mine: true }));
    expect((await run('--restart')).code).to.equal(0);
    await expectEqual();
    const left = await withDatabase(uri, (database) => database.collection('orders').countDocuments());
    expect(left).to.equal(1);
  });

  it('leaves the files as they are', async () => {
    use(small);
    const { documents, events } = dataPathsOf(directory.path);
    const bytes = () => [documents, events].map((path) => hash('sha256', readFileSync(path), 'hex'));
    const before = bytes();
    expect((await run()).code).to.equal(0);
    expect(bytes()).to.deep.equal(before);
  });
});
