/** The contract of every endpoint of /v1/auth through the whole server, with real passwords. */
import { expect } from 'chai';
import { expectError, expectSuccess } from '../support/answers.ts';
import { type Answer, startTidegate, type TestServer } from '../support/start-tidegate.ts';

const ORIGIN = 'http://localhost:5173';
const PASSWORD = 'correct horse';
const NEXT_PASSWORD = 'battery staple';

describe('the contract of every endpoint of /v1/auth', () => {
  let server: TestServer;

  before(async () => {
    server = await startTidegate();
  });
  after(() => server.close());

  const post = (
    path: string,
    options: { cookie?: string; body?: unknown; key?: string; type?: string } = {},
  ) => {
    const headers: Record<string, string> = { origin: ORIGIN };
    if (options.cookie) headers.cookie = options.cookie;
    if (options.type) headers['content-type'] = options.type;
    return server.call('POST', path, { headers, body: options.body, key: options.key });
  };
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

  for (const [method, path, body] of [
    ['POST', '/v1/auth/login', { email: 'owner@example.com', password: 'wrong horse' }],
    ['POST', '/v1/auth/accept', { token: 'none', name: 'Eve', password: PASSWORD }],
    ['POST', '/v1/auth/switch', { organizationId: 'org_main' }],
    ['POST', '/v1/auth/password', { current: PASSWORD, new: NEXT_PASSWORD }],
  ] as const) {
    describe(`${method} ${path}`, () => {
      const isPublic = path.endsWith('login') || path.endsWith('accept');
      let cookie = '';

      before(async () => {
        cookie = cookieOf(await login(NEXT_PASSWORD));
      });

      it('answers 400 to malformed JSON, an empty body, JSON of another kind and unknown fields', async () => {
        for (const faulty of ['{"a":', '', '7', 'null', { ...body, more: 1 }])
          expectError(await post(path, { cookie, body: faulty }), 400, 'VALIDATION_ERROR');
      });

      it('answers 413 to a body above 16 KiB and 415 to another type', async () => {
        const large = { ...body, more: 'x'.repeat(16_384) };
        expectError(await post(path, { cookie, body: large }), 413, 'PAYLOAD_TOO_LARGE');
        expectError(await post(path, { cookie, body, type: 'text/plain' }), 415, 'UNSUPPORTED_MEDIA_TYPE');
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
          const withKey = await post(path, { body, key: server.keys.all });
          const withWrong = await post(path, { body, key: server.keys.revoked });
          const without = await post(path, { body });
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
    const calls = Array.from({ length: 31 }, () =>
      server.call('POST', '/v1/auth/login', { body, headers: { origin: ORIGIN }, address: '192.0.2.77' }),
    );
    const refused = (await Promise.all(calls)).filter(({ status }) => status === 429);
    expect(refused).to.have.length(1);
    for (const answer of refused) expectError(answer, 429, 'RATE_LIMIT_EXCEEDED');
  });
});
