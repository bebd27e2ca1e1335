/** Pages of searched and sorted lists over a real store: no gap, no overlap, nothing read twice. */
import { expect } from 'chai';
import { listPage, type SearchedList } from '../../../services/resources/list-page.ts';
import type { SortedQuery } from '../../../services/resources/sorted-page.ts';
import type { Link } from '../../../services/shared/model/link.ts';
import { createSqliteDocumentStore } from '../../../services/shared/storage/sqlite/sqlite-document-store.ts';
import { newLink } from '../../contract/resources.contract.ts';
import { rejection } from '../../support/rejection.ts';
import { createTempDirectory } from '../../support/temp-directory.ts';
import { createTestClock } from '../../support/test-clock.ts';

const LIST: SearchedList<Link, 'createdAt' | 'name' | 'slug'> = {
  columns: { createdAt: 'createdAt', name: 'name', slug: 'slug' },
  searched: ['name', 'slug'],
};

describe('a page of a list', () => {
  const directory = createTempDirectory();
  const documents = createSqliteDocumentStore({ path: directory.file('store.db'), clock: createTestClock() });

  before(async () => {
    for (let i = 0; i < 250; i++) {
      const id = `lnk_${String(i).padStart(3, '0')}`;
      const name = i % 10 === 0 ? `Ümlaut ${i % 7}` : `plain ${i % 7}`;
      await documents.links.insert(newLink(id, { name, websiteId: i % 2 === 0 ? 'web_even' : null }));
    }
    await documents.links.insert(newLink('lnk_other', { organizationId: 'org_b', name: 'Ümlaut' }));
  });
  after(async () => {
    await documents.close();
    directory.remove();
  });

  async function all(query: SortedQuery, list = LIST): Promise<{ ids: string[]; pages: number }> {
    const ids: string[] = [];
    let cursor: string | undefined;
    for (let pages = 1; ; pages++) {
      const page = await listPage(documents.links, 'org_a', { ...query, cursor }, list);
      ids.push(...page.data.map(({ id }) => id));
      if (page.nextCursor === undefined) return { ids, pages };
      expect(page.data).to.have.length(query.limit ?? 50);
      cursor = page.nextCursor;
    }
  }

  for (const limit of [1, 7, 50, 100]) {
    it(`gives everything once, ${limit} at a time, and no cursor behind the last`, async () => {
      const { ids, pages } = await all({ limit, sort: 'name' });
      expect(new Set(ids).size).to.equal(250);
      expect(pages).to.equal(Math.ceil(250 / limit));
      expect((await all({ limit, sort: '-name' })).ids).to.deep.equal([...ids].reverse());
    });
  }

  it('finds text in any case, over all that is stored', async () => {
    const { ids } = await all({ limit: 6, search: 'üMLAUT' });
    expect(ids).to.deep.equal(Array.from({ length: 25 }, (_, i) => `lnk_${String(i * 10).padStart(3, '0')}`));
    expect((await all({ limit: 25, search: 'ümlaut' })).pages).to.equal(1);
    expect((await all({ search: 'nowhere' })).ids).to.deep.equal([]);
  });

  it('keeps to what it is bounded to', async () => {
    const where = [{ field: 'websiteId', values: ['web_even'] }] as const;
    expect((await all({ limit: 9 }, { ...LIST, where })).ids).to.have.length(125);
  });

  it('refuses a cursor of another order', async () => {
    const { nextCursor } = await listPage(documents.links, 'org_a', { limit: 1, sort: 'name' }, LIST);
    for (const query of [{ cursor: nextCursor, sort: 'slug' }, { cursor: 'bm9uc2Vuc2U' }]) {
      expect(await rejection(listPage(documents.links, 'org_a', query, LIST))).to.include({
        kind: 'VALIDATION_ERROR',
      });
    }
  });
});
