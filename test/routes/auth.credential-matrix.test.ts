/** Who gets what at every protected route: each kind of credential against each rule, through the whole server. */
import { expect } from 'chai';
import { API_ROUTES } from '../../gateway/process/compose/api-description.ts';
import { ROLE_SCOPES } from '../../services/shared/access/role-scopes.ts';
import { SCOPES } from '../../services/shared/access/scopes.ts';
import type { RouteDescription } from '../../services/shared/http/route.ts';
import { ROLES, type Role } from '../../services/shared/model/user.ts';
import { expectError, expectSuccess } from '../support/answers.ts';
import { withStored } from '../support/open-stored.ts';
import { TARGETS as NAMED_TARGETS, type Outcome } from '../support/protected-routes.ts';
import { type Answer, type CallOptions, startTidegate, type TestServer } from '../support/start-tidegate.ts';
import { RESOURCE_TARGETS } from '../support/stored-resources.ts';

const ORIGIN = 'http://localhost:5173';
const PASSWORD = 'correct horse';

/** A stored thing without a line of its own is asked as one of the whole organization. */
const TARGETS = { ...RESOURCE_TARGETS, ...NAMED_TARGETS };

const isProtected = ({ rule }: RouteDescription): boolean => rule !== 'public';
const nameOf = ({ method, path }: RouteDescription): string => `${method} ${path}`;

describe('who gets what at every protected route', () => {
  let server: TestServer;
  let rotatedOut: string;
  const sessions = new Map<Role, string>();
  /** Keys that hold every scope but one, by that one. */
  const keysWithout = new Map<string, string>();

  before(async () => {
    server = await startTidegate();
    await addUsers(server.dataDir);
    const owner = await login('owner');
    const headers = { origin: ORIGIN, cookie: owner };
    const create = async (name: string, scopes: readonly string[]) => {
      const body = { name, scopes, access: { level: 'global' } };
      const made = await server.call('POST', '/v1/api-keys', { headers, body });
      expectSuccess(made, 201);
      return made.body.data;
    };
    for (const scope of SCOPES) {
      const others = SCOPES.filter((each) => each !== scope);
      keysWithout.set(scope, (await create(`without ${scope}`, others)).secret);
    }
    const { id, secret } = await create('rotated', ['read:data', 'track:events']);
    rotatedOut = secret;
    expectSuccess(await server.call('GET', '/v1/websites', { key: rotatedOut }));
    const path = `/v1/api-keys/${id}/rotate`;
    expectSuccess(await server.call('POST', path, { headers, body: { graceSeconds: 0 } }));
    for (const role of ROLES) sessions.set(role, await login(role));
  });
  after(() => server.close());

  async function login(role: Role): Promise<string> {
    const body = { email: `${role}@example.com`, password: PASSWORD };
    const answer = await server.call('POST', '/v1/auth/login', { headers: { origin: ORIGIN }, body });
    expectSuccess(answer);
    return cookieOf(answer);
  }

  it('is asked of every protected route', () => {
    expect(Object.keys(TARGETS).sort()).to.deep.equal(API_ROUTES.filter(isProtected).map(nameOf).sort());
  });

  // The test above names the routes that have no target.
  const targeted = API_ROUTES.filter(isProtected).flatMap((route) => {
    const target = TARGETS[nameOf(route)];
    return target === undefined ? [] : [{ route, target }];
  });
  for (const { route, target } of targeted) {
    describe(nameOf(route), () => {
      const { rule } = route;
      // Of the users here the owner alone runs the service.
      const admitted = (roles: readonly Role[], operators = false) => (operators ? ['owner'] : roles);
      const roles = rule !== 'public' && 'roles' in rule ? admitted(rule.roles, rule.operators) : null;
      const isKeyless = rule !== 'public' && 'scopes' in rule && rule.keyless === true;
      const scopes: readonly string[] = rule !== 'public' && 'scopes' in rule ? rule.scopes : [];
      /** What a live key with every scope gets: no key opens a route of sessions. */
      const byKey: Outcome = roles === null ? target.passed : [403, 'ACCESS_DENIED'];
      const lacking = scopes[0] ?? 'read:data';
      const byLackingKey: Outcome = roles === null ? [403, 'INSUFFICIENT_SCOPE'] : [403, 'ACCESS_DENIED'];

      const call = (options: CallOptions, place: { path: string; body?: unknown } = target) =>
        server.call(route.method, place.path, { body: place.body, ...options });
      const withCookie = async (role: Role, options: CallOptions = {}) => {
        // A logout ends the session, so it gets one of its own.
        const cookie = route.path === '/v1/auth/logout' ? await login(role) : (sessions.get(role) ?? '');
        return call({ ...options, headers: { origin: ORIGIN, cookie, ...options.headers } });
      };

      it('nobody: 401 AUTH_REQUIRED', async () => {
        const answer = await call({});
        expectOutcome(answer, [401, 'AUTH_REQUIRED']);
        // What it advises works here: no key opens a route of sessions.
        if (!isKeyless) {
          expect(answer.body.error).to.include('POST /v1/auth/login');
          expect(answer.body.error.includes('x-api-key')).to.equal(roles === null);
        }
      });

      it('a malformed, unknown, expired, revoked, disabled or rotated-out key: 401 INVALID_API_KEY', async () => {
        const { unknown, expired, revoked, disabled } = server.keys;
        for (const key of ['nonsense', unknown, expired, revoked, disabled, rotatedOut]) {
          expectOutcome(await call({ key }), [401, 'INVALID_API_KEY']);
          const headers = { authorization: `Bearer ${key}` };
          expectOutcome(await call({ headers }), [401, 'INVALID_API_KEY']);
        }
      });

      it(`a key with every scope: ${byKey.join(' ')}`, async () => {
        expectOutcome(await call({ key: server.keys.all }), byKey);
      });

      it(`a key with every scope but ${lacking}: ${byLackingKey.join(' ')}`, async () => {
        const answer = await call({ key: keysWithout.get(lacking) });
        expectOutcome(answer, byLackingKey);
        for (const scope of scopes) expect(answer.body.error).to.include(scope);
      });

      it('a key of one website: its own, and no other', async () => {
        const key = server.keys.shopOnly;
        const answer = await call({ key });
        expectOutcome(answer, target.websiteKey ?? byKey);
        if (target.lists !== undefined) {
          const ids = answer.body[target.lists].map((website: { id: string }) => website.id);
          expect(ids).to.deep.equal(['web_shop']);
        }
        if (target.elsewhere) expectOutcome(await call({ key }, target.elsewhere), [403, 'ACCESS_DENIED']);
      });

      it('two different keys: 401 INVALID_API_KEY; the same twice counts as one', async () => {
        const { all, readOnly } = server.keys;
        const two = { key: all, headers: { authorization: `Bearer ${readOnly}` } };
        expectOutcome(await call(two), [401, 'INVALID_API_KEY']);
        expectOutcome(await call({ key: all, headers: { authorization: `Bearer ${all}` } }), byKey);
      });

      for (const role of ROLES) {
        const outcome = bySession(role);
        it(`a session of role ${role}: ${outcome.join(' ')}`, async () => {
          expectOutcome(await withCookie(role), outcome);
        });
      }

      it('a session from a foreign page: 401 AUTH_REQUIRED', async () => {
        const headers = { origin: 'https://evil.example.net' };
        expectOutcome(await withCookie('owner', { headers }), [401, 'AUTH_REQUIRED']);
      });

      if (isKeyless) {
        /** The same call for a website that the query string names. */
        const naming = (websiteId: string) => {
          const mark = target.path.includes('?') ? '&' : '?';
          return { path: `${target.path}${mark}client_id=${websiteId}`, body: target.body };
        };

        it('nobody, for a website that lets them: what a key gets', async () => {
          expectOutcome(await call({}, naming('web_shop')), target.passed);
          const headers = { 'databuddy-client-id': 'web_shop' };
          expectOutcome(await call({ headers }), target.passed);
        });

        it('nobody, for an unknown website or from a foreign page: 403 ACCESS_DENIED', async () => {
          expectOutcome(await call({}, naming('web_none')), [403, 'ACCESS_DENIED']);
          const headers = { origin: 'https://evil.example.net' };
          expectOutcome(await call({ headers }, naming('web_shop')), [403, 'ACCESS_DENIED']);
        });

        it('a cookie, live or dead, changes nothing: it is not read', async () => {
          const own = { origin: 'https://shop.example.com', cookie: sessions.get('owner') ?? '' };
          expectOutcome(await call({ headers: own }, naming('web_shop')), target.passed);
          const dead = { ...own, cookie: 'tg_access=dead' };
          expectOutcome(await call({ headers: dead }, naming('web_shop')), target.passed);
        });

        it('a wrong key is never taken for nobody: 401 INVALID_API_KEY', async () => {
          const { unknown } = server.keys;
          expectOutcome(await call({ key: unknown }, naming('web_shop')), [401, 'INVALID_API_KEY']);
        });

        it('a key without the scope is never taken for nobody: 403 INSUFFICIENT_SCOPE', async () => {
          const { readOnly } = server.keys;
          expectOutcome(await call({ key: readOnly }, naming('web_shop')), [403, 'INSUFFICIENT_SCOPE']);
        });
      }

      it('a key beside the cookie of an owner: the key alone decides', async () => {
        const { all, unknown } = server.keys;
        expectOutcome(await withCookie('owner', { key: unknown }), [401, 'INVALID_API_KEY']);
        expectOutcome(await withCookie('owner', { key: keysWithout.get(lacking) }), byLackingKey);
        expectOutcome(await withCookie('viewer', { key: all }), byKey);
        const headers = { origin: ORIGIN, cookie: 'tg_access=dead' };
        expectOutcome(await call({ key: all, headers }), byKey);
      });

      function bySession(role: Role): Outcome {
        if (isKeyless) return [401, 'AUTH_REQUIRED'];
        if (roles !== null) return roles.includes(role) ? target.passed : [403, 'ACCESS_DENIED'];
        const holds = scopes.every((scope) => ROLE_SCOPES[role].some((held) => held === scope));
        return holds ? target.passed : [403, 'INSUFFICIENT_SCOPE'];
      }
    });
  }
});

function cookieOf(answer: Answer): string {
  const lines = answer.headers.getSetCookie();
  return lines.map((line) => line.split(';')[0]).join('; ');
}

function expectOutcome(answer: Answer, [status, code]: Outcome): void {
  if (code === undefined) expectSuccess(answer, status);
  else expectError(answer, status, code);
}

/** A user of each other role beside the provisioned owner, with the owner's password. */
function addUsers(dataDir: string): Promise<void> {
  return withStored(dataDir, async (store) => {
    const owner = await store.users.findUnique('emailHome', ['owner@example.com', '*']);
    if (!owner) throw new Error('the provisioned owner is missing');
    const { passwordHash } = owner;
    for (const role of ROLES.filter((one) => one !== 'owner')) {
      const id = `usr_${role}`;
      await store.users.insert({
        id,
        organizationId: id,
        email: `${role}@example.com`,
        home: '*',
        passwordHash,
      });
      await store.memberships.insert({ id: `mem_${role}`, organizationId: 'org_main', userId: id, role });
    }
  });
}
