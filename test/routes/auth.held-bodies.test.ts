/** What a caller may do is judged when its request is whole: a body held back does not outlive a lost right. */
import { request } from 'node:http';
import { expect } from 'chai';
import { startTidegate, type TestServer } from '../support/start-tidegate.ts';

const ORIGIN = 'http://localhost:5173';
const PASSWORD = 'correct horse';

describe('a request whose body is held back', () => {
  let server: TestServer;
  let cookie: string;

  before(async () => {
    server = await startTidegate();
  });
  after(() => server.close());
  beforeEach(async () => {
    cookie = await login();
  });

  async function login(): Promise<string> {
    const body = { email: 'owner@example.com', password: PASSWORD };
    const answer = await server.call('POST', '/v1/auth/login', { body, headers: { origin: ORIGIN } });
    expect(answer.status).to.equal(200);
    return answer.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
  }

  /** Sends all but the last byte; `finish` sends that one and tells status and code. */
  async function hold(path: string, value: unknown, headers: Record<string, string>, isChunked = false) {
    const text = JSON.stringify(value);
    const length = isChunked ? {} : { 'content-length': `${text.length}` };
    const req = request(`${server.origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...length, ...headers },
    });
    const answered = new Promise<{ status: number; code: string }>((resolve, reject) => {
      req.on('error', reject);
      req.on('response', (res) => {
        res.setEncoding('utf8');
        let body = '';
        res.on('data', (part: string) => {
          body += part;
        });
        res.on('end', () => resolve({ status: res.statusCode ?? 0, code: JSON.parse(body || '{}').code }));
      });
    });
    await new Promise<void>((resolve) => req.write(text.slice(0, -1), () => resolve()));
    // The gateway has judged the head once it answers a later request, and a body this late was held back.
    await new Promise((resolve) => setTimeout(resolve, 200));
    return {
      finish: () => {
        req.end(text.slice(-1));
        return answered;
      },
    };
  }

  const key = { name: 'late', scopes: ['read:data'], access: { level: 'global' } };

  for (const isChunked of [false, true]) {
    const how = isChunked ? 'in chunks' : 'with its length';
    it(`makes no key with a session that ended meanwhile (${how})`, async () => {
      const held = await hold('/v1/api-keys', key, { cookie, origin: ORIGIN }, isChunked);
      await server.call('POST', '/v1/auth/logout', { headers: { cookie, origin: ORIGIN } });
      expect(await held.finish()).to.deep.equal({ status: 401, code: 'AUTH_REQUIRED' });
    });
  }

  it('changes no password with a session that ended meanwhile', async () => {
    const change = { current: PASSWORD, new: 'battery staple' };
    const held = await hold('/v1/auth/password', change, { cookie, origin: ORIGIN });
    await server.call('POST', '/v1/auth/logout', { headers: { cookie, origin: ORIGIN } });
    expect(await held.finish()).to.deep.equal({ status: 401, code: 'AUTH_REQUIRED' });
    await login();
  });

  it('stores no event with a key that was revoked meanwhile', async () => {
    const headers = { cookie, origin: ORIGIN };
    const scopes = ['track:events'];
    const made = await server.call('POST', '/v1/api-keys', { headers, body: { ...key, scopes } });
    expect(made.status).to.equal(201);
    const held = await hold('/track', { name: 'late' }, { 'x-api-key': made.body.data.secret });
    const revoked = await server.call('POST', `/v1/api-keys/${made.body.data.id}/revoke`, { headers });
    expect(revoked.status).to.equal(200);
    expect(await held.finish()).to.deep.equal({ status: 401, code: 'INVALID_API_KEY' });
  });

  it('is served when nothing was lost', async () => {
    const held = await hold('/v1/api-keys', key, { cookie, origin: ORIGIN });
    expect((await held.finish()).status).to.equal(201);
  });
});
