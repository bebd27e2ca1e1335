/** The parts of the document store's contract about keys: their rotated-out secrets and their last use. */
import { expect } from 'chai';
import { type DocumentStore, DuplicateError } from '../../services/shared/ports/document-store.ts';
import { rejection } from '../support/rejection.ts';
import { newKey } from './document-store.contract.ts';

/** Called within the contract's own block; `store` is the fresh store of the running test. */
export function apiKeyContract(store: () => DocumentStore): void {
  it('finds a key by the hash of its rotated-out secret, and lets any number of keys have none', async () => {
    const key = await store().apiKeys.insert(newKey('key_1', { previousKeyHash: 'old' }));
    await store().apiKeys.insert(newKey('key_2'));
    await store().apiKeys.insert(newKey('key_3'));
    expect(await store().apiKeys.findUnique('previousKeyHash', ['old'])).to.deep.equal(key);
    expect(await store().apiKeys.findUnique('previousKeyHash', ['null'])).to.equal(null);
    const again = await rejection(store().apiKeys.insert(newKey('key_4', { previousKeyHash: 'old' })));
    expect(again).to.be.instanceOf(DuplicateError).and.include({ index: 'previousKeyHash' });
  });

  it('lists by id descending too, without gap or overlap', async () => {
    for (const id of ['key_3', 'key_1', 'key_2']) await store().apiKeys.insert(newKey(id));
    await store().apiKeys.insert(newKey('key_25', { organizationId: 'org_b' }));
    const first = await store().apiKeys.list('org_a', { limit: 2, order: 'descending' });
    const second = await store().apiKeys.list('org_a', { limit: 2, after: 'key_2', order: 'descending' });
    expect([...first, ...second].map(({ id }) => id)).to.deep.equal(['key_3', 'key_2', 'key_1']);
  });

  it('writes down the last use of many keys at once, the latest minute of each, the keys themselves untouched', async () => {
    const key = await store().apiKeys.insert(newKey('key_1'));
    await store().apiKeys.insert(newKey('key_2'));
    const use = (apiKeyId: string, minute: string) => ({
      apiKeyId,
      organizationId: 'org_a',
      lastUsedAt: `2026-07-15T12:${minute}:00.000Z`,
    });
    await store().recordApiKeyUses([use('key_1', '01'), use('key_2', '01')]);
    await store().recordApiKeyUses([use('key_1', '03'), use('key_2', '00')]);
    await store().recordApiKeyUses([]);
    const first = await store().apiKeyUsage.get('org_a', 'key_1');
    expect(first).to.include({ lastUsedAt: '2026-07-15T12:03:00.000Z', version: 2 });
    const second = await store().apiKeyUsage.get('org_a', 'key_2');
    expect(second).to.include({ lastUsedAt: '2026-07-15T12:01:00.000Z', version: 1 });
    expect(await store().apiKeys.get('org_a', 'key_1')).to.deep.equal(key);
  });

  it('brings nothing back of a key that was removed before its last use was written', async () => {
    const used = { organizationId: 'org_a', lastUsedAt: '2026-07-15T12:00:00.000Z' };
    await store().apiKeys.insert(newKey('key_1'));
    await store().apiKeys.insert(newKey('key_2'));
    await store().apiKeys.remove('org_a', 'key_1');
    await store().recordApiKeyUses([
      { ...used, apiKeyId: 'key_1' },
      { ...used, apiKeyId: 'key_2' },
    ]);
    expect((await store().apiKeyUsage.all('org_a')).map(({ id }) => id)).to.deep.equal(['key_2']);
  });
}
