/** What every document store guarantees to lists: their order, what they find, how much one call looks at, and how many there may be. */
import { expect } from 'chai';
import type { Link } from '../../services/shared/model/link.ts';
import {
  type DocumentStore,
  DuplicateError,
  MOST_LOOKED_AT,
  type Position,
  type Search,
} from '../../services/shared/ports/document-store.ts';
import { rejection } from '../support/rejection.ts';
import { type DocumentStoreFixture, newWebsite } from './document-store.contract.ts';
import { newLink } from './resources.contract.ts';

type LinkSearch = Search<Link, 'createdAt' | 'name' | 'slug'>;

/** Declares the contract's tests for the adapter `name`. */
export function searchContract(name: string, create: () => Promise<DocumentStoreFixture>): void {
  describe(`${name} serves lists`, () => {
    let fixture: DocumentStoreFixture;
    let store: DocumentStore;

    beforeEach(async () => {
      fixture = await create();
      store = fixture.store;
    });
    afterEach(() => fixture.close());

    const NAMES = ['b', 'B', 'ä', 'a', '😀', '\uFFFD', 'a'];
    /** The one of {@link NAMES} whose place beside '😀' depends on bytes being compared. */
    const BYTES_ONLY = 5;

    async function insertNamed(): Promise<void> {
      for (const [i, linkName] of NAMES.entries()) {
        if (i === BYTES_ONLY && fixture.ordersByUtf16) continue;
        const websiteId = i % 2 === 0 ? 'web_even' : null;
        await store.links.insert(newLink(`lnk_${i}`, { name: linkName, websiteId }));
      }
      await store.links.insert(newLink('lnk_other', { organizationId: 'org_b', name: 'a' }));
    }

    async function idsOf(search: Omit<LinkSearch, 'limit' | 'after'>, limit: number): Promise<string[]> {
      const ids: string[] = [];
      let after: LinkSearch['after'];
      for (;;) {
        const { documents, next } = await store.links.search('org_a', {
          ...{ ...search, limit },
          ...(after && { after }),
        });
        ids.push(...documents.map(({ id }) => id));
        if (next === null) return ids;
        expect(documents, 'a page with a place to go on').to.have.length(limit);
        after = next;
      }
    }

    it('lists a tenant by a field in the order of its bytes, equal ones by id, in pages without gap or overlap', async () => {
      await insertNamed();
      const ascending = ['lnk_1', 'lnk_3', 'lnk_6', 'lnk_0', 'lnk_2', 'lnk_5', 'lnk_4'].filter(
        (id) => !fixture.ordersByUtf16 || id !== `lnk_${BYTES_ONLY}`,
      );
      for (const limit of [1, 2, 3, 100]) {
        expect(await idsOf({ sortBy: 'name' }, limit)).to.deep.equal(ascending);
        expect(await idsOf({ sortBy: 'name', order: 'descending' }, limit)).to.deep.equal(
          [...ascending].reverse(),
        );
        expect(await idsOf({ sortBy: 'id', order: 'descending' }, limit)).to.deep.equal(
          [...ascending].sort().reverse(),
        );
      }
    });

    it('gives no place to go on behind the last, whatever is asked', async () => {
      await insertNamed();
      const asked: Partial<LinkSearch>[] = [
        {},
        { text: { contains: 'slug-of', fields: ['slug'] } },
        { where: [{ field: 'createdBy', values: ['usr_1'] }] },
      ];
      for (const conditions of asked) {
        const count = fixture.ordersByUtf16 ? 6 : 7;
        const { documents, next } = await store.links.search('org_a', {
          ...{ ...conditions, sortBy: 'name', limit: count },
        });
        expect(documents).to.have.length(count);
        expect(next).to.equal(null);
      }
    });

    it('lists only those whose field is one of the values', async () => {
      await insertNamed();
      const even = ['lnk_6', 'lnk_0', 'lnk_2', 'lnk_4'];
      const within = (...values: string[]) =>
        ({ sortBy: 'name', where: [{ field: 'websiteId', values }] }) as const;
      expect(await idsOf(within('web_even'), 2)).to.deep.equal(even);
      expect(await idsOf(within('web_even', 'web_none'), 2)).to.deep.equal(even);
      expect(await idsOf(within('web_none'), 2)).to.deep.equal([]);
      expect(await idsOf(within(), 2)).to.deep.equal([]);
      const ids = { field: 'id', values: ['lnk_4', 'lnk_0', 'lnk_1', 'lnk_other', 'lnk_0'] } as const;
      const where = [...within('web_even').where, ids];
      expect(await idsOf({ sortBy: 'name', where }, 1)).to.deep.equal(['lnk_0', 'lnk_4']);
    });

    it('lists the documents of one value by id, in pages', async () => {
      for (let i = 9; i >= 0; i--) {
        const profileId = i % 2 === 0 ? 'even' : 'odd';
        const visitor = { organizationId: 'org_a', websiteId: null, anonymousId: `v${i}`, profileId };
        await store.visitorProfiles.insert({ id: `vis_${i}`, ...visitor });
      }
      const ways = (['profileId', 'id'] as const).flatMap((sortBy) =>
        (['ascending', 'descending'] as const).map((order) => ({ sortBy, order })),
      );
      for (const { sortBy, order } of ways) {
        const ids: string[] = [];
        let after: Position | undefined;
        do {
          const { documents, next } = await store.visitorProfiles.search('org_a', {
            ...{ limit: 2, sortBy, order, where: [{ field: 'profileId', values: ['even'] }] },
            ...(after && { after }),
          });
          ids.push(...documents.map(({ id }) => id));
          after = next ?? undefined;
        } while (after);
        const even = ['vis_0', 'vis_2', 'vis_4', 'vis_6', 'vis_8'];
        expect(ids).to.deep.equal(order === 'ascending' ? even : even.reverse());
      }
    });

    it('finds text in any case, in lists and parts of documents too', async () => {
      const links = { lnk_a: 'Ärger', lnk_b: 'nothing', lnk_c: 'der ärger' };
      for (const [id, linkName] of Object.entries(links)) {
        await store.links.insert(newLink(id, { name: linkName, tags: ['one', `Tag of ${id}`] }));
      }
      const finds = (contains: string) =>
        idsOf({ sortBy: 'slug', text: { contains, fields: ['name', 'tags'] } }, 2);
      expect(await finds('äRGER')).to.deep.equal(['lnk_a', 'lnk_c']);
      expect(await finds('TAG OF LNK_B')).to.deep.equal(['lnk_b']);
      expect(await finds('one')).to.have.length(3);
      expect(await finds('"')).to.deep.equal([]);
      expect(await finds('slug-of')).to.deep.equal([]);

      const record = { organizationId: 'org_a', action: 'x.y', fields: [], address: null, requestId: null };
      for (const [id, userId] of [['aud_1', null] as const, ['aud_2', 'usr_ada'] as const]) {
        const actor = { kind: 'session', id: 'ses_1', userId } as const;
        await store.auditRecords.insert({ ...record, id, actor, targetId: 't' });
      }
      const { documents } = await store.auditRecords.search('org_a', {
        ...{ sortBy: 'id', limit: 5, text: { contains: 'ADA', fields: ['actor.userId', 'address'] } },
      });
      expect(documents.map(({ id }) => id)).to.deep.equal(['aud_2']);
    });

    it('finds what has one value of a list at once, however much lies before it', async () => {
      const record = { organizationId: 'org_a', fields: [], address: null, requestId: null, targetId: 't' };
      const actor = { kind: 'cli', id: 'cli', userId: null } as const;
      const insertOne = (number: number, action: string) =>
        store.auditRecords.insert({ ...record, id: `aud_${String(number).padStart(4, '0')}`, actor, action });
      for (let from = 0; from <= MOST_LOOKED_AT; from += 50) {
        await Promise.all(Array.from({ length: 50 }, (_, i) => insertOne(from + i, 'x.often')));
      }
      await insertOne(9000, 'x.rare');
      await insertOne(9001, 'x.often');
      const { documents, next } = await store.auditRecords.search('org_a', {
        ...{ sortBy: 'id', limit: 5, where: [{ field: 'action', values: ['x.rare'] }] },
      });
      expect(documents.map(({ id }) => id)).to.deep.equal(['aud_9000']);
      expect(next).to.equal(null);
    });

    it('looks at a bounded number of documents, says where the next call goes on, and finds all by going on', async () => {
      const more = 150;
      const numbers = Array.from({ length: MOST_LOOKED_AT + more }, (_, i) => String(i).padStart(4, '0'));
      const hits = ['0000', '0999', '1000', '1149'];
      for (let from = 0; from < numbers.length; from += 50) {
        const insertOne = (n: string) =>
          store.links.insert(newLink(`lnk_${n}`, { name: hits.includes(n) ? 'hit' : 'miss', slug: `s${n}` }));
        await Promise.all(numbers.slice(from, from + 50).map(insertOne));
      }
      const search = (contains: string, after?: LinkSearch['after']) =>
        store.links.search('org_a', {
          ...{ sortBy: 'slug', limit: 100, text: { contains, fields: ['name'] } },
          ...(after && { after }),
        });
      const nothing = await search('nowhere');
      expect(nothing.documents).to.deep.equal([]);
      expect(nothing.next).to.deep.equal(['s0999', 'lnk_0999']);
      expect(await search('nowhere', nothing.next ?? undefined)).to.deep.equal({ documents: [], next: null });

      const first = await search('hit');
      expect(first.documents.map(({ id }) => id)).to.deep.equal(['lnk_0000', 'lnk_0999']);
      const second = await search('hit', first.next ?? undefined);
      expect(second.documents.map(({ id }) => id)).to.deep.equal(['lnk_1000', 'lnk_1149']);
      expect(second.next).to.equal(null);
    });

    it('refuses a limit outside 1..100, and an order without an index', async () => {
      for (const limit of [0, 101, 1.5]) {
        const refused = store.links.search('org_a', { sortBy: 'name', limit });
        expect(await rejection(refused)).to.be.instanceOf(RangeError);
      }
      const unsorted = store.links.search('org_a', { sortBy: 'targetUrl' as 'name', limit: 1 });
      expect(await rejection(unsorted)).to.be.instanceOf(TypeError);
    });

    it('lets in as many documents of a tenant as its bound, however many come at once', async () => {
      await store.websites.insert(newWebsite('web_old'));
      await store.websites.insert(newWebsite('web_foreign', { organizationId: 'org_b' }));
      const inserted = await Promise.all(
        Array.from({ length: 12 }, (_, i) => store.websites.insertWithin(newWebsite(`web_${i}`), 5)),
      );
      const stored = inserted.filter((website) => website !== null);
      expect(stored).to.have.length(4);
      const ids = (await store.websites.all('org_a')).map(({ id }) => id);
      expect(ids.sort()).to.deep.equal(['web_old', ...stored.map(({ id }) => id)].sort());
      expect(await store.websites.insertWithin(newWebsite('web_more'), 5)).to.equal(null);
      await store.websites.remove('org_a', 'web_old');
      expect(await store.websites.insertWithin(newWebsite('web_more'), 5)).to.include({
        id: 'web_more',
        version: 1,
      });
      const taken = store.websites.insertWithin(newWebsite('web_x', { domain: 'web_more.example.com' }), 9);
      expect(await rejection(taken)).to.be.instanceOf(DuplicateError);
    });

    it('sums up every website of an organization by id ascending', async () => {
      for (let i = 449; i >= 0; i--) {
        await store.websites.insert(newWebsite(`web_${i}`, { isPublic: i % 2 === 0 }));
      }
      await store.websites.insert(newWebsite('web_foreign', { organizationId: 'org_b' }));
      const expected = (await store.websites.all('org_a')).map(
        ({ id, name: shown, domain, isPublic, createdAt }) => ({
          ...{ id, name: shown, domain, isPublic, createdAt },
        }),
      );
      expect(expected).to.have.length(450);
      expect(await store.websitesOf('org_a')).to.deep.equal(expected);
      expect(await store.websitesOf('org_none')).to.deep.equal([]);
    });
  });
}
