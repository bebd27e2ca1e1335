/** What every document store guarantees about the memberships of a user, run on every adapter. */
import { expect } from 'chai';
import type { DocumentStoreFixture } from './document-store.contract.ts';

/** Declares the contract's tests for the adapter `name`. */
export function membershipsContract(name: string, create: () => Promise<DocumentStoreFixture>): void {
  describe(`${name} keeps the contract of membershipsOf`, () => {
    let fixture: DocumentStoreFixture;

    beforeEach(async () => {
      fixture = await create();
    });
    afterEach(() => fixture.close());

    it('gives the memberships of a user in every organization, the oldest first', async () => {
      const { store, clock } = fixture;
      const join = (id: string, organizationId: string, userId: string) =>
        store.memberships.insert({ id, organizationId, userId, role: 'member' });
      await join('mem_9', 'org_a', 'usr_1');
      clock.advance(1_000);
      await join('mem_1', 'org_b', 'usr_1');
      await join('mem_2', 'org_b', 'usr_2');
      expect((await store.membershipsOf('usr_1')).map(({ id }) => id)).to.deep.equal(['mem_9', 'mem_1']);
      expect(await store.membershipsOf('usr_3')).to.deep.equal([]);
    });
  });
}
