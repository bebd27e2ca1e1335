/** What every document store guarantees about the flags of a scope, run on every adapter. */
import { expect } from 'chai';
import { flagOf } from '../support/flag-verdicts.ts';
import type { DocumentStoreFixture } from './document-store.contract.ts';

/** Declares the contract's tests for the adapter `name`. */
export function flagsInContract(name: string, create: () => Promise<DocumentStoreFixture>): void {
  describe(`${name} keeps the contract of flagsIn`, () => {
    let fixture: DocumentStoreFixture;

    beforeEach(async () => {
      fixture = await create();
    });
    afterEach(() => fixture.close());

    it('gives every flag of the scope in the order of their keys, however many, and of no other', async () => {
      const { store } = fixture;
      const keys = [
        'b',
        'B',
        '10',
        '9',
        '_',
        '-',
        'a',
        '__proto__',
        ...Array.from({ length: 120 }, (_, n) => `f${n}`),
      ];
      const insert = async (id: string, given: Parameters<typeof flagOf>[1], key: string) => {
        const { version: _v, createdAt: _c, updatedAt: _u, ...flag } = flagOf(key, { ...given, id });
        await store.flags.insert(flag);
      };
      for (const [n, key] of keys.entries()) await insert(`flg_own_${n}`, {}, key);
      await insert('flg_website', { websiteId: 'web_shop' }, 'website');
      await insert('flg_other', { organizationId: 'org_two', scopeId: 'org_two' }, 'other');

      const found = (await store.flagsIn('org_one', 'org_one')).map(({ key }) => key);
      expect(found).to.deep.equal([...keys].sort());
      expect((await store.flagsIn('org_one', 'web_shop')).map(({ id }) => id)).to.deep.equal(['flg_website']);
      expect(await store.flagsIn('org_two', 'web_shop')).to.deep.equal([]);
      expect(await store.flagsIn('org_one', 'web_none')).to.deep.equal([]);
    });
  });
}
