/** What every document store guarantees to those who remember what they read of it. */
import { expect } from 'chai';
import type { DocumentStore } from '../../services/shared/ports/document-store.ts';
import { rejection } from '../support/rejection.ts';
import { type DocumentStoreFixture, newKey, newWebsite } from './document-store.contract.ts';

/** Declares the contract's tests for the adapter `name`. */
export function documentStoreMemoryContract(name: string, create: () => Promise<DocumentStoreFixture>): void {
  describe(`${name} tells those who remember`, () => {
    let fixture: DocumentStoreFixture;
    let store: DocumentStore;

    beforeEach(async () => {
      fixture = await create();
      store = fixture.store;
    });
    afterEach(() => fixture.close());

    it('pages the hashes of all keys of all organizations, ascending', async () => {
      for (const id of ['c', 'a', 'd', 'b']) {
        await store.apiKeys.insert(newKey(`key_${id}`, { keyHash: id, organizationId: `org_${id}` }));
      }
      expect(await store.apiKeyHashes({ limit: 3 })).to.deep.equal(['a', 'b', 'c']);
      expect(await store.apiKeyHashes({ limit: 3, after: 'c' })).to.deep.equal(['d']);
      for (const limit of [0, 10_001]) {
        expect(await rejection(store.apiKeyHashes({ limit }))).to.be.instanceOf(RangeError);
      }
    });

    it('gives the organizations that carry a public limit of their own, with their websites', async () => {
      const organizations = {
        org_b: { publicPerMinute: 7 },
        org_a: { publicPerMinute: 9 },
        org_c: { perMinute: 5 },
      };
      for (const [id, limits] of Object.entries(organizations)) {
        await store.organizations.insert({ id, organizationId: id, name: id, plan: 'free', limits });
      }
      for (const id of ['web_1', 'web_2']) await store.websites.insert({ ...newWebsite(id), domain: id });
      const others = { org_b: [], org_a: ['web_1', 'web_2'] };
      const limits = async () =>
        (await store.ownPublicLimits()).map(({ websiteIds, ...limit }) => ({
          ...limit,
          websiteIds: [...websiteIds].sort(),
        }));
      expect(await limits()).to.deep.equal([
        { organizationId: 'org_a', publicPerMinute: 9, websiteIds: others.org_a },
        { organizationId: 'org_b', publicPerMinute: 7, websiteIds: others.org_b },
      ]);
      await store.organizations.update('org_a', 'org_a', 1, { limits: {} });
      expect(await limits()).to.deep.equal([
        { organizationId: 'org_b', publicPerMinute: 7, websiteIds: others.org_b },
      ]);
    });

    it('gives the hashes of rotated-out secrets among them until their grace ends', async () => {
      const previousValidUntil = new Date(fixture.clock.now() + 60_000).toISOString();
      await store.apiKeys.insert(newKey('key_a', { keyHash: 'b', previousKeyHash: 'd', previousValidUntil }));
      await store.apiKeys.insert(newKey('key_c', { keyHash: 'c', previousKeyHash: 'a', previousValidUntil }));
      expect(await store.apiKeyHashes({ limit: 3 })).to.deep.equal(['a', 'b', 'c']);
      expect(await store.apiKeyHashes({ limit: 3, after: 'c' })).to.deep.equal(['d']);
      fixture.clock.advance(60_000);
      expect(await store.apiKeyHashes({ limit: 9 })).to.deep.equal(['b', 'c']);
    });
  });
}
