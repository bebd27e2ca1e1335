/** What a client read compressed it can change: the weak tag of that answer is the version that the service knows. */
import { expect } from 'chai';
import { type Answer, startTidegate, type TestServer } from '../support/start-tidegate.ts';

describe('the tag of a compressed answer', () => {
  let server: TestServer;
  before(async () => {
    server = await startTidegate();
  });
  after(() => server.close());

  const call = (
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: unknown,
  ): Promise<Answer> => server.call(method, path, { key: server.keys.all, headers, body });

  it('is honoured by If-Match and If-None-Match, once', async () => {
    const targetUrl = `https://example.com/?q=${'offer+'.repeat(300)}`;
    const made = await call('POST', '/v1/links', {}, { slug: 'long-target', name: 'Long', targetUrl });
    const path = `/v1/links/${made.body.data.id}`;
    const read = await call('GET', path, { 'accept-encoding': 'br' });
    expect(read.headers.get('content-encoding')).to.equal('br');
    expect(read.body.data.targetUrl).to.equal(targetUrl);
    const tag = read.headers.get('etag') ?? '';
    expect(tag).to.match(/^W\/"/);
    const changed = await call('PATCH', path, { 'if-match': tag }, { name: 'Longer' });
    expect(changed.status).to.equal(200);
    const stale = await call('PATCH', path, { 'if-match': tag }, { name: 'Longest' });
    expect([stale.status, stale.body.code]).to.deep.equal([412, 'PRECONDITION_FAILED']);
    const again = changed.headers.get('etag') ?? '';
    expect((await call('DELETE', path, { 'if-match': again })).status).to.equal(204);
  });

  it('is none on an answer that is compressed and holds none', async () => {
    const list = await call('GET', '/v1/query/types', { 'accept-encoding': 'gzip' });
    expect([list.status, list.headers.get('content-encoding')]).to.deep.equal([200, 'gzip']);
    expect(list.headers.get('etag')).to.equal(null);
  });

  it('does not stand at a new key: its answer is never compressed', async () => {
    const login = await server.call('POST', '/v1/auth/login', {
      headers: { origin: 'http://localhost', 'accept-encoding': 'gzip' },
      body: { email: 'owner@example.com', password: 'correct horse' },
    });
    expect([login.status, login.headers.get('content-encoding')]).to.deep.equal([200, null]);
    const cookie = login.headers
      .getSetCookie()
      .map((text) => text.split(';')[0])
      .join('; ');
    const headers = { origin: 'http://localhost', cookie, 'accept-encoding': 'gzip, br' };
    const made = await server.call('POST', '/v1/api-keys', {
      headers,
      body: { name: 'x'.repeat(60), scopes: ['read:data'], access: { level: 'global' } },
    });
    expect([made.status, made.headers.get('content-encoding')]).to.deep.equal([201, null]);
    const list = await server.call('GET', '/v1/api-keys?limit=100', { headers });
    expect(JSON.stringify(list.body).length).to.be.above(1_024);
    expect([list.status, list.headers.get('content-encoding')]).to.deep.equal([200, null]);
  });
});
