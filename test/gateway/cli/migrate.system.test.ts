/** Holds `tidegate migrate` to what it says: it brings a database, or the files of DATA_DIR, to this version, and a dry run changes nothing. */
import { readFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'chai';
import Database from 'libsql';
import { dataPathsOf } from '../../../config/data-directory.ts';
import { systemClock } from '../../../services/shared/ports/clock.ts';
import { COMMIT_COLUMN, CREATE_EVENT_TABLE } from '../../../services/shared/storage/duckdb/event-table.ts';
import {
  MONGODB_SCHEMA_VERSION,
  migrate,
  requireMigrated,
} from '../../../services/shared/storage/mongodb/migrate.ts';
import { createMongodbDocumentStore } from '../../../services/shared/storage/mongodb/mongodb-document-store.ts';
import { openConnection } from '../../../services/shared/storage/mongodb/open-connection.ts';
import { SCHEMA_VERSION } from '../../../services/shared/storage/sqlite/open-database.ts';
import { createSqliteDocumentStore } from '../../../services/shared/storage/sqlite/sqlite-document-store.ts';
import { newLink } from '../../contract/resources.contract.ts';
import { useMongodb } from '../../support/mongodb/use-mongodb.ts';
import { type CliOutcome, runCli } from '../../support/run-cli.ts';
import { startTidegate } from '../../support/start-tidegate.ts';
import { createTempDirectory, type TempDirectory } from '../../support/temp-directory.ts';

/** The slug of a link that a route of the shipped configuration took. */
const TAKEN = 'dashboard';

/** A dry run says it too, and nothing about it is a reason to fail. */
async function expectTakenLink(run: (...args: string[]) => Promise<CliOutcome>): Promise<void> {
  const { code, out } = await run();
  expect(code).to.equal(0);
  expect(out)
    .to.match(/^Nothing to do: /)
    .and.to.include('\nLinks that answer no more:\n  the link lnk_1 of organization org_b has the slug ')
    .and.to.include(`answers /${TAKEN}: give the link another slug (PATCH /v1/links/lnk_1 `);
  expect(out).to.not.include('lnk_2');
  const { data } = JSON.parse((await run('--dry-run', '--json')).out);
  expect(data.takenLinks).to.have.length(1);
  expect(data.takenLinks[0]).to.include({ id: 'lnk_1', organizationId: 'org_b', slug: TAKEN });
}

describe('tidegate migrate, over MongoDB', () => {
  const server = useMongodb();
  let uri: string;
  beforeEach(() => {
    uri = server.newUri();
  });

  const run = (...args: string[]) => runCli(['migrate', ...args], { MONGODB_URI: uri });
  async function names(): Promise<string[]> {
    const connection = await openConnection(uri, { appName: 'test' });
    try {
      return (await connection.listCollections()).map(({ name }) => name);
    } finally {
      await connection.destroy();
    }
  }

  it('says in a dry run what it would do, and does nothing', async () => {
    const { code, out, error } = await run('--dry-run', '--json');
    expect([code, error]).to.deep.equal([0, '']);
    const { data } = JSON.parse(out);
    expect([data.store, data.dryRun, data.fromVersion, data.toVersion]).to.deep.equal([
      'mongodb',
      true,
      null,
      MONGODB_SCHEMA_VERSION,
    ]);
    expect(data.indexes).to.include('events.website_timestamp');
    expect(await names()).to.deep.equal([]);
  });

  it('makes what is missing with a line for each step, and has nothing to do the second time', async () => {
    const first = await run();
    expect(first.code, first.error).to.equal(0);
    expect(first.error).to.include('making the index events.website_timestamp');
    expect(first.out)
      .to.match(/^Done:\n {2}index /)
      .and.to.include(`schema version none → ${MONGODB_SCHEMA_VERSION}`);
    const connection = await openConnection(uri, { appName: 'test' });
    await requireMigrated(connection);
    await connection.destroy();
    const again = await run();
    expect(again).to.deep.equal({
      code: 0,
      out: 'Nothing to do: the database already has the schema of this version.\n',
      error: '',
    });
  });

  it('names the links whose address a route has, in text and as JSON', async () => {
    expect((await run()).out).to.not.include('Links');
    const documents = createMongodbDocumentStore({
      connection: await openConnection(uri, { appName: 'test' }),
      clock: systemClock,
    });
    await documents.links.insert(newLink('lnk_1', { organizationId: 'org_b', slug: TAKEN }));
    await documents.links.insert(newLink('lnk_2', { slug: 'winter-sale' }));
    await documents.close();
    await expectTakenLink(run);
  });

  it('refuses a database of a newer version', async () => {
    const connection = await openConnection(uri, { appName: 'test' });
    await migrate(connection);
    await connection
      .collection<{ _id: string }>('tidegate_schema')
      .updateOne({ _id: 'version' }, { $set: { version: 99 } });
    await connection.destroy();
    const { code, error } = await run();
    expect(code).to.equal(1);
    expect(error).to.include('schema version 99');
  });

  it('names the host that does not answer, and no password', async () => {
    uri = 'mongodb://somebody:pass-of-mine@127.0.0.1:1/tidegate?connectTimeoutMS=500';
    const { code, out, error } = await run('--json');
    expect([code, out]).to.deep.equal([1, '']);
    expect(error).to.include('127.0.0.1:1').and.not.to.include('pass-of-mine');
    expect(JSON.parse(error)).to.deep.include({ success: false, code: 'UPSTREAM_UNAVAILABLE' });
  });
});

describe('tidegate migrate, over the files of DATA_DIR', () => {
  let directory: TempDirectory;
  beforeEach(() => {
    directory = createTempDirectory();
  });
  afterEach(() => directory.remove());

  const run = (...args: string[]) => runCli(['migrate', ...args], { DATA_DIR: directory.path });

  /** Files as versions before made them: of documents version 1, of events version 1. */
  async function writeOldFiles(): Promise<void> {
    const { documents, events } = dataPathsOf(directory.path);
    const sqlite = new Database(documents);
    sqlite.exec('PRAGMA user_version = 1');
    sqlite.close();
    const instance = await DuckDBInstance.create(events);
    const connection = await instance.connect();
    await connection.run('CREATE TABLE tidegate_schema (version INTEGER NOT NULL)');
    await connection.run('INSERT INTO tidegate_schema VALUES (1)');
    await connection.run(CREATE_EVENT_TABLE.replace(`, "${COMMIT_COLUMN}" TIMESTAMP`, ''));
    connection.closeSync();
    instance.closeSync();
  }

  it('tells from which version to which, changes nothing in a dry run, and is done once', async () => {
    await writeOldFiles();
    const { documents, events } = dataPathsOf(directory.path);
    const bytes = () =>
      [readFileSync(documents), readFileSync(events)].map((file) => file.toString('base64'));
    const before = bytes();
    const dry = await run('--dry-run', '--json');
    expect([dry.code, dry.error]).to.deep.equal([0, '']);
    const stores = [
      { file: documents, fromVersion: 1, toVersion: SCHEMA_VERSION },
      { file: events, fromVersion: 1, toVersion: 4 },
    ];
    expect(JSON.parse(dry.out).data).to.deep.equal({ store: 'embedded', dryRun: true, stores });
    expect(bytes()).to.deep.equal(before);

    const { code, out, error } = await run();
    expect(code, error).to.equal(0);
    expect(out).to.equal(
      `Done:\n  ${documents}: schema version 1 → ${SCHEMA_VERSION}\n  ${events}: schema version 1 → 4\n`,
    );
    expect((await run()).out).to.equal(
      `Nothing to do: ${directory.path} already has the schema of this version.\n`,
    );
  });

  it('names the links whose address a route has, in text and as JSON', async () => {
    const path = dataPathsOf(directory.path).documents;
    const documents = createSqliteDocumentStore({ path, clock: systemClock });
    await documents.links.insert(newLink('lnk_1', { organizationId: 'org_b', slug: TAKEN }));
    await documents.links.insert(newLink('lnk_2', { slug: 'winter-sale' }));
    await documents.close();
    await expectTakenLink(run);
  });

  it('migrates all the same where the configuration has faults, and says what it left undone', async () => {
    await writeOldFiles();
    const environment = { DATA_DIR: directory.path, CONFIG_DIR: directory.path };
    const { code, out, error } = await runCli(['migrate'], environment);
    expect(code).to.equal(0);
    expect(out).to.match(/^Done:/);
    expect(error).to.include('links were not compared with the routes: the configuration has faults');
  });

  it('refuses files of a newer version, and changes neither', async () => {
    await writeOldFiles();
    const { documents, events } = dataPathsOf(directory.path);
    const instance = await DuckDBInstance.create(events);
    const connection = await instance.connect();
    await connection.run('INSERT INTO tidegate_schema VALUES (99)');
    connection.closeSync();
    instance.closeSync();
    const before = readFileSync(documents).toString('base64');
    const { code, error } = await run();
    expect(code).to.equal(1);
    expect(error).to.include(`${events} has schema version 99`);
    expect(readFileSync(documents).toString('base64')).to.equal(before);
  });

  it('refuses where there is no store', async () => {
    const { code, error } = await run();
    expect(code).to.equal(1);
    expect(error).to.include(`there is no store in ${directory.path}`);
  });

  it('asks for a running server to be stopped', async () => {
    const tidegate = await startTidegate({ dataDir: directory.path });
    try {
      const { code, error } = await run();
      expect(code).to.equal(1);
      expect(error).to.include('stop it first');
    } finally {
      await tidegate.close();
    }
  });
});
