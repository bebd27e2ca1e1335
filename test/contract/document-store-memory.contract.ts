/** What every document store guarantees to those who remember what they read of it. */
import { expect } from 'chai';
import type { DocumentStore } from '../../services/shared/ports/document-store.ts';
import { rejection } from '../support/rejection.ts';
import { type DocumentStoreFixture, newKey } from './document-store.contract.ts';

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
