/** What is remembered of sessions: one look-up at a time, never across a change, never past its few seconds. */

import { expect } from 'chai';
import { type AccessTokens, createAccessTokens } from '../../../../plugins/auth/session/access-token.ts';
import {
  createSessionVerdicts,
  type Forgotten,
  type SessionVerdicts,
} from '../../../../plugins/auth/session/session-verdicts.ts';
import { SHIPPED_CATALOGUE } from '../../../../services/shared/access/scope-catalogue.ts';
import type { DocumentStore } from '../../../../services/shared/ports/document-store.ts';
import { createMemoryDocumentStore } from '../../../support/memory-document-store.ts';
import { createTestClock, type TestClock } from '../../../support/test-clock.ts';
import { until } from '../../../support/until.ts';

describe('verdicts on sessions', () => {
  let clock: TestClock;
  let documents: DocumentStore;
  let verdicts: SessionVerdicts;
  let tokens: AccessTokens;
  let token: string;
  let lookUps: number;

  beforeEach(async () => {
    clock = createTestClock();
    documents = createMemoryDocumentStore(clock);
    const org = { id: 'org_a', organizationId: 'org_a', name: 'A', plan: 'free', limits: {} };
    await documents.organizations.insert(org);
    const membership = { id: 'mem_1', organizationId: 'org_a', userId: 'usr_1', role: 'member' } as const;
    await documents.memberships.insert(membership);
    await documents.sessions.insert({
      id: 'ses_1',
      organizationId: 'usr_1',
      activeOrganizationId: 'org_a',
      refreshHash: 'none',
      generation: 1,
      recentRotations: [],
      expiresAt: '2027-01-01T00:00:00.000Z',
    });
    lookUps = 0;
    const { get } = documents.sessions;
    documents.sessions.get = (...asked) => {
      lookUps++;
      return get(...asked);
    };
    tokens = createAccessTokens(new Uint8Array(32), clock, true);
    token = await tokenOf(1);
    verdicts = createSessionVerdicts({ documents, clock, scopes: SHIPPED_CATALOGUE }, tokens);
  });

  /** A token of the session as of its version. */
  const tokenOf = async (version: number) =>
    (await tokens.issue({ id: 'ses_1', userId: 'usr_1', version })).text;

  const role = async () => (await verdicts.judge(token, true))?.caller.role ?? null;

  it('ask the store once for any number of requests at a time, then at once for 4 seconds', async () => {
    await Promise.all(Array.from({ length: 50 }, role));
    expect(verdicts.judge(token, true)).to.not.be.instanceOf(Promise);
    clock.advance(3_999);
    await role();
    expect(lookUps).to.equal(1);
    clock.advance(1);
    await role();
    expect(lookUps).to.equal(2);
  });

  for (const changed of [
    { kind: 'session', id: 'ses_1' },
    { kind: 'user', id: 'usr_1' },
    { kind: 'membership', organizationId: 'org_a' },
    { kind: 'organization', id: 'org_a' },
    { kind: 'everything' },
  ] satisfies Forgotten[]) {
    it(`follow a change at once that is told as ${changed.kind}, with a look-up under way too`, async () => {
      expect(await role()).to.equal('member');
      await documents.memberships.update('org_a', 'mem_1', 1, { role: 'viewer' });
      expect(await role()).to.equal('member');
      verdicts.forget(changed);
      expect(await role()).to.equal('viewer');

      verdicts.forget(changed);
      const underWay = role();
      await documents.memberships.update('org_a', 'mem_1', 2, { role: 'admin' });
      verdicts.forget(changed);
      await underWay;
      expect(await role()).to.equal('admin');
    });
  }

  describe('on a session that another gateway changed, of which nobody told', () => {
    const organization = async (of: string) =>
      (await verdicts.judge(of, true))?.caller.organizationId ?? null;

    beforeEach(async () => {
      const org = { id: 'org_b', organizationId: 'org_b', name: 'B', plan: 'free', limits: {} };
      await documents.organizations.insert(org);
      const membership = { id: 'mem_2', organizationId: 'org_b', userId: 'usr_1', role: 'viewer' } as const;
      await documents.memberships.insert(membership);
    });
    const switchTo = (id: string, version: number) =>
      documents.sessions.update('usr_1', 'ses_1', version, { activeOrganizationId: id });

    it('are made anew for a token of a later version, once, and serve earlier tokens too', async () => {
      expect(await organization(token)).to.equal('org_a');
      await switchTo('org_b', 1);
      const later = await tokenOf(2);
      expect(await organization(later)).to.equal('org_b');
      expect(await organization(token)).to.equal('org_b');
      expect(await organization(later)).to.equal('org_b');
      expect(lookUps).to.equal(2);
    });

    it('wait for no look-up that began before, and keep nothing of what that one finds', async () => {
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      let isHeld = false;
      const { findUnique } = documents.memberships;
      documents.memberships.findUnique = async (...asked) => {
        const found = await findUnique(...asked);
        if (asked[1][0] === 'org_a') {
          isHeld = true;
          await held;
        }
        return found;
      };
      const before = organization(token);
      await until('the first look-up at the memberships', () => isHeld);
      await switchTo('org_b', 1);
      expect(await organization(await tokenOf(2))).to.equal('org_b');
      release();
      expect(await before).to.equal('org_a');
      expect(await organization(token)).to.equal('org_b');
    });

    it('are not asked for again and again where the store holds less than the token says, as after a restore', async () => {
      const later = await tokenOf(9);
      for (let count = 0; count < 5; count++) expect(await organization(later)).to.equal('org_a');
      expect(lookUps).to.equal(1);
    });
  });

  it('are left alone by changes of others', async () => {
    await role();
    verdicts.forget({ kind: 'session', id: 'ses_2' });
    verdicts.forget({ kind: 'user', id: 'usr_2' });
    verdicts.forget({ kind: 'membership', organizationId: 'org_b' });
    verdicts.forget({ kind: 'apiKey' });
    await role();
    expect(lookUps).to.equal(1);
  });

  it('ask no store about a token that this service did not sign', async () => {
    const forged = await createAccessTokens(new Uint8Array(32).fill(1), clock, true).issue({
      id: 'ses_1',
      userId: 'usr_1',
      version: 1,
    });
    for (const text of [forged.text, 'nonsense', `${token}x`])
      expect(await verdicts.judge(text, true)).to.equal(null);
    expect(lookUps).to.equal(0);
  });
});
