/** The acceptance of an invitation: once, by whom it was made for, and never over a password that exists. */
import { hash } from 'node:crypto';
import { expect } from 'chai';
import { expectError } from '../../support/answers.ts';
import {
  cookiesOf,
  PASSWORD,
  type SessionGateway,
  startSessionGateway,
} from '../../support/start-session-gateway.ts';

const DAY_MS = 86_400_000;

describe('POST /v1/auth/accept', () => {
  let gateway: SessionGateway;
  const now = () => gateway.clock.now();

  beforeEach(async () => {
    gateway = await startSessionGateway();
  });
  afterEach(async () => {
    for (const secret of [PASSWORD, 'battery staple', token, 'hash of', 'eyJ'])
      expect(gateway.log.join('\n')).to.not.include(secret);
    await gateway.close();
  });
  const session = (cookies: Record<string, string>) => gateway.call('GET', '/v1/auth/session', { cookies });
  const token = 'a token of an invitation';
  const accept = (body: object = {}) =>
    gateway.call('POST', '/v1/auth/accept', {
      body: { token, name: 'Eve', password: 'battery staple', ...body },
    });
  const invite = (email: string) =>
    gateway.documents.invitations.insert({
      id: 'inv_1',
      organizationId: 'org_b',
      email,
      role: 'member',
      tokenHash: hash('sha256', token, 'hex'),
      expiresAt: new Date(now() + 7 * DAY_MS).toISOString(),
      acceptedAt: null,
      createdBy: 'usr_owner',
    });

  it('makes a user and a member, and logs it in for the organization that invited', async () => {
    await invite('eve@example.com');
    const answer = await accept();
    expect(answer.body.data).to.deep.include({
      organizations: [{ id: 'org_b', name: 'Name of org_b', role: 'member' }],
      activeOrganizationId: 'org_b',
    });
    expect(answer.body.data.user).to.include({ email: 'eve@example.com', name: 'Eve' });
    expect((await session(cookiesOf(answer))).body).to.deep.equal(answer.body);
  });

  it('serves once: of ten acceptances at a time one succeeds, later ones are 404', async () => {
    await invite('eve@example.com');
    const answers = await Promise.all(Array.from({ length: 10 }, () => accept()));
    expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
    expectError(await accept(), 404, 'NOT_FOUND', now());
    expect(await gateway.documents.memberships.all('org_b')).to.have.length(2);
  });

  it('answers 404 to an unknown and an expired token, 400 to a short password', async () => {
    await invite('eve@example.com');
    expectError(await accept({ token: 'another' }), 404, 'NOT_FOUND', now());
    expectError(await accept({ password: 'short' }), 400, 'VALIDATION_ERROR', now());
    gateway.clock.advance(7 * DAY_MS);
    expectError(await accept(), 404, 'NOT_FOUND', now());
  });

  it('never replaces the password of a user that exists: its own is needed, and it becomes a member', async () => {
    await invite('admin@example.com');
    expectError(await accept(), 401, 'AUTH_REQUIRED', now());
    const answer = await accept({ password: PASSWORD });
    expect(answer.body.data.organizations.map(({ id }: { id: string }) => id)).to.deep.equal([
      'org_a',
      'org_b',
    ]);
    expect(await gateway.login('admin@example.com')).to.have.keys('tg_access', 'tg_refresh');
  });

  it('begins no session with a password that was reset while it was verified', async () => {
    await invite('admin@example.com');
    gateway.atVerification(async () => {
      const user = await gateway.documents.users.get('usr_admin', 'usr_admin');
      const passwordHash = 'hash of battery staple';
      await gateway.documents.users.update('usr_admin', 'usr_admin', user?.version ?? 0, { passwordHash });
    });
    const answer = await accept({ password: PASSWORD });
    expectError(answer, 401, 'AUTH_REQUIRED', now());
    expect(answer.headers.getSetCookie()).to.deep.equal([]);
    expect(await gateway.documents.sessions.all('usr_admin')).to.deep.equal([]);
  });

  it('answers 409 CONFLICT to a member, and leaves the invitation as it was', async () => {
    await invite('owner@example.com');
    expectError(await accept({ password: PASSWORD }), 409, 'CONFLICT', now());
    expect((await gateway.documents.invitations.get('org_b', 'inv_1'))?.acceptedAt).to.equal(null);
  });
});
