/** Browser sessions from login to logout: what each endpoint of /v1/auth answers, which cookies it sets, and when changes bind. */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { changeRole, removeMember } from '../../../../services/resources/members/members.ts';
import { resetPassword } from '../../../../services/resources/users/write-user.ts';
import { createIds } from '../../../../services/shared/ports/ids.ts';
import { expectError } from '../../../support/answers.ts';
import {
  cookiesOf,
  PASSWORD,
  type SessionGateway,
  startSessionGateway,
  TOKEN_START,
} from '../../../support/start-session-gateway.ts';

describe('browser sessions', () => {
  let gateway: SessionGateway;
  const now = () => gateway.clock.now();
  const session = (cookies: Record<string, string>) => gateway.call('GET', '/v1/auth/session', { cookies });
  const refresh = (cookies: Record<string, string>) => gateway.call('POST', '/v1/auth/refresh', { cookies });

  beforeEach(async () => {
    gateway = await startSessionGateway();
  });
  afterEach(async () => {
    const secrets = [PASSWORD, 'battery staple', gateway.key, 'hash of', 'tg_refresh', TOKEN_START];
    for (const secret of secrets) expect(gateway.log.join('\n')).to.not.include(secret);
    await gateway.close();
  });

  describe('a session', () => {
    it('reaches services as its user, role and organization, with all websites; its cookie does not', async () => {
      const cookies = await gateway.login('owner@example.com');
      const { body } = await gateway.call('GET', '/v1/query/websites', { cookies });
      expect(body.cookie).to.equal(null);
      const { id, ...caller } = body.caller;
      expect(id).to.match(/^ses_/);
      expect(caller).to.deep.include({ kind: 'session', organizationId: 'org_a', userId: 'usr_owner' });
      expect(caller).to.deep.include({ role: 'owner', plan: 'free', access: { level: 'global' } });
    });

    it('holds the scopes of its role and no others', async () => {
      const routes = [
        ['GET', '/v1/query/websites', 'read:data', ['owner', 'admin', 'member', 'viewer']],
        ['POST', '/track', 'track:events', ['owner', 'admin', 'member']],
        ['GET', '/v1/websites', 'read:data', ['owner', 'admin', 'member', 'viewer']],
      ] as const;
      for (const role of ['owner', 'admin', 'member', 'viewer'] as const) {
        const cookies = await gateway.login(`${role}@example.com`);
        for (const [method, path, scope, holders] of routes) {
          const body = method === 'POST' ? { name: 'signup' } : undefined;
          const answer = await gateway.call(method, path, { cookies, body });
          if ((holders as readonly string[]).includes(role))
            expect(answer.status, `${role} ${path}`).to.equal(200);
          else {
            expectError(answer, 403, 'INSUFFICIENT_SCOPE', now());
            expect(answer.body.error).to.include(scope);
          }
        }
        const { body } = await gateway.call('GET', '/v1/query/websites', { cookies });
        expect(body.caller.scopes.includes('manage:config')).to.equal(role === 'owner' || role === 'admin');
        expect(body.caller.scopes.includes('read:links')).to.equal(true);
      }
    });

    it('steps back behind a key: a wrong one is 401, a good one decides, and no key opens a session-only route', async () => {
      const cookies = await gateway.login('owner@example.com');
      const wrong = await gateway.call('GET', '/v1/query/websites', { cookies, key: 'nonsense' });
      expectError(wrong, 401, 'INVALID_API_KEY', now());
      const right = await gateway.call('GET', '/v1/query/websites', { cookies, key: gateway.key });
      expect(right.body.caller.kind).to.equal('key');
      for (const [method, path] of [
        ['GET', '/v1/auth/session'],
        ['POST', '/v1/auth/logout'],
      ] as const) {
        const answer = await gateway.call(method, path, { cookies, key: gateway.key });
        expectError(answer, 403, 'ACCESS_DENIED', now());
      }
      expect((await session(cookies)).status).to.equal(200);
    });

    it('does not survive another signature, another algorithm, two cookies, or 15 minutes', async () => {
      const cookies = await gateway.login('owner@example.com');
      const { '__Host-tg_access': tg_access = '' } = cookies;
      const [, payload, signature] = tg_access.split('.');
      const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
      const other = `${Buffer.from('{"alg":"HS512"}').toString('base64url')}.${payload}.${signature}`;
      for (const token of [none, other, `${tg_access.slice(0, -4)}AAAA`, 'nonsense']) {
        expectError(await session({ '__Host-tg_access': token }), 401, 'AUTH_REQUIRED', now());
      }
      const headers = [['Cookie', `__Host-tg_access=${tg_access}; __Host-tg_access=other`]] as const;
      expectError(await gateway.call('GET', '/v1/auth/session', { headers }), 401, 'AUTH_REQUIRED', now());
      gateway.clock.advance(15 * 60_000 - 1_500);
      expect((await session(cookies)).status).to.equal(200);
      gateway.clock.advance(1_500);
      const expired = await session(cookies);
      expectError(expired, 401, 'AUTH_REQUIRED', now());
      expect(expired.body.error).to.include('expired');
    });

    it('is refused without cookies with 401 AUTH_REQUIRED, on each endpoint that needs it', async () => {
      for (const [method, path] of [
        ['GET', '/v1/auth/session'],
        ['POST', '/v1/auth/switch'],
        ['POST', '/v1/auth/password'],
        ['POST', '/v1/auth/logout'],
        ['POST', '/v1/auth/refresh'],
      ] as const) {
        expectError(await gateway.call(method, path), 401, 'AUTH_REQUIRED', now());
      }
    });

    it('loses a role within 5 seconds, and its membership too', async () => {
      const cookies = await gateway.login('admin@example.com');
      const track = () => gateway.call('POST', '/track', { cookies, body: { name: 'signup' } });
      expect((await track()).status).to.equal(200);
      const { memberships } = gateway.documents;
      await memberships.update('org_a', 'mem_zadmin', 1, { role: 'viewer' });
      gateway.clock.advance(5_000);
      expectError(await track(), 403, 'INSUFFICIENT_SCOPE', now());
      await memberships.remove('org_a', 'mem_zadmin');
      gateway.clock.advance(5_000);
      expectError(await session(cookies), 401, 'AUTH_REQUIRED', now());
      expectError(await refresh(cookies), 401, 'AUTH_REQUIRED', now());
    });

    it('loses a role, a membership and everything by a new password at once, when its own process writes them', async () => {
      const { own, clock } = gateway;
      const ports = { documents: own, ids: createIds(), clock, randomBytes };
      const owner = { organizationId: 'org_a', userId: 'usr_owner', role: 'owner' } as const;
      const cookies = await gateway.login('member@example.com');
      const track = () => gateway.call('POST', '/track', { cookies, body: { name: 'signup' } });
      expect((await track()).status).to.equal(200);
      await changeRole(ports, owner, { id: 'mem_zmember', ifMatch: undefined }, 'viewer');
      expectError(await track(), 403, 'INSUFFICIENT_SCOPE', now());
      await resetPassword(ports, 'member@example.com');
      expectError(await session(cookies), 401, 'AUTH_REQUIRED', now());
      const again = await gateway.login('viewer@example.com');
      expect((await session(again)).status).to.equal(200);
      await removeMember(ports, owner, { id: 'mem_zviewer', ifMatch: undefined });
      expectError(await session(again), 401, 'AUTH_REQUIRED', now());
      expect(await own.sessions.all('usr_viewer')).to.deep.equal([]);
    });

    it('reaches nothing of an organization that it was switched to while its user was being removed', async () => {
      const { documents, clock } = gateway;
      const { sessions } = documents;
      const cookies = await gateway.login('owner@example.com');
      const all = sessions.all.bind(sessions);
      // The switch saw the membership, and is written once the removal has looked for sessions to end.
      sessions.all = async (userId) => {
        const found = await all(userId);
        for (const { id, version } of found) {
          await sessions.update(userId, id, version, { activeOrganizationId: 'org_b' });
        }
        return found;
      };
      const ports = { documents, ids: createIds(), clock, randomBytes };
      const owner = { organizationId: 'org_b', userId: 'usr_other', role: 'owner' } as const;
      await removeMember(ports, owner, { id: 'mem_a', ifMatch: undefined });
      sessions.all = all;
      clock.advance(5_000);
      expect((await all('usr_owner')).map((left) => left.activeOrganizationId)).to.deep.equal(['org_b']);
      expectError(await session(cookies), 401, 'AUTH_REQUIRED', now());
      expectError(await gateway.call('GET', '/v1/query/websites', { cookies }), 401, 'AUTH_REQUIRED', now());
      expect((await refresh(cookies)).body.data.activeOrganizationId).to.equal('org_a');
    });

    it('goes on for another organization of its user by a refresh, when its user left the active one', async () => {
      const cookies = await gateway.login('owner@example.com');
      await gateway.documents.memberships.remove('org_a', 'mem_zowner');
      const refreshed = await refresh(cookies);
      expect(refreshed.body.data.activeOrganizationId).to.equal('org_b');
      expect((await session(cookiesOf(refreshed))).body.data.activeOrganizationId).to.equal('org_b');
    });

    it('answers 503, never 401, while the store is down', async () => {
      const cookies = await gateway.login('owner@example.com');
      await gateway.documents.close();
      expectError(await session(cookies), 503, 'UPSTREAM_UNAVAILABLE', now());
    });
  });

  describe('POST /v1/auth/switch', () => {
    const to = (cookies: Record<string, string>, organizationId: unknown) =>
      gateway.call('POST', '/v1/auth/switch', { cookies, body: { organizationId } });

    it('acts for the other organization with the role there, at once', async () => {
      const cookies = await gateway.login('owner@example.com');
      const track = () => gateway.call('POST', '/track', { cookies, body: { name: 'signup' } });
      expect((await track()).status).to.equal(200);
      const answer = await to(cookies, 'org_b');
      expect(answer.body.data.activeOrganizationId).to.equal('org_b');
      const { body } = await gateway.call('GET', '/v1/query/websites', { cookies });
      expect([body.caller.organizationId, body.caller.role]).to.deep.equal(['org_b', 'viewer']);
      expectError(await track(), 403, 'INSUFFICIENT_SCOPE', now());
      expect((await refresh(cookies)).body.data.activeOrganizationId).to.equal('org_b');
    });

    it('answers 403 ACCESS_DENIED alike for a foreign and an unknown organization, 400 for none', async () => {
      const cookies = await gateway.login('viewer@example.com');
      for (const id of ['org_b', 'org_none']) expectError(await to(cookies, id), 403, 'ACCESS_DENIED', now());
      expectError(await to(cookies, 7), 400, 'VALIDATION_ERROR', now());
    });
  });

  describe('POST /v1/auth/password', () => {
    const change = (cookies: Record<string, string>, current: string, next: string) =>
      gateway.call('POST', '/v1/auth/password', { cookies, body: { current, new: next } });

    it('ends the other sessions of the user at once, keeps its own, and changes the password', async () => {
      const [own, other, stranger] = await Promise.all(
        ['owner', 'owner', 'admin'].map((name) => gateway.login(`${name}@example.com`)),
      );
      for (const cookies of [own, other, stranger])
        expect((await session(cookies ?? {})).status).to.equal(200);
      const answer = await change(own ?? {}, PASSWORD, 'battery staple');
      expect([answer.status, answer.body]).to.deep.equal([204, null]);
      expectError(await session(other ?? {}), 401, 'AUTH_REQUIRED', now());
      expectError(await refresh(other ?? {}), 401, 'AUTH_REQUIRED', now());
      expect((await session(own ?? {})).status).to.equal(200);
      expect((await session(stranger ?? {})).status).to.equal(200);
      expect(await gateway.login('owner@example.com')).to.deep.equal({});
    });

    it('answers 401 to a wrong current password and 400 to a short new one, and changes nothing', async () => {
      const cookies = await gateway.login('owner@example.com');
      expectError(await change(cookies, 'wrong horse', 'battery staple'), 401, 'AUTH_REQUIRED', now());
      expectError(await change(cookies, PASSWORD, 'short'), 400, 'VALIDATION_ERROR', now());
      expect(await gateway.login('owner@example.com')).to.have.keys(
        '__Host-tg_access',
        '__Secure-tg_refresh',
      );
    });
  });

  describe('POST /v1/auth/logout', () => {
    const logout = (cookies: Record<string, string>, origin?: string) =>
      gateway.call('POST', '/v1/auth/logout', { cookies, origin });

    it('ends the session at once and makes the browser forget both cookies; again it is 204 too', async () => {
      const cookies = await gateway.login('owner@example.com');
      expect((await session(cookies)).status).to.equal(200);
      for (let times = 0; times < 2; times++) {
        const answer = await logout(cookies);
        expect(answer.status).to.equal(204);
        expect(
          answer.headers.getSetCookie().map((line) => line.slice(0, line.indexOf('; Path'))),
        ).to.deep.equal(['__Host-tg_access=; Max-Age=0', '__Secure-tg_refresh=; Max-Age=0']);
      }
      expectError(await session(cookies), 401, 'AUTH_REQUIRED', now());
      expectError(await refresh(cookies), 401, 'AUTH_REQUIRED', now());
    });

    it('ends the session by its refresh cookie, when the access cookie is gone', async () => {
      const { '__Secure-tg_refresh': tg_refresh = '', '__Host-tg_access': tg_access = '' } =
        await gateway.login('owner@example.com');
      expect((await logout({ '__Secure-tg_refresh': tg_refresh })).status).to.equal(204);
      expectError(await session({ '__Host-tg_access': tg_access }), 401, 'AUTH_REQUIRED', now());
    });

    it('ends nothing for a foreign page', async () => {
      const cookies = await gateway.login('owner@example.com');
      expectError(await logout(cookies, 'https://evil.com'), 401, 'AUTH_REQUIRED', now());
      expect((await session(cookies)).status).to.equal(200);
    });
  });
});
