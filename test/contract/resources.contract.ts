/** What every document store guarantees to resources: lists in the order of a field, usage that adds up, clean-ups that are found again. */
import { expect } from 'chai';
import type { Cleanup } from '../../services/shared/model/cleanup.ts';
import type { Link } from '../../services/shared/model/link.ts';
import type { DocumentStore, NewDocument, SortedPage } from '../../services/shared/ports/document-store.ts';
import { rejection } from '../support/rejection.ts';
import type { DocumentStoreFixture } from './document-store.contract.ts';

/** A link as a caller gives it. */
export function newLink(id: string, overrides: Partial<NewDocument<Link>> = {}): NewDocument<Link> {
  return {
    id,
    organizationId: 'org_a',
    slug: `slug-of-${id}`,
    websiteId: null,
    name: `Link ${id}`,
    targetUrl: 'https://example.com/',
    expiresAt: null,
    expiredRedirectUrl: null,
    iosUrl: null,
    androidUrl: null,
    ogTitle: null,
    ogDescription: null,
    ogImageUrl: null,
    tags: [],
    createdBy: 'usr_1',
    ...overrides,
  };
}

/** The clean-up of a website as a caller gives it. */
export function newCleanup(id: string, overrides: Partial<NewDocument<Cleanup>> = {}): NewDocument<Cleanup> {
  return {
    id,
    organizationId: 'org_a',
    kind: 'website',
    websiteId: 'web_1',
    anonymousId: null,
    ...overrides,
  };
}

/** Declares the contract's tests for the adapter `name`. */
export function resourcesContract(name: string, create: () => Promise<DocumentStoreFixture>): void {
  describe(`${name} serves resources`, () => {
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

    async function idsOf(page: Omit<SortedPage<Link>, 'limit'>, limit: number): Promise<string[]> {
      const ids: string[] = [];
      let after: SortedPage<Link>['after'];
      for (;;) {
        const found = await store.links.sorted('org_a', { ...page, limit, ...(after ? { after } : {}) });
        ids.push(...found.map((link) => link.id));
        const last = found.at(-1);
        if (!last || found.length < limit) return ids;
        after = [last.name, last.id];
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
      }
    });

    it('lists only those whose field is one of the values', async () => {
      await insertNamed();
      const page = (values: string[]) => ({ sortBy: 'name', where: { field: 'websiteId', values } }) as const;
      expect(await idsOf(page(['web_even', 'web_none']), 2)).to.deep.equal([
        'lnk_6',
        'lnk_0',
        'lnk_2',
        'lnk_4',
      ]);
      expect(await idsOf(page([]), 2)).to.deep.equal([]);
    });

    it('refuses a limit outside 1..100', async () => {
      for (const limit of [0, 101, 1.5]) {
        const refused = store.links.sorted('org_a', { sortBy: 'name', limit });
        expect(await rejection(refused)).to.be.instanceOf(RangeError);
      }
    });

    async function insertOrganizations(): Promise<void> {
      for (const id of ['org_a', 'org_b']) {
        await store.organizations.insert({ id, organizationId: id, name: id, plan: 'free', limits: {} });
      }
    }

    it('adds up what organizations use in a month, from any number of parallel writes', async () => {
      await insertOrganizations();
      const march = { organizationId: 'org_a', month: '2026-03' };
      await Promise.all(
        Array.from({ length: 50 }, () =>
          store.addUsage([
            { ...march, requests: 2, events: 3 },
            { ...march, organizationId: 'org_b', requests: 1, events: 0 },
          ]),
        ),
      );
      await store.addUsage([]);
      await store.addUsage([{ ...march, month: '2026-04', requests: 7, events: 0 }]);
      const used = await store.organizationUsage.all('org_a');
      expect(used.map(({ month, requests, events }) => [month, requests, events])).to.deep.equal([
        ['2026-03', 100, 150],
        ['2026-04', 7, 0],
      ]);
      const [other] = await store.organizationUsage.all('org_b');
      expect(other).to.include({ requests: 50, events: 0 });
    });

    it('brings nothing back of an organization that was removed before its usage was written', async () => {
      await insertOrganizations();
      await store.organizations.remove('org_a', 'org_a');
      const used = { month: '2026-03', requests: 2, events: 3 };
      await store.addUsage([
        { ...used, organizationId: 'org_a' },
        { ...used, organizationId: 'org_b' },
      ]);
      expect(await store.organizationUsage.all('org_a')).to.deep.equal([]);
      expect(await store.organizationUsage.all('org_b')).to.have.length(1);
    });

    it('finds the clean-ups of every organization, the oldest first', async () => {
      await store.cleanups.insert(newCleanup('cln_2'));
      await store.cleanups.insert(newCleanup('cln_1', { organizationId: 'org_b' }));
      expect((await store.allCleanups()).map((cleanup) => cleanup.id)).to.deep.equal(['cln_1', 'cln_2']);
      await store.cleanups.remove('org_b', 'cln_1');
      expect((await store.allCleanups()).map((cleanup) => cleanup.id)).to.deep.equal(['cln_2']);
    });
  });
}
