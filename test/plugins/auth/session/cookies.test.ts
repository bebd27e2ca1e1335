/** The names of the cookies: prefixed on a domain of one's own, plain on localhost, and what becomes of those of earlier versions. */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { decodeJwt, SignJWT } from 'jose';
import { createRefreshTokens } from '../../../../plugins/auth/session/refresh-token.ts';
import { expectError, expectSuccess } from '../../../support/answers.ts';
import {
  cookiesOf,
  type SessionGateway,
  startSessionGateway,
} from '../../../support/start-session-gateway.ts';

const ACCESS = '__Host-tg_access';
const REFRESH = '__Secure-tg_refresh';

describe('the names of the cookies', () => {
  let gateway: SessionGateway;
  const now = () => gateway.clock.now();
  afterEach(() => gateway.close());
  const call = (method: string, path: string, cookies: Record<string, string>, origin?: string) =>
    gateway.call(method, path, { cookies, origin });
  const linesOf = (answer: { headers: Headers }) =>
    answer.headers.getSetCookie().map((line) => line.replace(/^([^=]+)=[^;]+/, '$1=…'));

  describe('on a domain', () => {
    /** Cookies of one session as an earlier version named them. */
    let old: { tg_access: string; tg_refresh: string };
    let fresh: Record<string, string>;
    /** An access token of this version, of the session of the old cookies. */
    let marked: string;
    /** A refresh token of this version, of a session that an attacker may have. */
    let theirs: string;
    /** The refresh token of the same session and rotation as an earlier version made it, which is the good one from now on. */
    const refreshAsBefore = async (text: string) => {
      const [id = '', generation] = text.split('.');
      const token = createRefreshTokens(gateway.cookieKey, randomBytes, false).create(id, Number(generation));
      const session = await gateway.documents.sessions.findUnique('id', [id]);
      const { organizationId = '', version = 0 } = session ?? {};
      await gateway.documents.sessions.update(organizationId, id, version, { refreshHash: token.hash });
      return token.text;
    };
    /** The same token as an earlier version issued it, which did not say under which name. */
    const asBefore = (token: string) => {
      const { host: _, ...claims } = decodeJwt(token);
      return new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(gateway.cookieKey);
    };
    beforeEach(async () => {
      gateway = await startSessionGateway();
      const { [ACCESS]: access = '', [REFRESH]: refresh = '' } = await gateway.login('admin@example.com');
      old = { tg_access: await asBefore(access), tg_refresh: await refreshAsBefore(refresh) };
      marked = access;
      theirs = (await gateway.login('member@example.com'))[REFRESH] ?? '';
      fresh = await gateway.login('owner@example.com');
    });

    it('are prefixed, so that no other host and no plain connection can set them', () => {
      expect(Object.keys(fresh)).to.deep.equal([ACCESS, REFRESH]);
    });

    it('of an earlier version are read where the new ones are missing, and ignored beside them', async () => {
      const emailBy = async (cookies: Record<string, string>) =>
        (await call('GET', '/v1/auth/session', cookies)).body.data.user.email;
      expect(await emailBy(old)).to.equal('admin@example.com');
      expect(await emailBy({ ...old, ...fresh })).to.equal('owner@example.com');
      expect(await emailBy({ ...fresh, tg_access: 'nonsense', tg_refresh: 'nonsense' })).to.equal(
        'owner@example.com',
      );
    });

    it('of an earlier version do not stand in for a new one that is no good', async () => {
      const dead = await call('GET', '/v1/auth/session', { ...old, [ACCESS]: 'nonsense' });
      expectError(dead, 401, 'AUTH_REQUIRED', now());
      const twice = [['Cookie', `${ACCESS}=a; ${ACCESS}=b; tg_access=${old.tg_access}`]] as const;
      expectError(
        await gateway.call('GET', '/v1/auth/session', { headers: twice }),
        401,
        'AUTH_REQUIRED',
        now(),
      );
      const spent = await call('POST', '/v1/auth/refresh', { ...old, [REFRESH]: 'nonsense' });
      expectError(spent, 401, 'AUTH_REQUIRED', now());
    });

    it('of an earlier version do not stand in for one of the new ones that ran out beside the other', async () => {
      const { [ACCESS]: access = '', [REFRESH]: refresh = '' } = fresh;
      const planted = await call('GET', '/v1/auth/session', { ...old, [REFRESH]: refresh });
      expectError(planted, 401, 'AUTH_REQUIRED', now());
      const spent = await call('POST', '/v1/auth/refresh', { ...old, [ACCESS]: access });
      expectError(spent, 401, 'AUTH_REQUIRED', now());
      const kept = await call('GET', '/v1/auth/session', { tg_access: old.tg_access });
      expect(kept.status).to.equal(200);
    });

    it('are not taken under the old name, which another subdomain sets, though the new access cookie ran out', async () => {
      const isOf = async (cookies: Record<string, string>, path: string) => {
        const { status, body } = await call('GET', path, cookies);
        return status === 200 ? ((body.caller ?? body.data).organizationId ?? body.data?.user.id) : status;
      };
      for (const path of ['/v1/websites', '/v1/auth/session']) {
        const planted = await call('GET', path, { tg_access: marked });
        expectError(planted, 401, 'AUTH_REQUIRED', now());
        expect(await isOf({ [ACCESS]: marked }, path)).to.be.a('string');
        expectError(await call('GET', path, { tg_access: marked }), 401, 'AUTH_REQUIRED', now());
      }
      for (const name of [ACCESS, 'tg_access']) {
        expect(await isOf({ [name]: old.tg_access }, '/v1/websites'), name).to.equal('org_a');
      }
      gateway.clock.advance(15 * 60_000);
      for (const name of [ACCESS, 'tg_access']) {
        expect(await isOf({ [name]: old.tg_access }, '/v1/websites'), name).to.equal(401);
      }
    });

    it('do not begin the session of somebody who plants the refresh cookie of this version under the old name', async () => {
      const besides: Record<string, string>[] = [{}, { tg_access: old.tg_access }];
      for (const beside of besides) {
        const planted = await call('POST', '/v1/auth/refresh', { ...beside, tg_refresh: theirs });
        expectError(planted, 401, 'AUTH_REQUIRED', now());
        expect(Object.values(cookiesOf(planted)).filter(Boolean), 'cookies are only cleared').to.deep.equal(
          [],
        );
        const out = await call('POST', '/v1/auth/logout', { tg_refresh: theirs });
        expect(out.status).to.equal(204);
      }
      const whose = await call('POST', '/v1/auth/refresh', { [REFRESH]: theirs });
      expectSuccess(whose, 200, now());
      expect(whose.body.data.user.email, 'it was neither spent nor ended').to.equal('member@example.com');
    });

    it('of an earlier version serve one refresh, whose tokens count under the new names alone', async () => {
      const first = cookiesOf(await call('POST', '/v1/auth/refresh', { tg_refresh: old.tg_refresh }));
      const next = first[REFRESH] ?? '';
      const planted = await call('POST', '/v1/auth/refresh', { tg_refresh: next });
      expectError(planted, 401, 'AUTH_REQUIRED', now());
      const second = await call('POST', '/v1/auth/refresh', { [REFRESH]: next });
      expectSuccess(second, 200, now());
      gateway.clock.advance(10_001);
      const again = await call('POST', '/v1/auth/refresh', { tg_refresh: old.tg_refresh });
      expectError(again, 401, 'AUTH_REQUIRED', now());
      const ended = await call('POST', '/v1/auth/refresh', { [REFRESH]: cookiesOf(second)[REFRESH] ?? '' });
      expectError(ended, 401, 'AUTH_REQUIRED', now());
    });

    it('of an earlier version are replaced by a refresh', async () => {
      const refreshed = await call('POST', '/v1/auth/refresh', old);
      expectSuccess(refreshed, 200, now());
      expect(linesOf(refreshed)).to.deep.equal([
        `${ACCESS}=…; Max-Age=900; Path=/; HttpOnly; SameSite=Lax; Secure`,
        `${REFRESH}=…; Max-Age=2592000; Path=/v1/auth; HttpOnly; SameSite=Lax; Secure`,
        'tg_access=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure',
        'tg_refresh=; Max-Age=0; Path=/v1/auth; HttpOnly; SameSite=Lax; Secure',
      ]);
    });

    it('are all cleared by a logout, which ends the session of an earlier version too', async () => {
      const out = await call('POST', '/v1/auth/logout', old);
      expect(out.status).to.equal(204);
      const cleared = { [ACCESS]: '', [REFRESH]: '', tg_access: '', tg_refresh: '' };
      expect(cookiesOf({ ...out })).to.deep.equal(cleared);
      expectError(await call('GET', '/v1/auth/session', old), 401, 'AUTH_REQUIRED', now());
      const without = await call('POST', '/v1/auth/logout', fresh);
      expect(cookiesOf(without)).to.deep.equal({ [ACCESS]: '', [REFRESH]: '' });
    });
  });

  it('are plain on localhost, where a prefixed one counts for nothing', async () => {
    gateway = await startSessionGateway({ serviceDomain: 'localhost', originPorts: [] });
    const origin = 'http://localhost:5173';
    const body = { email: 'owner@example.com', password: 'correct horse' };
    const answer = await gateway.call('POST', '/v1/auth/login', { origin, body });
    expect(linesOf(answer)).to.deep.equal([
      'tg_access=…; Max-Age=900; Path=/; HttpOnly; SameSite=Lax',
      'tg_refresh=…; Max-Age=2592000; Path=/v1/auth; HttpOnly; SameSite=Lax',
    ]);
    const { tg_access = '', tg_refresh = '' } = cookiesOf(answer);
    expect((await call('GET', '/v1/auth/session', { tg_access }, origin)).status).to.equal(200);
    const prefixed = { [ACCESS]: tg_access, [REFRESH]: tg_refresh };
    expectError(await call('GET', '/v1/auth/session', prefixed, origin), 401, 'AUTH_REQUIRED', now());
    const out = await call('POST', '/v1/auth/logout', { tg_access, tg_refresh }, origin);
    expect(cookiesOf(out)).to.deep.equal({ tg_access: '', tg_refresh: '' });
  });
});
