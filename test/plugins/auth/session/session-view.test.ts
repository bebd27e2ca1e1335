/** What a session tells its user: who, where, what it may do, and until when, whatever the role. */
import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { ROLE_SCOPES } from '../../../../services/shared/access/role-scopes.ts';
import { sessionViewSchema } from '../../../../services/shared/accounts/session-schema.ts';
import { ROLES } from '../../../../services/shared/model/user.ts';
import { expectError } from '../../../support/answers.ts';
import {
  cookiesOf,
  PASSWORD,
  type SessionGateway,
  startSessionGateway,
} from '../../../support/start-session-gateway.ts';

const ACCESS_MS = 15 * 60_000;

describe('the view of a session', () => {
  let gateway: SessionGateway;

  beforeEach(async () => {
    gateway = await startSessionGateway();
  });
  afterEach(() => gateway.close());

  const login = (email: string) =>
    gateway.call('POST', '/v1/auth/login', { body: { email, password: PASSWORD } });
  const read = (cookies: Record<string, string>) => gateway.call('GET', '/v1/auth/session', { cookies });
  const inMs = (ms: number) => new Date(gateway.clock.now() + ms).toISOString();

  for (const role of ROLES) {
    it(`tells ${role} the time zone, plan, limits and scopes, alike at login and later`, async () => {
      const { version } = (await gateway.own.organizations.get('org_a', 'org_a')) ?? { version: 0 };
      const changes = { timezone: 'Europe/Berlin', limits: { perMinute: 7_000, links: 3 } };
      await gateway.own.organizations.update('org_a', 'org_a', version, changes);
      const answer = await login(`${role}@example.com`);
      const { data } = sessionViewSchema.parse(answer.body);
      expect(data.active).to.deep.equal({
        id: 'org_a',
        timezone: 'Europe/Berlin',
        plan: 'free',
        limits: {
          per10Seconds: 50,
          perMinute: 7_000,
          perDay: null,
          perMonth: null,
          customSqlPerMinute: 30,
          batchDatasetsPerMinute: 6_000,
          batchEventsPerMinute: 60_000,
          publicPerMinute: 100,
          websites: 1_000,
          links: 3,
          goals: 1_000,
          funnels: 1_000,
        },
      });
      expect(data.scopes).to.deep.equal([...ROLE_SCOPES[role]]);
      const [session] = await gateway.own.sessions.all(`usr_${role}`);
      expect(data.sessionId).to.equal(session?.id);
      expect((await read(cookiesOf(answer))).body).to.deep.equal(answer.body);
    });
  }

  it('says UTC where no time zone was set', async () => {
    expect((await login('viewer@example.com')).body.data.active.timezone).to.equal('UTC');
  });

  it('says when the access cookie ends: the same until a refresh, then that of the new one', async () => {
    const loggedIn = await login('owner@example.com');
    const end = inMs(ACCESS_MS);
    expect(loggedIn.body.data.accessExpiresAt).to.equal(end);
    const cookies = cookiesOf(loggedIn);
    const { exp = 0 } = decodeJwt(cookies['__Host-tg_access'] ?? '');
    expect(new Date(exp * 1000).toISOString()).to.equal(end);
    gateway.clock.advance(60_000);
    expect((await read(cookies)).body.data.accessExpiresAt).to.equal(end);
    const switched = await gateway.call('POST', '/v1/auth/switch', {
      cookies,
      body: { organizationId: 'org_b' },
    });
    expect(switched.body.data.accessExpiresAt).to.equal(end);
    const refreshed = await gateway.call('POST', '/v1/auth/refresh', { cookies });
    expect(refreshed.body.data.accessExpiresAt).to.equal(inMs(ACCESS_MS));
    expect((await read(cookiesOf(refreshed))).body).to.deep.equal(refreshed.body);
  });

  it('follows a switch: organization, scopes and limits are those of the other one', async () => {
    const cookies = await gateway.login('owner@example.com');
    const body = { organizationId: 'org_b' };
    const { data } = (await gateway.call('POST', '/v1/auth/switch', { cookies, body })).body;
    expect(data.activeOrganizationId).to.equal('org_b');
    expect(data.active.id).to.equal('org_b');
    expect(data.scopes).to.deep.equal(['read:data', 'read:links']);
    expect((await read(cookies)).body.data).to.deep.equal(data);
  });

  it('is refused, and no session begins, where the organization is gone though the membership is not yet', async () => {
    await gateway.own.organizations.remove('org_a', 'org_a');
    const answer = await login('viewer@example.com');
    expectError(answer, 401, 'AUTH_REQUIRED', gateway.clock.now());
    expect(answer.headers.getSetCookie()).to.deep.equal([]);
    expect(await gateway.own.sessions.all('usr_viewer')).to.deep.equal([]);
  });
});
