/** What is remembered of sessions: one look-up at a time, never across a change, never past its few seconds. */
import { expect } from 'chai';
import { createAccessTokens } from '../../../plugins/auth/session/access-token.ts';
import {
  createSessionVerdicts,
  type Forgotten,
  type SessionVerdicts,
} from '../../../plugins/auth/session/session-verdicts.ts';
import type { DocumentStore } from '../../../services/shared/ports/document-store.ts';
import { createMemoryDocumentStore } from '../../support/memory-document-store.ts';
import { createTestClock, type TestClock } from '../../support/test-clock.ts';

describe('verdicts on sessions', () => {
  let clock: TestClock;
  let documents: DocumentStore;
  let verdicts: SessionVerdicts;
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
    const tokens = createAccessTokens(new Uint8Array(32), clock);
    token = await tokens.issue({ id: 'ses_1', userId: 'usr_1' });
    verdicts = createSessionVerdicts(documents, clock, tokens);
  });

  const role = async () => (await verdicts.judge(token))?.caller.role ?? null;

  it('ask the store once for any number of requests at a time, then at once for 4 seconds', async () => {
    await Promise.all(Array.from({ length: 50 }, role));
    expect(verdicts.judge(token)).to.not.be.instanceOf(Promise);
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
    const forged = await createAccessTokens(new Uint8Array(32).fill(1), clock).issue({
      id: 'ses_1',
      userId: 'usr_1',
    });
    for (const text of [forged, 'nonsense', `${token}x`]) expect(await verdicts.judge(text)).to.equal(null);
    expect(lookUps).to.equal(0);
  });
});
