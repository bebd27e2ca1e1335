/** The contract of every endpoint of /v1/auth through the whole server, with real passwords. */
import { expect } from 'chai';
import { expectError, expectSuccess } from '../support/answers.ts';
import { type Answer, startTidegate, type TestServer } from '../support/start-tidegate.ts';

const ORIGIN = 'http://localhost:5173';
const PASSWORD = 'correct horse';
const NEXT_PASSWORD = 'battery staple';
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

describe('the contract of every endpoint of /v1/auth', () => {
  let server: TestServer;

  before(async () => {
    server = await startTidegate();
  });
  after(() => server.close());

  interface Sent {
    readonly cookie?: string;
    readonly body?: unknown;
    readonly key?: string;
    readonly type?: string;
  }
  const send = (method: 'POST' | 'PATCH', path: string, options: Sent = {}) => {
    const headers: Record<string, string> = { origin: ORIGIN };
    if (options.cookie) headers.cookie = options.cookie;
    if (options.type) headers['content-type'] = options.type;
    return server.call(method, path, { headers, body: options.body, key: options.key });
  };
  const post = (path: string, options: Sent = {}) => send('POST', path, options);
  const cookieOf = (answer: Answer) =>
    answer.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
  const login = (password = PASSWORD) =>
    post('/v1/auth/login', { body: { email: 'owner@example.com', password } });

  it('logs in, shows the session to services and to itself, refreshes, changes the password and logs out', async () => {
    const loggedIn = await login();
    expectSuccess(loggedIn);
    expect(loggedIn.body.data.user.email).to.equal('owner@example.com');
    let cookie = cookieOf(loggedIn);
    const read = (path: string) => server.call('GET', path, { headers: { origin: ORIGIN, cookie } });
    expectSuccess(await read('/v1/auth/session'));
    const websites = await read('/v1/query/websites');
    expectSuccess(websites);
    expect(websites.body.total).to.equal(2);
    const event = { name: 'signup', websiteId: 'web_shop' };
    expectSuccess(await post('/track', { cookie, body: event }));

    const refreshed = await post('/v1/auth/refresh', { cookie });
    expectSuccess(refreshed);
    cookie = cookieOf(refreshed);
    expectSuccess(await post('/v1/auth/switch', { cookie, body: { organizationId: 'org_main' } }));
    const change = { current: PASSWORD, new: NEXT_PASSWORD };
    expect((await post('/v1/auth/password', { cookie, body: change })).status).to.equal(204);
    expectError(await login(), 401, 'AUTH_REQUIRED');
    expectSuccess(await login(NEXT_PASSWORD));

    expect((await post('/v1/auth/logout', { cookie })).status).to.equal(204);
    expectError(await read('/v1/auth/session'), 401, 'AUTH_REQUIRED');
  });

  it('changes the own name, lists the own sessions and ends one of them at once', async () => {
    const [mine, other] = [cookieOf(await login(NEXT_PASSWORD)), cookieOf(await login(NEXT_PASSWORD))];
    const ask = (method: 'GET' | 'PATCH' | 'DELETE', path: string, cookie: string, body?: unknown) =>
      server.call(method, path, { headers: { origin: ORIGIN, cookie, 'user-agent': AGENT }, body });
    const renamed = await ask('PATCH', '/v1/auth/user', mine, { name: ' Ada ' });
    expectSuccess(renamed);
    expect(renamed.body.data).to.include({ email: 'owner@example.com', name: 'Ada' });
    const { data } = (await ask('GET', '/v1/auth/session', other)).body;
    expect(data.user.name).to.equal('Ada');

    const listed = await ask('GET', '/v1/auth/sessions', mine);
    expectSuccess(listed);
    expect(listed.body.data.filter(({ current }: { current: boolean }) => current)).to.have.length(1);
    const path = `/v1/auth/sessions/${data.sessionId}`;
    expect((await ask('DELETE', path, mine)).status).to.equal(204);
    expectError(await ask('DELETE', path, mine), 404, 'NOT_FOUND');
    expectError(await ask('GET', '/v1/auth/session', other), 401, 'AUTH_REQUIRED');
    expectError(await post('/v1/auth/refresh', { cookie: other }), 401, 'AUTH_REQUIRED');
    expectSuccess(await ask('GET', '/v1/auth/session', mine));
  });

  it('gives a member a new password by a reset link, once', async () => {
    const headers = { origin: ORIGIN, cookie: cookieOf(await login(NEXT_PASSWORD)) };
    const ask = (path: string, body?: unknown) => server.call('POST', path, { headers, body });
    const [email, password] = ['forgetful@example.com', 'forgotten horse'];
    const { token } = (await ask('/v1/members', { email, role: 'member' })).body.data;
    const invitation = await post('/v1/auth/invitation', { body: { token } });
    expectSuccess(invitation);
    expect(invitation.headers.get('cache-control')).to.equal('private, no-store');
    expect(invitation.body.data).to.deep.include({ email, role: 'member' });
    expect(invitation.body.data.organization.name).to.be.a('string').that.is.not.empty;
    const joined = await post('/v1/auth/accept', { body: { token, name: 'Grace', password } });
    expectSuccess(joined);
    expectError(await post('/v1/auth/invitation', { body: { token } }), 404, 'NOT_FOUND');
    const members = await server.call('GET', `/v1/members?search=${email}`, { headers });
    const made = await ask(`/v1/members/${members.body.data[0].id}/reset`);
    expectSuccess(made, 201);
    expect(made.headers.get('cache-control')).to.equal('private, no-store');
    const body = { token: made.body.data.token, password: NEXT_PASSWORD };
    expect((await post('/v1/auth/reset', { body })).status).to.equal(204);
    expectError(await post('/v1/auth/reset', { body }), 404, 'NOT_FOUND');
    const cookie = cookieOf(joined);
    const read = await server.call('GET', '/v1/auth/session', { headers: { origin: ORIGIN, cookie } });
    expectError(read, 401, 'AUTH_REQUIRED');
    expectSuccess(await post('/v1/auth/login', { body: { email, password: NEXT_PASSWORD } }));
    const other = await post('/v1/auth/login', { body: { email, password } });
    expectError(other, 401, 'AUTH_REQUIRED');
  });

  for (const [method, path, body] of [
    ['POST', '/v1/auth/login', { email: 'owner@example.com', password: 'wrong horse' }],
    ['POST', '/v1/auth/invitation', { token: 'none' }],
    ['POST', '/v1/auth/accept', { token: 'none', name: 'Eve', password: PASSWORD }],
    ['POST', '/v1/auth/reset', { token: 'none', password: PASSWORD }],
    ['POST', '/v1/auth/switch', { organizationId: 'org_main' }],
    ['POST', '/v1/auth/password', { current: PASSWORD, new: NEXT_PASSWORD }],
    ['PATCH', '/v1/auth/user', { name: 'Ada' }],
  ] as const) {
    describe(`${method} ${path}`, () => {
      const isPublic = ['login', 'invitation', 'accept', 'reset'].some((end) => path.endsWith(end));
      let cookie = '';

      before(async () => {
        cookie = cookieOf(await login(NEXT_PASSWORD));
      });

      it('answers 400 to malformed JSON, an empty body, JSON of another kind and unknown fields', async () => {
        for (const faulty of ['{"a":', '', '7', 'null', { ...body, more: 1 }])
          expectError(await send(method, path, { cookie, body: faulty }), 400, 'VALIDATION_ERROR');
      });

      it('answers 413 to a body above 16 KiB and 415 to another type', async () => {
        const large = { ...body, more: 'x'.repeat(16_384) };
        expectError(await send(method, path, { cookie, body: large }), 413, 'PAYLOAD_TOO_LARGE');
        expectError(
          await send(method, path, { cookie, body, type: 'text/plain' }),
          415,
          'UNSUPPORTED_MEDIA_TYPE',
        );
      });

      it('answers 405 with Allow to a wrong method', async () => {
        for (const wrong of ['GET', 'PUT', 'DELETE'] as const) {
          const headers = { origin: ORIGIN, cookie };
          expectError(await server.call(wrong, path, { headers }), 405, 'METHOD_NOT_ALLOWED');
        }
      });

      it(
        isPublic ? 'needs no credentials and reads none' : 'needs a session: a key is 403, nothing is 401',
        async () => {
          const withKey = await send(method, path, { body, key: server.keys.all });
          const withWrong = await send(method, path, { body, key: server.keys.revoked });
          const without = await send(method, path, { body });
          if (isPublic) {
            const codes = [withKey, withWrong, without].map((answer) => answer.body.code);
            expect(new Set(codes)).to.deep.equal(
              new Set([path.endsWith('login') ? 'AUTH_REQUIRED' : 'NOT_FOUND']),
            );
          } else {
            expectError(withKey, 403, 'ACCESS_DENIED');
            expectError(withWrong, 401, 'INVALID_API_KEY');
            expectError(without, 401, 'AUTH_REQUIRED');
          }
        },
      );
    });
  }

  it('answers 429 to the 31st login of an address within a minute', async () => {
    const body = { email: 'owner@example.com' };
    // One after another: calls at once may meet a full line of passwords, which is 503 and takes nothing of the limit.
    const refused: Answer[] = [];
    for (let i = 1; i <= 31; i += 1) {
      const options = { body, headers: { origin: ORIGIN }, address: '192.0.2.77' };
      const answer = await server.call('POST', '/v1/auth/login', options);
      if (answer.status === 429) refused.push(answer);
    }
    expect(refused).to.have.length(1);
    for (const answer of refused) expectError(answer, 429, 'RATE_LIMIT_EXCEEDED');
  });
});
