/** Who may do nothing with a link: another organization and a key without the scope learn nothing and change nothing. */
import { expect } from 'chai';
import { expectError, expectSuccess } from '../support/answers.ts';
import { startTidegate, type TestServer } from '../support/start-tidegate.ts';

const WRITES = [
  ['PATCH', { targetUrl: 'https://evil.example/' }],
  ['PATCH', { slug: 'stolen', websiteId: 'web_free' }],
  ['DELETE', undefined],
] as const;

describe('the reach of a link', () => {
  let server: TestServer;
  let link: { readonly id: string; readonly slug: string };

  before(async () => {
    server = await startTidegate();
    const body = {
      name: 'Ours',
      slug: 'ours',
      targetUrl: 'https://shop.example.com/',
      websiteId: 'web_shop',
    };
    link = (await server.call('POST', '/v1/links', { key: server.keys.all, body })).body.data;
  });
  after(() => server.close());

  async function expectUnchanged(): Promise<void> {
    const stored = await server.call('GET', `/v1/links/${link.id}`, { key: server.keys.all });
    expect(stored.body.data).to.deep.equal(link);
    const followed = await server.call('GET', '/ours');
    expect(followed.headers.get('location')).to.equal('https://shop.example.com/');
  }

  it('ends at its organization: to others it is as if it did not exist', async () => {
    const { free } = server.keys;
    const texts = new Set<string>();
    for (const [method, body] of [['GET', undefined], ...WRITES] as const) {
      for (const id of [link.id, 'lnk_none']) {
        const answer = await server.call(method, `/v1/links/${id}`, { key: free, body });
        expectError(answer, 404, 'NOT_FOUND');
        texts.add(answer.body.error.replace(id, 'LINK'));
      }
    }
    expect([...texts]).to.deep.equal(['There is no link "LINK".']);
    expect((await server.call('GET', '/v1/links', { key: free })).body.data).to.deep.equal([]);
    await expectUnchanged();
  });

  it('refuses to put a link of one organization onto a website of another', async () => {
    const body = { name: 'x', targetUrl: 'https://evil.example/', websiteId: 'web_shop' };
    expectError(
      await server.call('POST', '/v1/links', { key: server.keys.free, body }),
      403,
      'ACCESS_DENIED',
    );
    expect((await server.call('GET', '/v1/links', { key: server.keys.free })).body.data).to.deep.equal([]);
  });

  it('takes the scope write:links for every write, and read:links for no write', async () => {
    for (const key of [server.keys.linksOnly, server.keys.readOnly, server.keys.trackOnly]) {
      for (const [method, body] of WRITES) {
        const answer = await server.call(method, `/v1/links/${link.id}`, { key, body });
        expectError(answer, 403, 'INSUFFICIENT_SCOPE');
      }
      const body = { name: 'x', targetUrl: 'https://evil.example/' };
      expectError(await server.call('POST', '/v1/links', { key, body }), 403, 'INSUFFICIENT_SCOPE');
    }
    await expectUnchanged();
  });

  it('ends at the websites of a website-specific key, for its analytics too', async () => {
    const elsewhere = { name: 'Blog', targetUrl: 'https://blog.example.com/', websiteId: 'web_blog' };
    const made = await server.call('POST', '/v1/links', { key: server.keys.all, body: elsewhere });
    const ask = (id: string, key: string) =>
      server.call('POST', `/v1/query?link_id=${id}`, {
        key,
        body: { parameters: ['link_total_clicks'], preset: 'last_7d' },
      });
    expectError(await ask(made.body.data.id, server.keys.shopOnly), 403, 'ACCESS_DENIED');
    expectError(await ask(link.id, server.keys.free), 403, 'ACCESS_DENIED');
    expectError(await ask('lnk_none', server.keys.all), 403, 'ACCESS_DENIED');
    for (const key of [server.keys.shopOnly, server.keys.linksOnly, server.keys.readOnly]) {
      expectSuccess(await ask(link.id, key));
    }
  });

  it('leaves an audit record of every write, with the names of its fields', async () => {
    const { all } = server.keys;
    const body = { name: 'Audited', targetUrl: 'https://shop.example.com/' };
    const { id } = (await server.call('POST', '/v1/links', { key: all, body })).body.data;
    await server.call('PATCH', `/v1/links/${id}`, { key: all, body: { tags: ['a'] } });
    await server.call('PATCH', `/v1/links/${id}`, { key: all, body: {} });
    await server.call('DELETE', `/v1/links/${id}`, { key: all });
    const login = await server.call('POST', '/v1/auth/login', {
      body: { email: 'owner@example.com', password: 'correct horse' },
      headers: { origin: 'http://localhost' },
    });
    const cookie = login.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    const audit = await server.call('GET', '/v1/audit', { headers: { cookie, origin: 'http://localhost' } });
    expectSuccess(audit);
    const records = audit.body.data.filter((record: { targetId: string }) => record.targetId === id);
    const acts = records.map((record: { action: string; fields: string[] }) => [
      record.action,
      record.fields,
    ]);
    expect(acts).to.have.deep.members([
      ['link.create', ['name', 'targetUrl']],
      ['link.change', ['tags']],
      ['link.delete', []],
    ]);
  });
});
