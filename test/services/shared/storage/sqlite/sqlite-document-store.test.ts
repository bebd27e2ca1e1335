/** The SQLite document store: the port's contract, and what only a file can promise: durability, file mode, versions. */
import { statSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import Database from 'libsql';
import { ApiError } from '../../../../../services/shared/errors/api-error.ts';
import { DECLARATIONS } from '../../../../../services/shared/model/collections.ts';
import { SCHEMA_VERSION } from '../../../../../services/shared/storage/sqlite/open-database.ts';
import { createSqliteDocumentStore } from '../../../../../services/shared/storage/sqlite/sqlite-document-store.ts';
import {
  type DocumentStoreFixture,
  documentStoreContract,
  newKey,
  newWebsite,
} from '../../../../contract/document-store.contract.ts';
import { documentStoreMemoryContract } from '../../../../contract/document-store-memory.contract.ts';
import { flagsInContract } from '../../../../contract/flags-in.contract.ts';
import { membershipsContract } from '../../../../contract/memberships.contract.ts';
import { passwordResetsContract } from '../../../../contract/password-resets.contract.ts';
import { newCleanup, resourcesContract } from '../../../../contract/resources.contract.ts';
import { searchContract } from '../../../../contract/search.contract.ts';
import { killWhileWriting } from '../../../../support/kill-while-writing.ts';
import { rejection } from '../../../../support/rejection.ts';
import { createTempDirectory, type TempDirectory } from '../../../../support/temp-directory.ts';
import { createTestClock } from '../../../../support/test-clock.ts';

async function createFixture(): Promise<DocumentStoreFixture> {
  const directory = createTempDirectory();
  const clock = createTestClock();
  const store = createSqliteDocumentStore({ path: directory.file('documents.sqlite'), clock });
  return {
    store,
    clock,
    close: async () => {
      await store.close();
      directory.remove();
    },
  };
}

documentStoreContract('SqliteDocumentStore', createFixture);
membershipsContract('SqliteDocumentStore', createFixture);
passwordResetsContract('SqliteDocumentStore', createFixture);
flagsInContract('SqliteDocumentStore', createFixture);
documentStoreMemoryContract('SqliteDocumentStore', createFixture);
resourcesContract('SqliteDocumentStore', createFixture);
searchContract('SqliteDocumentStore', createFixture);

describe('SqliteDocumentStore on its file', () => {
  let directory: TempDirectory;
  let path: string;
  const open = () => createSqliteDocumentStore({ path, clock: createTestClock() });

  beforeEach(() => {
    directory = createTempDirectory();
    path = directory.file('data/documents.sqlite');
  });
  afterEach(() => directory.remove());

  it('keeps documents and unique values when it is opened again', async () => {
    const first = open();
    const website = await first.websites.insert(newWebsite('web_1', { domain: 'a.com' }));
    await first.close();
    const second = open();
    expect(await second.websites.get('org_a', 'web_1')).to.deep.equal(website);
    expect(await second.websites.findUnique('organizationDomain', ['org_a', 'a.com'])).to.deep.equal(website);
    await second.close();
  });

  it('loses no acknowledged document when the process is killed with SIGKILL', async () => {
    const acknowledged = await killWhileWriting('documents', path, 100);
    const store = open();
    const present = new Set((await store.websites.all('org_a')).map(({ id }) => id));
    expect(acknowledged.filter((number) => !present.has(`web_${number}`))).to.deep.equal([]);
    await store.close();
  });

  it('is readable and writable by its owner only, log and index of the log included', async () => {
    const store = open();
    await store.websites.insert(newWebsite('web_1'));
    const modes = ['', '-wal', '-shm'].map((suffix) => (statSync(path + suffix).mode & 0o777).toString(8));
    expect(modes).to.deep.equal(['600', '600', '600']);
    expect((statSync(directory.file('data')).mode & 0o777).toString(8)).to.equal('700');
    await store.close();
  });

  it('shows a write of another opener at once and counts it as a change', async () => {
    const [writer, reader] = [open(), open()];
    const before = await reader.changes();
    await writer.apiKeys.insert(newKey('key_1'));
    expect(await reader.apiKeys.get('org_a', 'key_1')).to.include({ id: 'key_1' });
    expect(await reader.changes()).to.equal(before + 1);
    await reader.apiKeys.update('org_a', 'key_1', 1, { name: 'x' });
    await reader.apiKeys.remove('org_a', 'key_1');
    expect(await writer.changes()).to.equal(before + 3);
    await writer.close();
    await reader.close();
  });

  it('shows the writes of another opener as foreign changes, and none of its own', async () => {
    const [store, other] = [open(), open()];
    const before = await store.foreignChanges();
    await store.apiKeys.insert(newKey('key_1'));
    await store.apiKeys.update('org_a', 'key_1', 1, { name: 'x' });
    await store.apiKeys.update('org_a', 'key_1', 1, { name: 'lost' });
    expect(await store.foreignChanges()).to.equal(before);
    await other.apiKeys.get('org_a', 'key_1');
    expect(await store.foreignChanges()).to.equal(before);
    await other.apiKeys.insert(newKey('key_2'));
    const after = await store.foreignChanges();
    expect(after).to.not.equal(before);
    await other.apiKeys.remove('org_a', 'key_2');
    expect(await store.foreignChanges()).to.not.equal(after);
    await store.close();
    await other.close();
  });

  it('counts no change for a read, a refused write or a lost compare-and-set', async () => {
    const store = open();
    await store.apiKeys.insert(newKey('key_1'));
    const before = await store.changes();
    await rejection(store.apiKeys.insert(newKey('key_1')));
    await store.apiKeys.update('org_a', 'key_1', 9, { name: 'x' });
    await store.apiKeys.remove('org_a', 'key_nothing');
    await store.apiKeys.all('org_a');
    expect(await store.changes()).to.equal(before);
    await store.close();
  });

  it('counts no change to what no verdict depends on, in a file that counted it before too', async () => {
    await open().close();
    const database = new Database(path);
    database.exec(
      `CREATE TRIGGER cleanups_counts_insert AFTER INSERT ON cleanups
       BEGIN UPDATE change_counter SET changes = changes + 1; END; PRAGMA user_version = 2`,
    );
    database.close();
    const store = open();
    const before = await store.changes();
    await store.cleanups.insert(newCleanup('cln_1'));
    await store.cleanups.remove('org_a', 'cln_1');
    expect(await store.changes()).to.equal(before);
    await store.close();
  });

  it('finds by each declared index through that index, never by reading the table', async () => {
    await open().close();
    const database = new Database(path);
    for (const [, { name, unique = {} }] of DECLARATIONS) {
      for (const [index, fields] of Object.entries(unique)) {
        const condition = fields
          .map((field) =>
            field === 'organizationId' ? 'organization_id' : `json_extract(document, '$.${field}')`,
          )
          .map((expression) => `${expression} = 'x'`)
          .join(' AND ');
        const plan = database.prepare(`EXPLAIN QUERY PLAN SELECT id FROM ${name} WHERE ${condition}`).all();
        expect(JSON.stringify(plan)).to.include(`USING INDEX ${name}_${index}`);
      }
    }
    database.close();
  });

  it('answers SERVICE_UNAVAILABLE with Retry-After and without SQL when another process holds the write lock', async () => {
    const store = open();
    const other = new Database(path);
    other.exec('BEGIN IMMEDIATE');
    const error = await rejection(store.websites.insert(newWebsite('web_1')));
    other.exec('ROLLBACK');
    expect(error).to.be.instanceOf(ApiError);
    expect(error).to.deep.include({ kind: 'SERVICE_UNAVAILABLE', headers: { 'Retry-After': '1' } });
    expect((error as ApiError).message).to.equal('The service is temporarily unavailable.');
    expect(String((error as ApiError).cause)).to.include('locked');
    await store.websites.insert(newWebsite('web_1'));
    other.close();
    await store.close();
  });

  it('answers SERVICE_UNAVAILABLE for a document that does not fit its schema, naming it in the cause only', async () => {
    const store = open();
    await store.websites.insert(newWebsite('web_1'));
    const other = new Database(path);
    other.exec("UPDATE websites SET document = json_set(document, '$.isPublic', 'perhaps')");
    other.close();
    const error = (await rejection(store.websites.get('org_a', 'web_1'))) as ApiError;
    expect(error.kind).to.equal('SERVICE_UNAVAILABLE');
    expect(error.message).not.to.include('web_1');
    expect(String(error.cause)).to.include('web_1');
    await store.close();
  });

  it('gives a file of an older schema version the tables and indexes it lacks, and keeps what it holds', async () => {
    const first = open();
    const website = await first.websites.insert(newWebsite('web_1'));
    const membership = { id: 'mem_1', organizationId: 'org_a', userId: 'usr_1', role: 'owner' } as const;
    await first.memberships.insert(membership);
    const before = await first.changes();
    await first.close();
    const database = new Database(path);
    database.exec(
      'DROP TABLE sessions; DROP TABLE invitations; DROP INDEX memberships_user; PRAGMA user_version = 1',
    );
    database.close();
    const second = open();
    expect(await second.websites.get('org_a', 'web_1')).to.deep.equal(website);
    expect((await second.membershipsOf('usr_1')).map(({ id }) => id)).to.deep.equal(['mem_1']);
    expect(await second.sessions.all('usr_1')).to.deep.equal([]);
    expect(await second.invitations.findUnique('tokenHash', ['none'])).to.equal(null);
    expect(await second.changes()).to.equal(before);
    await second.close();
  });

  it('opens a file of the first schema version with its documents, and gives it what it lacks', async () => {
    const first = open();
    const key = { id: 'key_1', organizationId: 'org_a', name: 'old', keyHash: 'hash', start: '', last4: '' };
    const rest = { access: { level: 'global' as const }, enabled: true, expiresAt: null, revokedAt: null };
    const previous = { previousKeyHash: null, previousValidUntil: null };
    await first.apiKeys.insert({ ...key, ...rest, ...previous, scopes: ['read:data'], createdBy: 'cli' });
    await first.close();
    const database = new Database(path);
    database.exec(
      `DROP TABLE api_key_usage; DROP TABLE invitations; DROP TABLE audit_records;
       DROP INDEX api_keys_previousKeyHash; PRAGMA user_version = 1;
       UPDATE api_keys SET document = json_remove(document, '$.previousKeyHash', '$.previousValidUntil');`,
    );
    database.close();
    const store = open();
    expect(await store.apiKeys.get('org_a', 'key_1')).to.include({ name: 'old', ...previous });
    await store.recordApiKeyUses([
      { apiKeyId: 'key_1', organizationId: 'org_a', lastUsedAt: '2026-07-15T12:00:00.000Z' },
    ]);
    expect(await store.apiKeyUsage.get('org_a', 'key_1')).to.include({ version: 1 });
    await store.close();
  });

  it('counts no change for the last use of a key, which nobody remembers', async () => {
    const store = open();
    await store.apiKeys.insert(newKey('key_1'));
    const before = await store.changes();
    await store.recordApiKeyUses([
      { apiKeyId: 'key_1', organizationId: 'org_a', lastUsedAt: '2026-07-15T12:00:00.000Z' },
    ]);
    expect(await store.apiKeyUsage.all('org_a')).to.have.length(1);
    expect(await store.changes()).to.equal(before);
    await store.close();
  });

  it('opens a file in which an email has one user: it counts everywhere, once, and others may come beside it', async () => {
    const store = open();
    const user = { organizationId: 'usr_1', email: 'a@b.c', passwordHash: 'hash' };
    const before = await store.users.insert({ ...user, id: 'usr_1', home: '*' });
    await store.close();
    const database = new Database(path);
    database.exec(
      `DROP INDEX users_emailHome;
       UPDATE users SET document = json_remove(document, '$.home');
       CREATE UNIQUE INDEX users_email ON users (json_extract(document, '$.email'));
       PRAGMA user_version = 6;`,
    );
    database.close();
    const migrated = open();
    expect(await migrated.users.findUnique('emailHome', ['a@b.c', '*'])).to.deep.equal(before);
    const fault = await rejection(migrated.users.insert({ ...user, id: 'usr_2', home: '*' }));
    expect(fault).to.include({ index: 'emailHome' });
    await migrated.users.insert({ ...user, id: 'usr_2', home: 'org_a' });
    expect((await migrated.usersOf('a@b.c')).map(({ home }) => home)).to.deep.equal(['*', 'org_a']);
    await migrated.close();
  });

  it('refuses a file of a newer schema version and says what to do', async () => {
    await open().close();
    const database = new Database(path);
    database.exec(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
    database.close();
    expect(open).to.throw(
      `The document store ${path} has schema version ${SCHEMA_VERSION + 1}; this version of Tidegate knows up to ${SCHEMA_VERSION}. Start the newer version that wrote it`,
    );
  });

  it('refuses a file that is no database and leaves it as it is', () => {
    path = directory.file('notes.txt');
    writeFileSync(path, 'these are notes, and not a database at all\n'.repeat(50));
    const before = statSync(path).size;
    expect(open).to.throw(`The document store ${path} cannot be opened (file is not a database)`);
    expect(statSync(path).size).to.equal(before);
  });
});
