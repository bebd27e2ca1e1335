/** The sessions of a user: what the list tells of each, and that one ends another at once, and no one else's. */
import { expect } from 'chai';
import { type OwnSession, ownSessionSchema } from '../../../../services/shared/accounts/session-schema.ts';
import { expectError } from '../../../support/answers.ts';
import {
  cookiesOf,
  PASSWORD,
  type SessionGateway,
  startSessionGateway,
} from '../../../support/start-session-gateway.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const MINUTE_MS = 60_000;

type Cookies = Record<string, string>;

describe('the sessions of a user', () => {
  let gateway: SessionGateway;
  const now = () => gateway.clock.now();
  const at = (ms = 0) => new Date(now() + ms).toISOString();

  beforeEach(async () => {
    gateway = await startSessionGateway();
  });
  afterEach(() => gateway.close());

  const login = async (agent: string | null, email = 'owner@example.com'): Promise<Cookies> => {
    const headers = agent === null ? [] : ([['User-Agent', agent]] as const);
    const body = { email, password: PASSWORD };
    return cookiesOf(await gateway.call('POST', '/v1/auth/login', { body, headers }));
  };
  const list = async (cookies: Cookies) => {
    const { body, status } = await gateway.call('GET', '/v1/auth/sessions', { cookies });
    expect(status).to.equal(200);
    return body.data.map((each: unknown) => ownSessionSchema.parse(each));
  };
  const idOf = async (cookies: Cookies): Promise<string> =>
    (await gateway.call('GET', '/v1/auth/session', { cookies })).body.data.sessionId;
  const end = (cookies: Cookies, id: string) =>
    gateway.call('DELETE', `/v1/auth/sessions/${id}`, { cookies });

  it('are listed with device, address, times and organization, the last used first, the own one marked', async () => {
    const begun = at();
    const first = await login(FIREFOX);
    gateway.clock.advance(MINUTE_MS);
    const second = await login(IPHONE);
    gateway.clock.advance(MINUTE_MS);
    const headers = [['User-Agent', FIREFOX.replace('140', '141')]] as const;
    const refreshed = await gateway.call('POST', '/v1/auth/refresh', { cookies: first, headers });
    const cookies = cookiesOf(refreshed);
    const [latest, other, ...more] = await list(cookies);
    expect(more).to.deep.equal([]);
    expect(latest).to.deep.include({
      id: await idOf(cookies),
      current: true,
      createdAt: begun,
      lastUsedAt: at(),
      expiresAt: at(30 * 86_400_000),
      activeOrganizationId: 'org_a',
    });
    expect(latest?.agent).to.deep.equal({
      browser: 'Firefox',
      os: 'Linux',
      deviceType: 'desktop',
      text: FIREFOX.replace('140', '141'),
    });
    expect(latest?.address).to.match(/^[\d.]+$|:/);
    expect(other).to.deep.include({ current: false, lastUsedAt: at(-MINUTE_MS) });
    expect(other?.agent).to.include({ browser: 'Safari', os: 'iOS', deviceType: 'mobile' });
    expect((await list(second)).map(({ current }: { current: boolean }) => current)).to.deep.equal([
      false,
      true,
    ]);
  });

  it('keep 512 characters of an agent, whatever it says, and nothing where none came', async () => {
    const long = `<script>alert(1)</script>${'x'.repeat(2_000)}`;
    const cookies = await login(long);
    await login(null);
    const agents = (await list(cookies)).map(({ agent }: { agent: { text: string } | null }) => agent);
    const [none, bounded] = agents[0] === null ? agents : agents.toReversed();
    expect(none).to.equal(null);
    expect(bounded?.text).to.equal(long.slice(0, 512));
    const stored = await gateway.own.sessions.all('usr_owner');
    expect(stored.map(({ agent }) => agent?.length ?? 0).sort((a, b) => a - b)).to.deep.equal([0, 512]);
  });

  it('are called by known names alone, whatever an agent says', async () => {
    const cookies = await login('Version/ '.repeat(50));
    for (const agent of ['Mozilla/5.0 '.repeat(40), '<b>bold</b>/1.0', '(', '   ']) await login(agent);
    const [first, second] = [await list(cookies), await list(cookies)];
    expect(first).to.deep.equal(second);
    const names = first.flatMap(({ agent }: { agent: OwnSession['agent'] }) => agent ?? []);
    expect(names).to.have.length(4);
    for (const { browser, os, deviceType } of names)
      expect([browser, os, deviceType]).to.deep.equal([null, null, null]);
  });

  it('of an earlier version are listed without device and address', async () => {
    const cookies = await login(FIREFOX);
    await gateway.documents.sessions.insert({
      id: 'ses_old',
      organizationId: 'usr_owner',
      activeOrganizationId: 'org_a',
      refreshHash: 'none',
      generation: 1,
      recentRotations: [],
      expiresAt: at(MINUTE_MS),
    });
    const old = (await list(cookies)).find(({ id }: { id: string }) => id === 'ses_old');
    expect(old).to.deep.include({ agent: null, address: null, current: false });
    gateway.clock.advance(MINUTE_MS);
    expect((await list(cookies)).map(({ id }: { id: string }) => id)).to.not.include('ses_old');
    expectError(await end(cookies, 'ses_old'), 404, 'NOT_FOUND', now());
  });

  it('tell nobody of a token, of its hash, or of the sessions of others', async () => {
    const cookies = await login(FIREFOX);
    await login(IPHONE, 'admin@example.com');
    const { body } = await gateway.call('GET', '/v1/auth/sessions', { cookies });
    expect(body.data).to.have.length(1);
    const [stored] = await gateway.own.sessions.all('usr_owner');
    const text = JSON.stringify(body);
    for (const secret of [stored?.refreshHash ?? '', ...Object.values(cookies), 'generation'])
      expect(text).to.not.include(secret);
  });

  it('end one another at once: its cookies and its refresh token are worth nothing', async () => {
    const [mine, other] = [await login(FIREFOX), await login(IPHONE)];
    const id = await idOf(other);
    expect((await end(mine, id)).status).to.equal(204);
    const asked = await gateway.call('GET', '/v1/query/websites', { cookies: other });
    expectError(asked, 401, 'AUTH_REQUIRED', now());
    const refreshed = await gateway.call('POST', '/v1/auth/refresh', { cookies: other });
    expectError(refreshed, 401, 'AUTH_REQUIRED', now());
    expect(await list(mine)).to.have.length(1);
    expectError(await end(mine, id), 404, 'NOT_FOUND', now());
  });

  it('end themselves too, as a logout does', async () => {
    const mine = await login(FIREFOX);
    expect((await end(mine, await idOf(mine))).status).to.equal(204);
    expectError(
      await gateway.call('GET', '/v1/auth/sessions', { cookies: mine }),
      401,
      'AUTH_REQUIRED',
      now(),
    );
  });

  it('of another user are as if they did not exist, whatever the role, and go on', async () => {
    const [owner, viewer] = [await login(FIREFOX), await login(FIREFOX, 'viewer@example.com')];
    for (const [asking, asked] of [
      [owner, viewer],
      [viewer, owner],
    ] as const) {
      const id = await idOf(asked);
      const refused = await end(asking, id);
      expectError(refused, 404, 'NOT_FOUND', now());
      const unknown = await end(asking, 'ses_none');
      expect(refused.body.error.replace(id, 'ses_none')).to.equal(unknown.body.error);
      expect(await idOf(asked)).to.equal(id);
    }
  });

  it('answer no foreign page: the list and the end of one are 401 there', async () => {
    const cookies = await login(FIREFOX);
    const id = await idOf(cookies);
    for (const origin of ['https://evil.example.net', 'null']) {
      const listed = await gateway.call('GET', '/v1/auth/sessions', { cookies, origin });
      expectError(listed, 401, 'AUTH_REQUIRED', now());
      const ended = await gateway.call('DELETE', `/v1/auth/sessions/${id}`, { cookies, origin });
      expectError(ended, 401, 'AUTH_REQUIRED', now());
    }
    expect(await idOf(cookies)).to.equal(id);
  });
});

describe('PATCH /v1/auth/user', () => {
  let gateway: SessionGateway;
  let cookies: Cookies;

  beforeEach(async () => {
    gateway = await startSessionGateway();
    cookies = await gateway.login('viewer@example.com');
  });
  afterEach(() => gateway.close());

  const rename = (name: unknown, sent = cookies) =>
    gateway.call('PATCH', '/v1/auth/user', { cookies: sent, body: { name } });

  it('lets every role change its own name, without the spaces around it', async () => {
    const answer = await rename('  Grace Hopper\u00a0');
    expect(answer.body.data).to.deep.equal({
      id: 'usr_viewer',
      email: 'viewer@example.com',
      name: 'Grace Hopper',
    });
    const { data } = (await gateway.call('GET', '/v1/auth/session', { cookies })).body;
    expect(data.user).to.deep.equal(answer.body.data);
    expect((await gateway.own.users.get('usr_owner', 'usr_owner'))?.name).to.equal(undefined);
  });

  it('takes 1 to 100 characters that every store can hold, and nothing else of the user', async () => {
    expect((await rename('x'.repeat(100))).status).to.equal(200);
    expect((await rename('a\0b\ud800')).body.data.name).to.equal('ab\ufffd');
    for (const name of ['', '   ', '\0', 'x'.repeat(101), 7, null, undefined])
      expectError(await rename(name), 400, 'VALIDATION_ERROR', gateway.clock.now());
    for (const more of [{ email: 'a@b.c' }, { passwordHash: 'x' }, { home: '*' }, { id: 'usr_owner' }]) {
      const body = { name: 'Eve', ...more };
      const answer = await gateway.call('PATCH', '/v1/auth/user', { cookies, body });
      expectError(answer, 400, 'VALIDATION_ERROR', gateway.clock.now());
    }
  });

  it('loses neither of a name and a password that change at a time', async () => {
    const body = { current: PASSWORD, new: 'battery staple' };
    const [renamed, changed] = await Promise.all([
      rename('Grace'),
      gateway.call('POST', '/v1/auth/password', { cookies, body }),
    ]);
    expect(renamed.status).to.equal(200);
    expect(changed.status).to.be.oneOf([204, 409]);
    const user = await gateway.own.users.get('usr_viewer', 'usr_viewer');
    expect(user?.name).to.equal('Grace');
    expect(user?.passwordHash).to.equal(
      changed.status === 204 ? 'hash of battery staple' : `hash of ${PASSWORD}`,
    );
  });
});
