/** A login: what it answers and sets, and that it tells nobody which of email and password was wrong. */
import { hash } from 'node:crypto';
import { expect } from 'chai';
import { decodeProtectedHeader } from 'jose';
import { expectError, expectSuccess } from '../../../support/answers.ts';
import {
  cookiesOf,
  PASSWORD,
  type SessionGateway,
  startSessionGateway,
  TOKEN_START,
} from '../../../support/start-session-gateway.ts';

describe('POST /v1/auth/login', () => {
  let gateway: SessionGateway;
  const now = () => gateway.clock.now();

  beforeEach(async () => {
    gateway = await startSessionGateway();
  });
  afterEach(async () => {
    for (const secret of [PASSWORD, 'battery staple', 'hash of', TOKEN_START])
      expect(gateway.log.join('\n')).to.not.include(secret);
    await gateway.close();
  });
  const login = (body: unknown) => gateway.call('POST', '/v1/auth/login', { body });

  it('answers who is logged in, acting for the organization of the oldest membership', async () => {
    const answer = await login({ email: 'Owner@Example.com', password: PASSWORD });
    expectSuccess(answer, 200, now());
    expect(answer.headers.get('cache-control')).to.equal('private, no-store');
    // The others: session-view.test.ts.
    const { sessionId, active, scopes, listedScopes, roleScopes, accessExpiresAt, ...data } =
      answer.body.data;
    expect({ ...answer.body, data }).to.deep.equal({
      success: true,
      data: {
        user: { id: 'usr_owner', email: 'owner@example.com', name: null },
        organizations: [
          { id: 'org_a', name: 'Name of org_a', role: 'owner' },
          { id: 'org_b', name: 'Name of org_b', role: 'viewer' },
        ],
        activeOrganizationId: 'org_a',
      },
    });
    expect([
      sessionId,
      active.id,
      scopes[0],
      listedScopes[0],
      roleScopes.owner,
      accessExpiresAt,
    ]).to.not.include(undefined);
  });

  it('sets both cookies HttpOnly, Secure, SameSite=Lax and of this host only', async () => {
    const answer = await login({ email: 'owner@example.com', password: PASSWORD });
    const lines = answer.headers.getSetCookie().map((line) => line.replace(/=[^;]+/, '=…'));
    expect(lines).to.deep.equal([
      '__Host-tg_access=…; Max-Age=900; Path=/; HttpOnly; SameSite=Lax; Secure',
      '__Secure-tg_refresh=…; Max-Age=2592000; Path=/v1/auth; HttpOnly; SameSite=Lax; Secure',
    ]);
    const { '__Host-tg_access': tg_access = '', '__Secure-tg_refresh': tg_refresh = '' } = cookiesOf(answer);
    expect(decodeProtectedHeader(tg_access).alg).to.equal('HS256');
    const [stored] = await gateway.documents.sessions.all('usr_owner');
    expect(JSON.stringify(stored)).to.not.include(tg_refresh);
    expect(stored?.refreshHash).to.equal(hash('sha256', tg_refresh, 'hex'));
  });

  it('gives a wrong email and a wrong password one answer, and verifies as many passwords for both', async () => {
    const before = gateway.verified();
    const email = await login({ email: 'nobody@example.com', password: PASSWORD });
    expect(gateway.verified()).to.equal(before + 5);
    const password = await login({ email: 'owner@example.com', password: 'wrong horse' });
    expect(gateway.verified()).to.equal(before + 10);
    for (const answer of [email, password]) {
      expectError(answer, 401, 'AUTH_REQUIRED', now());
      expect(answer.headers.getSetCookie()).to.deep.equal([]);
    }
    expect(email.body.error).to.equal(password.body.error);
  });

  it('lets passwords of one address wait in a line of its own', async () => {
    for (const address of ['192.0.2.1', '192.0.2.2', '2001:db8::1', '2001:db8::2']) {
      await gateway.call('POST', '/v1/auth/login', {
        body: { email: 'owner@example.com', password: PASSWORD },
        headers: [['X-Forwarded-For', address]],
      });
    }
    const lines = gateway.passwordLines.filter((_, index) => index % 5 === 0);
    expect(lines.map((line) => lines.indexOf(line))).to.deep.equal([0, 1, 2, 2]);
  });

  it('begins no session with a password that was reset while it was verified', async () => {
    gateway.atVerification(async () => {
      const user = await gateway.documents.users.get('usr_admin', 'usr_admin');
      const passwordHash = 'hash of battery staple';
      await gateway.documents.users.update('usr_admin', 'usr_admin', user?.version ?? 0, { passwordHash });
    });
    const answer = await login({ email: 'admin@example.com', password: PASSWORD });
    expectError(answer, 401, 'AUTH_REQUIRED', now());
    expect(answer.headers.getSetCookie()).to.deep.equal([]);
    expect(await gateway.documents.sessions.all('usr_admin')).to.deep.equal([]);
  });

  it('answers 400 VALIDATION_ERROR with every fault, unknown fields included, and to what is no JSON', async () => {
    const answer = await login({ email: 7, password: '', remember: true });
    expectError(answer, 400, 'VALIDATION_ERROR', now());
    const fields = answer.body.details.map((detail: { field: string }) => detail.field).sort();
    expect(fields).to.deep.equal(['email', 'password', 'remember']);
    for (const body of ['{', '7', undefined]) expectError(await login(body), 400, 'VALIDATION_ERROR', now());
  });

  it('does not look at keys and cookies', async () => {
    const body = { email: 'owner@example.com', password: PASSWORD };
    const call = {
      body,
      key: 'nonsense',
      cookies: { '__Host-tg_access': 'nonsense', '__Secure-tg_refresh': 'nonsense' },
    };
    expect((await gateway.call('POST', '/v1/auth/login', call)).status).to.equal(200);
  });

  it('answers 403 ACCESS_DENIED to a user of no organization', async () => {
    await gateway.documents.memberships.remove('org_a', 'mem_zviewer');
    const answer = await login({ email: 'viewer@example.com', password: PASSWORD });
    expectError(answer, 403, 'ACCESS_DENIED', now());
  });
});
