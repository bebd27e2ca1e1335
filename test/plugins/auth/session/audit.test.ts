/** Holds the acts of sessions to the audit (contract.md section 7): one record each, none for what was refused, no act without one. */
import { hash } from 'node:crypto';
import { expect } from 'chai';
import { authRoutes } from '../../../../plugins/auth/session/routes.ts';
import { ApiError } from '../../../../services/shared/errors/api-error.ts';
import type { AuditRecord } from '../../../../services/shared/model/audit-record.ts';
import { expectError } from '../../../support/answers.ts';
import {
  cookiesOf,
  PASSWORD,
  type SessionGateway,
  startSessionGateway,
} from '../../../support/start-session-gateway.ts';

const TOKEN = 'a token of an invitation';
const ADDRESS = '198.51.100.7';
/** Where a request comes from, and what it is called. */
const FROM = [
  ['X-Forwarded-For', ADDRESS],
  ['X-Request-Id', 'request-1'],
] as const;

describe('audit records of sessions', () => {
  let gateway: SessionGateway;
  let cookies: Record<string, string>;

  beforeEach(async () => {
    gateway = await startSessionGateway();
    cookies = await gateway.login('owner@example.com');
    const earlier = await gateway.own.auditRecords.all('org_a');
    for (const { id } of earlier) await gateway.own.auditRecords.remove('org_a', id);
  });
  afterEach(() => gateway.close());

  const records = (organizationId = 'org_a'): Promise<AuditRecord[]> =>
    gateway.own.auditRecords.all(organizationId);
  const sessionId = async (email = 'owner') =>
    (await gateway.own.sessions.all(`usr_${email}`)).at(-1)?.id ?? '';
  const act = (path: string, body?: unknown) =>
    gateway.call('POST', `/v1/auth/${path}`, { cookies, headers: FROM, ...(body ? { body } : {}) });
  const login = (password = PASSWORD, email = 'admin@example.com') =>
    gateway.call('POST', '/v1/auth/login', { body: { email, password }, headers: FROM });
  const accept = () =>
    gateway.call('POST', '/v1/auth/accept', {
      body: { token: TOKEN, name: 'Eve', password: 'battery staple' },
      headers: FROM,
    });
  const invite = async () => {
    const organizationId = 'org_b';
    const inviter = { id: 'mem_inviter', organizationId, userId: 'usr_inviter', role: 'admin' } as const;
    await gateway.own.memberships.insert(inviter);
    await gateway.own.invitations.insert({
      id: 'inv_1',
      organizationId,
      email: 'eve@example.com',
      role: 'member',
      tokenHash: hash('sha256', TOKEN, 'hex'),
      expiresAt: new Date(gateway.clock.now() + 86_400_000).toISOString(),
      acceptedAt: null,
      createdBy: 'usr_inviter',
    });
  };
  const loseRecords = () => {
    gateway.own.auditRecords.insert = () => Promise.reject(new ApiError('SERVICE_UNAVAILABLE'));
  };

  /** The one record of an organization, as who, what and from where. */
  async function onlyRecord(organizationId?: string) {
    const found = await records(organizationId);
    expect(found).to.have.length(1);
    const { actor, action, targetId, fields, address, requestId, createdAt } = found[0] as AuditRecord;
    expect([address, requestId]).to.deep.equal([ADDRESS, 'request-1']);
    expect(createdAt).to.equal(new Date(gateway.clock.now()).toISOString());
    return { actor, action, targetId, fields };
  }

  it('are required of every route that writes, save the refresh', () => {
    const unrecorded = authRoutes.filter(({ audit }) => audit === undefined).map(({ path }) => path);
    const reads = ['/v1/auth/session', '/v1/auth/sessions', '/v1/auth/invitation'];
    expect(unrecorded).to.have.members([...reads, '/v1/auth/refresh']);
  });

  it('tell of a login in the organization that the session acts for', async () => {
    expect((await login()).status).to.equal(200);
    const id = await sessionId('admin');
    expect(await onlyRecord()).to.deep.equal({
      actor: { kind: 'session', id, userId: 'usr_admin' },
      action: 'session.login',
      targetId: id,
      fields: [],
    });
  });

  it('tell of no login that failed, of no refresh and of no reading', async () => {
    expect((await login('wrong')).status).to.equal(401);
    expect((await login(PASSWORD, 'nobody@example.com')).status).to.equal(401);
    expect((await act('refresh')).status).to.equal(200);
    expect((await gateway.call('GET', '/v1/auth/session', { cookies })).status).to.equal(200);
    expect(await records()).to.deep.equal([]);
  });

  it('tell of a logout once, and of none of a session that had ended', async () => {
    const id = await sessionId();
    expect((await act('logout')).status).to.equal(204);
    expect((await act('logout')).status).to.equal(204);
    const actor = { kind: 'session', id, userId: 'usr_owner' };
    expect(await onlyRecord()).to.deep.equal({ actor, action: 'session.logout', targetId: id, fields: [] });
  });

  it('tell of a session that another one ended, once, where it acted', async () => {
    await gateway.login('owner@example.com');
    const [first] = await records();
    await gateway.own.auditRecords.remove('org_a', first?.id ?? '');
    const [own, other] = (await gateway.own.sessions.all('usr_owner')).map(({ id }) => id);
    const end = () => gateway.call('DELETE', `/v1/auth/sessions/${other}`, { cookies, headers: FROM });
    const statuses = (await Promise.all([end(), end(), end()])).map(({ status }) => status);
    expect(statuses.sort()).to.deep.equal([204, 404, 404]);
    const actor = { kind: 'session', id: own, userId: 'usr_owner' };
    expect(await onlyRecord()).to.deep.equal({ actor, action: 'session.end', targetId: other, fields: [] });
  });

  it('tell of a changed name and not what it is, and of none where it was the same', async () => {
    const rename = (name: string) =>
      gateway.call('PATCH', '/v1/auth/user', { cookies, headers: FROM, body: { name } });
    for (const name of ['Grace', 'Grace', ' Grace ']) expect((await rename(name)).status).to.equal(200);
    expect(await onlyRecord()).to.deep.equal({
      actor: { kind: 'session', id: await sessionId(), userId: 'usr_owner' },
      action: 'user.change',
      targetId: 'usr_owner',
      fields: ['name'],
    });
    expect(JSON.stringify(await records())).to.not.include('Grace');
  });

  it('tell of both sessions that a logout ends when its cookies name two', async () => {
    const others = await gateway.login('viewer@example.com');
    const [first] = await records();
    await gateway.own.auditRecords.remove('org_a', first?.id ?? '');
    const [owner, viewer] = [await sessionId(), await sessionId('viewer')];
    cookies = { ...cookies, '__Secure-tg_refresh': others['__Secure-tg_refresh'] ?? '' };
    await act('logout');
    expect((await records()).map(({ targetId }) => targetId)).to.have.members([owner, viewer]);
  });

  it('tell of a switch in the organization it leads to, and of none that leads nowhere', async () => {
    const id = await sessionId();
    expect((await act('switch', { organizationId: 'org_elsewhere' })).status).to.equal(403);
    expect((await act('switch', { organizationId: 'org_b' })).status).to.equal(200);
    expect((await act('switch', { organizationId: 'org_b' })).status).to.equal(200);
    const actor = { kind: 'session', id, userId: 'usr_owner' };
    expect(await onlyRecord('org_b')).to.deep.equal({
      actor,
      action: 'session.switch',
      targetId: id,
      fields: [],
    });
    expect(await records()).to.deep.equal([]);
  });

  it('tell of a changed password and never of its text', async () => {
    expect((await act('password', { current: 'wrong', new: 'battery staple' })).status).to.equal(401);
    expect((await act('password', { current: PASSWORD, new: 'battery staple' })).status).to.equal(204);
    expect(await onlyRecord()).to.deep.equal({
      actor: { kind: 'session', id: await sessionId(), userId: 'usr_owner' },
      action: 'user.change-password',
      targetId: 'usr_owner',
      fields: ['password'],
    });
    expect(JSON.stringify(await records()))
      .to.not.include('staple')
      .and.not.include(PASSWORD);
  });

  it('tell of an accepted invitation in the organization that invited, once', async () => {
    await invite();
    expect((await accept()).status).to.equal(200);
    expect((await accept()).status).to.equal(404);
    const user = await gateway.own.users.findUnique('emailHome', ['eve@example.com', 'org_b']);
    const membership = await gateway.own.memberships.findUnique('organizationUser', [
      'org_b',
      user?.id ?? '',
    ]);
    const { actor, ...record } = await onlyRecord('org_b');
    expect(actor).to.include({ kind: 'session', userId: user?.id });
    expect(record).to.deep.equal({ action: 'member.accept', targetId: membership?.id, fields: [] });
  });

  it('are the condition of a session: without one a login is 503, sets no cookie and leaves no session', async () => {
    loseRecords();
    const answer = await login();
    expectError(answer, 503, 'UPSTREAM_UNAVAILABLE', gateway.clock.now());
    expect(answer.headers.getSetCookie()).to.deep.equal([]);
    expect(await gateway.own.sessions.all('usr_admin')).to.deep.equal([]);
  });

  it('lost, leave an acceptance whole: the user is a member, logs in later, and has no session yet', async () => {
    await invite();
    const { insert } = gateway.own.auditRecords;
    loseRecords();
    const answer = await accept();
    expect([answer.status, answer.headers.getSetCookie()]).to.deep.equal([503, []]);
    const user = await gateway.own.users.findUnique('emailHome', ['eve@example.com', 'org_b']);
    expect(await gateway.own.sessions.all(user?.id ?? '')).to.deep.equal([]);
    gateway.own.auditRecords.insert = insert.bind(gateway.own.auditRecords);
    expect((await login('battery staple', 'eve@example.com')).status).to.equal(200);
  });

  it('lost, leave a new password, a switch and a logout whole, and say 503', async () => {
    loseRecords();
    expect((await act('password', { current: PASSWORD, new: 'battery staple' })).status).to.equal(503);
    const user = await gateway.own.users.get('usr_owner', 'usr_owner');
    expect(user?.passwordHash).to.equal('hash of battery staple');
    expect((await act('switch', { organizationId: 'org_b' })).status).to.equal(503);
    const [session] = await gateway.own.sessions.all('usr_owner');
    expect(session?.activeOrganizationId).to.equal('org_b');
    expect((await act('logout')).status).to.equal(503);
    expect(await gateway.own.sessions.all('usr_owner')).to.deep.equal([]);
    expect(cookiesOf(await act('logout'))).to.deep.equal({
      '__Host-tg_access': '',
      '__Secure-tg_refresh': '',
    });
  });
});
