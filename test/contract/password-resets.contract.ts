/** What resets of passwords guarantee however many come at a time, run on every document store. */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { createRefreshTokens } from '../../plugins/auth/session/refresh-token.ts';
import { createSessions, type Sessions } from '../../plugins/auth/session/sessions.ts';
import { openReset, spendReset } from '../../plugins/auth/session/spend-reset.ts';
import { removeMember } from '../../services/resources/members/members.ts';
import { createReset } from '../../services/resources/members/reset-link.ts';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import { createIds } from '../../services/shared/ports/ids.ts';
import type { DocumentStoreFixture } from './document-store.contract.ts';

const ACTOR = { organizationId: 'org_a', userId: 'usr_owner', role: 'owner' } as const;
const AT_ONCE = 8;

/** Declares the contract's tests for the adapter `name`. */
export function passwordResetsContract(name: string, create: () => Promise<DocumentStoreFixture>): void {
  describe(`${name} keeps the contract of password resets`, () => {
    let fixture: DocumentStoreFixture;
    let sessions: Sessions;

    beforeEach(async () => {
      fixture = await create();
      const { store, clock } = fixture;
      const tokens = createRefreshTokens(new Uint8Array(32), randomBytes, true);
      sessions = createSessions({ documents: store, clock, ids: createIds(), tokens });
      const organization = { id: 'org_a', organizationId: 'org_a', name: 'A', plan: 'free', limits: {} };
      await store.organizations.insert(organization);
      for (const role of ['owner', 'member'] as const) {
        const userId = `usr_${role}`;
        const email = `${role}@example.com`;
        const user = { id: userId, organizationId: userId, email, home: '*', passwordHash: 'the old one' };
        await store.users.insert(user);
        await store.memberships.insert({ id: `mem_${role}`, organizationId: 'org_a', userId, role });
      }
    });
    afterEach(() => fixture.close());

    const ports = () => ({
      documents: fixture.store,
      clock: fixture.clock,
      ids: createIds(),
      randomBytes,
      sessions,
    });
    const make = async () => (await createReset(ports(), ACTOR, 'mem_member')).token;
    const use = async (token: string, passwordHash: string) =>
      spendReset(ports(), await openReset(ports(), token), passwordHash);
    const passwordHash = async () =>
      (await fixture.store.users.get('usr_member', 'usr_member'))?.passwordHash;

    /** How many succeeded; all others are NOT_FOUND. */
    function succeeded(outcomes: readonly PromiseSettledResult<unknown>[]): number {
      const faults = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
      for (const fault of faults) expect(fault).to.be.instanceOf(ApiError).and.include({ kind: 'NOT_FOUND' });
      return outcomes.length - faults.length;
    }

    it('lets one of many uses at a time set the password, and none later', async () => {
      const client = { agent: null, address: '192.0.2.7' };
      await sessions.begin('usr_member', 'org_a', client);
      await sessions.begin('usr_owner', 'org_a', client);
      const token = await make();
      const hashes = Array.from({ length: AT_ONCE }, (_, index) => `password ${index}`);
      const outcomes = await Promise.allSettled(hashes.map((hash) => use(token, hash)));
      expect(succeeded(outcomes)).to.equal(1);
      const winner = outcomes.findIndex(({ status }) => status === 'fulfilled');
      expect(await passwordHash()).to.equal(hashes[winner]);
      expect(succeeded(await Promise.allSettled([use(token, 'later')]))).to.equal(0);
      expect(await fixture.store.sessions.all('usr_member')).to.deep.equal([]);
      expect(await fixture.store.sessions.all('usr_owner')).to.have.length(1);
    });

    it('leaves of many tokens made at a time the one of the last alone', async () => {
      const made = await Promise.allSettled(Array.from({ length: AT_ONCE }, make));
      const tokens = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      expect(tokens).to.not.deep.equal([]);
      expect(await fixture.store.passwordResets.all('org_a')).to.have.length(1);
      const opened = await Promise.allSettled(tokens.map((token) => openReset(ports(), token)));
      expect(succeeded(opened)).to.equal(1);
    });

    it('sets no password for an earlier token once a later one was made', async () => {
      const token = await make();
      const opened = await openReset(ports(), token);
      const later = await make();
      expect(succeeded(await Promise.allSettled([spendReset(ports(), opened, 'by the earlier')]))).to.equal(
        0,
      );
      expect(await passwordHash()).to.equal('the old one');
      await use(later, 'by the later');
      expect(await passwordHash()).to.equal('by the later');
    });

    it('meets the removal of the member at the same moment: nothing is left that opens anything', async () => {
      const token = await make();
      const [used, removed] = await Promise.allSettled([
        use(token, 'the new one'),
        removeMember(ports(), ACTOR, { id: 'mem_member', ifMatch: undefined }),
      ]);
      expect(removed.status).to.equal('fulfilled');
      expect(succeeded([used])).to.be.oneOf([0, 1]);
      expect(await fixture.store.membershipsOf('usr_member')).to.deep.equal([]);
      expect(await fixture.store.sessions.all('usr_member')).to.deep.equal([]);
      expect(succeeded(await Promise.allSettled([use(token, 'later')]))).to.equal(0);
    });
  });
}
