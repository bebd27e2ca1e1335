/** Lists of the SQLite document store: read by indexes alone, and bounded for all who have the file open. */
import { expect } from 'chai';
import Database from 'libsql';
import { COLLECTIONS } from '../../../../../services/shared/model/collections.ts';
import { createSqliteDocumentStore } from '../../../../../services/shared/storage/sqlite/sqlite-document-store.ts';
import { newWebsite } from '../../../../contract/document-store.contract.ts';
import { createTempDirectory, type TempDirectory } from '../../../../support/temp-directory.ts';
import { createTestClock } from '../../../../support/test-clock.ts';

describe('SqliteDocumentStore reads lists', () => {
  let directory: TempDirectory;
  let path: string;
  const open = () => createSqliteDocumentStore({ path, clock: createTestClock() });

  beforeEach(() => {
    directory = createTempDirectory();
    path = directory.file('documents.sqlite');
  });
  afterEach(() => directory.remove());

  it('finds and orders every list by its index alone, from the place where it goes on', async () => {
    const store = open();
    const run = Database.prototype.prepare;
    const asked: string[] = [];
    // What the adapter itself asks.
    Database.prototype.prepare = function (this: Database.Database, sql: string) {
      asked.push(sql);
      return run.call(this, sql);
    } as typeof run;
    try {
      for (const [name, declaration] of Object.entries(COLLECTIONS)) {
        const lists: readonly (readonly string[])[] = ('lists' in declaration && declaration.lists) || [];
        for (const fields of [...lists, ['id']]) {
          const sortBy = fields.at(-1) as 'id';
          const where = fields.length === 2 ? [{ field: fields[0] as 'id', values: ['x'] }] : [];
          for (const order of ['ascending', 'descending'] as const) {
            const collection = store[name as 'websites'];
            const page = { limit: 1, sortBy, order, where, after: ['x', 'y'] } as const;
            await collection.search('org_a', page);
            await collection.search('org_a', { ...page, text: { contains: 'z', fields: ['id'] } });
          }
        }
      }
      await store.visitorProfiles.search('org_a', {
        ...{ limit: 1, sortBy: 'profileId', after: ['x', 'y'] },
        where: [{ field: 'profileId', values: ['x'] }],
      });
    } finally {
      Database.prototype.prepare = run;
    }
    const database = new Database(path);
    const lists = asked.filter((sql) => sql.includes('ORDER BY'));
    expect(lists.length).to.be.greaterThan(80);
    for (const sql of lists) {
      const plan = JSON.stringify(database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all('', '', '', '', 1));
      expect(plan, sql).to.match(/SEARCH \w+ USING (?:COVERING )?INDEX \w+ \(organization_id=\? AND /);
      expect(plan, sql).to.match(/(?:<expr>|id)[<>]\?\)/);
      expect(plan, sql).to.not.include('TEMP B-TREE');
    }
    expect(asked.join('\n')).to.include('visitor_profiles_list_profileId');
    database.close();
    await store.close();
  });

  it('lets in as many as the bound when two openers write at once', async () => {
    const stores = [open(), open()];
    const inserted = await Promise.all(
      Array.from({ length: 40 }, (_, i) => stores[i % 2]?.websites.insertWithin(newWebsite(`web_${i}`), 10)),
    );
    expect(inserted.filter((website) => website !== null)).to.have.length(10);
    expect(await stores[0]?.websites.all('org_a')).to.have.length(10);
    for (const store of stores) await store.close();
  });
});
