/** What caches and browsers are told of answers, through the whole server: who may keep them, what they depend on, that types are no guesses. */
import { expect } from 'chai';
import { type Answer, type CallOptions, startTidegate, type TestServer } from '../support/start-tidegate.ts';

const PRIVATE = ['private, no-store', 'Authorization, x-api-key, Cookie, Origin', 'nosniff'];
const ORIGIN = 'http://localhost:5173';

describe('what caches and browsers are told of an answer', () => {
  let server: TestServer;
  let cookie: string;

  before(async () => {
    server = await startTidegate();
    const body = { email: 'owner@example.com', password: 'correct horse' };
    const answer = await server.call('POST', '/v1/auth/login', { headers: { origin: ORIGIN }, body });
    cookie = answer.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
  });
  after(() => server.close());

  const told = ({ headers }: Answer) => [
    headers.get('cache-control'),
    headers.get('vary'),
    headers.get('x-content-type-options'),
  ];
  const query = { parameters: ['summary_metrics'], preset: 'today' };

  const credentialed: readonly (readonly [string, string, string, number, () => CallOptions])[] = [
    ['a query by key', 'POST', '/v1/query', 200, () => ({ key: server.keys.all, body: query })],
    ['a list by key', 'GET', '/v1/websites', 200, () => ({ key: server.keys.all })],
    ['an event by key', 'POST', '/track', 200, () => ({ key: server.keys.all, body: { name: 'a' } })],
    ['a wrong key', 'GET', '/v1/websites', 401, () => ({ key: 'nonsense' })],
    ['no credential', 'GET', '/v1/websites', 401, () => ({})],
    ['a missing resource', 'GET', '/v1/links/lnk_none', 404, () => ({ key: server.keys.all })],
    ['an unknown path', 'GET', '/v1/nothing', 404, () => ({ key: server.keys.all })],
    ['a wrong method', 'DELETE', '/v1/websites', 405, () => ({ key: server.keys.all })],
    ['a session', 'GET', '/v1/auth/session', 200, () => ({ headers: { origin: ORIGIN, cookie } })],
    ['a list by session', 'GET', '/v1/api-keys', 200, () => ({ headers: { origin: ORIGIN, cookie } })],
    ['a refused login', 'POST', '/v1/auth/login', 401, () => ({ body: { email: 'a@b.c', password: 'x' } })],
  ];
  for (const [name, method, path, status, options] of credentialed) {
    it(`is private and kept by no cache: ${name}, ${status}`, async () => {
      const answer = await server.call(method, path, options());
      expect(answer.status, JSON.stringify(answer.body)).to.equal(status);
      const [cacheControl, vary, nosniff] = told(answer);
      expect(cacheControl).to.equal(PRIVATE[0]);
      expect(vary?.split(', ')).to.include.members(PRIVATE[1]?.split(', ') ?? []);
      expect(nosniff).to.equal('nosniff');
      // One header each, whoever wrote of it.
      expect(vary?.split(', ')).to.have.length(new Set(vary?.split(', ')).size);
    });
  }

  it('is what the route says where it lets anybody in', async () => {
    const flags = await server.call('GET', '/public/v1/flags/bulk?clientId=web_shop');
    expect(told(flags)).to.deep.equal(['public, max-age=15', 'Origin', 'nosniff']);
    const tracker = await server.call('GET', '/tracker.js');
    expect(told(tracker)).to.deep.equal(['public, max-age=3600', 'Accept-Encoding, Origin', 'nosniff']);
    const openapi = await server.call('GET', '/openapi.json');
    expect(told(openapi)).to.deep.equal(['no-cache', 'Accept-Encoding, Origin', 'nosniff']);
    const page = await server.call('GET', '/health');
    expect(told(page)).to.deep.equal([null, null, 'nosniff']);
    const link = await server.call('GET', '/no-such-link');
    expect(told(link)).to.deep.equal([null, null, 'nosniff']);
  });

  it('is nosniff for pictures, and private where an event hangs on each showing', async () => {
    const pixel = await server.call('GET', '/px.gif?client_id=web_shop&name=opened');
    expect(pixel.headers.get('content-type')).to.equal('image/gif');
    expect(told(pixel)[0]).to.equal('private, no-store');
    expect(told(pixel)[2]).to.equal('nosniff');
  });
});
