/** The reading of an invitation by its token: what it tells, to whom, and that it tells no more than an acceptance would. */
import { hash } from 'node:crypto';
import { expect } from 'chai';
import { expectError, expectSuccess } from '../../../support/answers.ts';
import { type SessionGateway, startSessionGateway } from '../../../support/start-session-gateway.ts';

const DAY_MS = 86_400_000;
const TOKEN = 'a token of an invitation';
const MAKER = 'mem_usr_inviter';

describe('POST /v1/auth/invitation', () => {
  let gateway: SessionGateway;
  const now = () => gateway.clock.now();

  beforeEach(async () => {
    gateway = await startSessionGateway();
    const { memberships, invitations } = gateway.documents;
    await memberships.insert({ id: MAKER, organizationId: 'org_b', userId: 'usr_inviter', role: 'admin' });
    await invitations.insert({
      id: 'inv_1',
      organizationId: 'org_b',
      email: 'Eve@example.com',
      role: 'viewer',
      tokenHash: hash('sha256', TOKEN, 'hex'),
      expiresAt: new Date(now() + 7 * DAY_MS).toISOString(),
      acceptedAt: null,
      createdBy: 'usr_inviter',
    });
  });
  afterEach(async () => {
    expect(gateway.log.join('\n')).to.not.include(TOKEN);
    await gateway.close();
  });

  const read = (body: object = { token: TOKEN }, origin?: string) =>
    gateway.call('POST', '/v1/auth/invitation', { body, ...(origin && { origin }) });
  const accept = (token = TOKEN) =>
    gateway.call('POST', '/v1/auth/accept', { body: { token, name: 'Eve', password: 'battery staple' } });
  const change = async (given: object) => {
    const version = (await gateway.documents.invitations.get('org_b', 'inv_1'))?.version ?? 0;
    await gateway.documents.invitations.update('org_b', 'inv_1', version, given);
  };

  it('tells who invites whom to which role and until when, and nothing else', async () => {
    const answer = await read();
    expectSuccess(answer, 200, now());
    expect(answer.body.data).to.deep.equal({
      organization: { name: 'Name of org_b' },
      email: 'Eve@example.com',
      role: 'viewer',
      expiresAt: new Date(now() + 7 * DAY_MS).toISOString(),
    });
    expect(answer.headers.get('cache-control')).to.equal('private, no-store');
    expect(answer.headers.getSetCookie()).to.deep.equal([]);
  });

  it('changes nothing: read ten times, it is accepted once', async () => {
    for (let time = 0; time < 10; time++) expect((await read()).status).to.equal(200);
    expect((await gateway.documents.invitations.get('org_b', 'inv_1'))?.version).to.equal(1);
    expect((await accept()).status).to.equal(200);
    expectError(await read(), 404, 'NOT_FOUND', now());
  });

  const voids: Readonly<Record<string, () => unknown>> = {
    used: () => change({ acceptedAt: new Date(now()).toISOString() }),
    expired: () => gateway.clock.advance(7 * DAY_MS),
    withdrawn: () => gateway.documents.invitations.remove('org_b', 'inv_1'),
    'of a maker who was removed': () => gateway.documents.memberships.remove('org_b', MAKER),
    'of a role that its maker may not give': () => change({ role: 'owner' }),
  };
  for (const [name, make] of Object.entries(voids)) {
    it(`answers a token as an acceptance does, and as an unknown one: ${name}`, async () => {
      await make();
      const unknown = await read({ token: 'another' });
      for (const answer of [unknown, await read(), await accept()]) {
        expectError(answer, 404, 'NOT_FOUND', now());
        expect(answer.body.error).to.equal(unknown.body.error);
      }
    });
  }

  it('refuses a body without a token or with more, and a page of a foreign origin', async () => {
    for (const body of [{}, { token: '' }, { token: 'x'.repeat(257) }, { token: TOKEN, name: 'Eve' }]) {
      expectError(await read(body), 400, 'VALIDATION_ERROR', now());
    }
    expectError(await read({ token: TOKEN }, 'https://evil.com'), 403, 'ACCESS_DENIED', now());
  });
});
