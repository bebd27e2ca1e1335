/** A file of documents of an earlier version, which stored texts as they came. */
import { expect } from 'chai';
import Database from 'libsql';
import { createSqliteDocumentStore } from '../../../../../services/shared/storage/sqlite/sqlite-document-store.ts';
import { newWebsite } from '../../../../contract/document-store.contract.ts';
import { createTempDirectory } from '../../../../support/temp-directory.ts';
import { createTestClock } from '../../../../support/test-clock.ts';

describe('a file of documents of an earlier version', () => {
  const directory = createTempDirectory();
  const path = directory.file('documents.sqlite');
  const open = () => createSqliteDocumentStore({ path, clock: createTestClock() });
  after(() => directory.remove());

  it('gets its lone surrogates replaced when it is opened, and keeps what only looks like one', async () => {
    const first = open();
    await first.websites.insert(newWebsite('web_1'));
    await first.websites.insert(newWebsite('web_2', { name: 'C:\\ud800' }));
    await first.close();
    const database = new Database(path);
    // As it lay there: an escape, which SQLite decodes to bytes that are no UTF-8.
    database
      .prepare("UPDATE websites SET document = replace(document, 'Website web_1', ?)")
      .run('a\\ud800 \\udfffb');
    database.exec('PRAGMA user_version = 21');
    database.close();
    const store = open();
    expect((await store.websitesOf('org_a')).map(({ name }) => name)).to.deep.equal([
      'a\ufffd \ufffdb',
      'C:\\ud800',
    ]);
    const found = await store.websites.search('org_a', {
      sortBy: 'name',
      limit: 10,
      text: { fields: ['name'], contains: 'b' },
    });
    expect(found.documents.map(({ id }) => id)).to.deep.equal(['web_1']);
    await store.close();
  });
});
