/** The part of the document store's contract about texts that are no Unicode: no store may break on one, or give it back. */
import { expect } from 'chai';
import type { DocumentStore } from '../../services/shared/ports/document-store.ts';
import { newKey, newWebsite } from './document-store.contract.ts';

/** Called within the contract's own block; `store` is the fresh store of the running test. */
export function textContract(store: () => DocumentStore): void {
  it('holds, lists, sorts and summarizes texts with lone surrogates, which become U+FFFD', async () => {
    const written = await store().websites.insert(newWebsite('web_1', { name: '\ud800a\udc00 😀' }));
    expect(written.name).to.equal('\ufffda\ufffd 😀');
    const changed = await store().websites.update('org_a', 'web_1', 1, { name: 'b\udfff\\ud800' });
    expect(changed?.name).to.equal('b\ufffd\\ud800');
    expect(await store().websites.get('org_a', 'web_1')).to.deep.equal(changed);
    const sorted = await store().websites.search('org_a', {
      sortBy: 'name',
      order: 'ascending',
      limit: 10,
      text: { fields: ['name'], contains: 'B' },
    });
    expect(sorted.documents.map(({ name }) => name)).to.deep.equal([changed?.name]);
    expect((await store().websitesOf('org_a')).map(({ name }) => name)).to.deep.equal([changed?.name]);
    await store().apiKeys.insert(newKey('key_1', { name: '\ud83d' }));
    expect((await store().apiKeys.get('org_a', 'key_1'))?.name).to.equal('\ufffd');
    const profile = { id: 'pro_1', organizationId: 'org_a', websiteId: null, profileId: 'p' };
    await store().profiles.insert({ ...profile, traits: { 'a\ud800': '\udfff' } });
    expect((await store().profiles.get('org_a', 'pro_1'))?.traits).to.deep.equal({ 'a\ufffd': '\ufffd' });
  });
}
