/** What every document store guarantees about the memberships of a user and the accounts of an email, run on every adapter. */
import { expect } from 'chai';
import type { DocumentStoreFixture } from './document-store.contract.ts';

/** Declares the contract's tests for the adapter `name`. */
export function membershipsContract(name: string, create: () => Promise<DocumentStoreFixture>): void {
  describe(`${name} keeps the contract of membershipsOf and usersOf`, () => {
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

    it('gives the accounts of an email in every home, the oldest first, one in each', async () => {
      const { store, clock } = fixture;
      const account = (id: string, home: string, email = 'ann@example.com') =>
        store.users.insert({ id, organizationId: id, email, home, passwordHash: 'x' });
      await account('usr_9', 'org_a');
      clock.advance(1_000);
      const proven = await account('usr_1', '*');
      await account('usr_2', '*', 'bob@example.com');
      const ids = async () => (await store.usersOf('ann@example.com')).map(({ id }) => id);
      expect(await ids()).to.deep.equal(['usr_9', 'usr_1']);
      expect(await store.usersOf('nobody@example.com')).to.deep.equal([]);
      for (const write of [
        () => account('usr_3', 'org_a'),
        () => store.users.update('usr_9', 'usr_9', 1, { home: '*' }),
      ]) {
        const fault = await write().catch((thrown: unknown) => thrown);
        expect(fault).to.include({ index: 'emailHome' });
      }
      expect(await store.users.findUnique('emailHome', ['ann@example.com', '*'])).to.deep.equal(proven);
      expect(await ids()).to.deep.equal(['usr_9', 'usr_1']);
    });
  });
}
