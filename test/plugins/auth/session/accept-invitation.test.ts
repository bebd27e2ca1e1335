/** The acceptance of an invitation: once, by whom it was made for, and never over a password that exists. */
import { hash } from 'node:crypto';
import { expect } from 'chai';
import type { Role } from '../../../../services/shared/model/user.ts';
import { expectError } from '../../../support/answers.ts';
import {
  cookiesOf,
  PASSWORD,
  type SessionGateway,
  startSessionGateway,
  TOKEN_START,
} from '../../../support/start-session-gateway.ts';

const DAY_MS = 86_400_000;

describe('POST /v1/auth/accept', () => {
  let gateway: SessionGateway;
  const now = () => gateway.clock.now();

  beforeEach(async () => {
    gateway = await startSessionGateway();
    await join('usr_inviter', 'admin');
  });
  afterEach(async () => {
    for (const secret of [PASSWORD, 'battery staple', token, 'hash of', TOKEN_START])
      expect(gateway.log.join('\n')).to.not.include(secret);
    await gateway.close();
  });
  const session = (cookies: Record<string, string>) => gateway.call('GET', '/v1/auth/session', { cookies });
  const token = 'a token of an invitation';
  const accept = (body: object = {}) =>
    gateway.call('POST', '/v1/auth/accept', {
      body: { token, name: 'Eve', password: 'battery staple', ...body },
    });
  const join = (userId: string, role: Role) =>
    gateway.documents.memberships.insert({ id: `mem_${userId}`, organizationId: 'org_b', userId, role });
  const invite = (email: string, role: Role = 'member') =>
    gateway.documents.invitations.insert({
      id: 'inv_1',
      organizationId: 'org_b',
      email,
      role,
      tokenHash: hash('sha256', token, 'hex'),
      expiresAt: new Date(now() + 7 * DAY_MS).toISOString(),
      acceptedAt: null,
      createdBy: 'usr_inviter',
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
    expect(await gateway.documents.memberships.all('org_b')).to.have.length(3);
  });

  it('answers 404 to an unknown and an expired token, 400 to a short password', async () => {
    await invite('eve@example.com');
    expectError(await accept({ token: 'another' }), 404, 'NOT_FOUND', now());
    const short = await accept({ password: 'short', name: 7 });
    expectError(short, 400, 'VALIDATION_ERROR', now());
    expect(short.body.details).to.deep.equal([
      { field: 'name', message: 'Allowed: a text of 1 to 100 characters.' },
      { field: 'password', message: 'At least 8 characters.' },
    ]);
    gateway.clock.advance(7 * DAY_MS);
    expectError(await accept(), 404, 'NOT_FOUND', now());
  });

  it('answers 404 once who invited was removed or may not give the role any more', async () => {
    await invite('eve@example.com', 'admin');
    const { memberships } = gateway.documents;
    for (const role of ['member', 'viewer'] as const) {
      const version = (await memberships.get('org_b', 'mem_usr_inviter'))?.version ?? 0;
      await memberships.update('org_b', 'mem_usr_inviter', version, { role });
      expectError(await accept(), 404, 'NOT_FOUND', now());
    }
    await memberships.remove('org_b', 'mem_usr_inviter');
    expectError(await accept(), 404, 'NOT_FOUND', now());
    await join('usr_inviter', 'owner');
    expect((await accept()).status).to.equal(200);
  });

  it('answers 404 to the invitation of an owner whose maker is but an admin now', async () => {
    await invite('eve@example.com', 'owner');
    expectError(await accept(), 404, 'NOT_FOUND', now());
  });

  it('asks for a name and a password where nobody of the invited email is logged in', async () => {
    await invite('admin@example.com');
    const answer = await gateway.call('POST', '/v1/auth/accept', { body: { token } });
    expectError(answer, 400, 'VALIDATION_ERROR', now());
    expect(answer.body.details.map(({ field }: { field: string }) => field)).to.deep.equal([
      'name',
      'password',
    ]);
  });

  it('answers 409 CONFLICT to a member, and leaves the invitation as it was', async () => {
    await invite('owner@example.com');
    expectError(await accept({ password: PASSWORD }), 409, 'CONFLICT', now());
    expect((await gateway.documents.invitations.get('org_b', 'inv_1'))?.acceptedAt).to.equal(null);
  });
});
