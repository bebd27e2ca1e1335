/** What every document store guarantees to resources: usage and counts over time that add up, clean-ups that are found again. */
import { expect } from 'chai';
import { type ActivityIncrement, newActivity } from '../../services/shared/model/activity.ts';
import type { Cleanup } from '../../services/shared/model/cleanup.ts';
import { INSTALLATION } from '../../services/shared/model/configuration-record.ts';
import type { Link } from '../../services/shared/model/link.ts';
import type { DocumentStore, NewDocument } from '../../services/shared/ports/document-store.ts';
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

    const hour = (organizationId: string, counts: Record<string, number>): ActivityIncrement => {
      const of = { organizationId, websiteId: null, series: 'requests' } as const;
      return { ...of, grain: 'hour', startsAtMs: Date.UTC(2126, 0, 2), counts };
    };

    it('adds up counts over time name by name, from any number of parallel writes', async () => {
      await insertOrganizations();
      const mine = hour('org_a', { '0|key_1|a b (UTC)': 2, '23|key_1|other': 1 });
      const website = { ...hour('org_a', { '0|stored': 5 }), websiteId: 'web_a', series: 'ingest' } as const;
      await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          store.addActivity([mine, website, hour('org_b', { [`${i % 2}|key_2`]: 1 })]),
        ),
      );
      await store.addActivity([]);
      const stored = await store.activity.get('org_a', newActivity(mine).id);
      expect(stored?.counts).to.deep.equal({ '0|key_1|a b (UTC)': 40, '23|key_1|other': 20 });
      expect(stored).to.include({ websiteId: null, series: 'requests hour org_a', version: 20 });
      expect((await store.activity.get('org_a', newActivity(website).id))?.counts).to.deep.equal({
        '0|stored': 100,
      });
      const [other, ...more] = await store.activity.all('org_b');
      expect([other?.counts, more]).to.deep.equal([{ '0|key_2': 10, '1|key_2': 10 }, []]);
    });

    it('finds the counts of one series, the newest first', async () => {
      await insertOrganizations();
      const of = (startsAtMs: number) => ({ ...hour('org_a', { '0|x': 1 }), startsAtMs });
      const days = [0, 1, 2].map((day) => of(Date.UTC(2126, 0, 2 + day)));
      await store.addActivity([...days, { ...of(Date.UTC(2126, 0, 2)), grain: 'minute' }]);
      const found = await store.activity.search('org_a', {
        limit: 2,
        sortBy: 'startsAt',
        order: 'descending',
        where: [{ field: 'series', values: ['requests hour org_a'] }],
      });
      expect(found.documents.map(({ startsAt }) => startsAt.slice(0, 10))).to.deep.equal([
        '2126-01-04',
        '2126-01-03',
      ]);
      expect(found.next).to.not.equal(null);
    });

    it('adds up counts of the installation, which is no organization', async () => {
      const all = { ...hour(INSTALLATION, { '3|status|200': 2 }), series: 'platform' } as const;
      await Promise.all([store.addActivity([all]), store.addActivity([all, hour('org_none', { '0|x': 1 })])]);
      const [stored, ...more] = await store.activity.all(INSTALLATION);
      expect(stored?.counts).to.deep.equal({ '3|status|200': 4 });
      expect(stored?.series).to.equal('platform hour installation');
      expect(more).to.deep.equal([]);
      expect(await store.activity.all('org_none')).to.deep.equal([]);
    });

    it('removes counts that are too old, and brings none back of an organization that was removed', async () => {
      await insertOrganizations();
      await store.organizations.remove('org_b', 'org_b');
      const old = { ...hour('org_a', { '0|x': 1 }), startsAtMs: Date.UTC(1999, 0, 1) };
      const now = hour('org_a', { '0|x': 1 });
      await store.addActivity([old, now, hour('org_b', { '0|x': 1 })]);
      expect((await store.activity.all('org_a')).map(({ id }) => id)).to.deep.equal([newActivity(now).id]);
      expect(await store.activity.all('org_b')).to.deep.equal([]);
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
