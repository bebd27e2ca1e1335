/** The redirect policy: where it sends, by which status, and where it may not. */
import { expect } from 'chai';
import { createTestGateway } from '../../../plugins/kit/testing.ts';
import { redirectPolicy } from '../../../plugins/redirect/redirect-policy.ts';

describe('the redirect policy', () => {
  const gateway = createTestGateway();

  it('sends to the same place whatever is asked for, by 302 where nothing else is said', async () => {
    for (const url of ['/', '/?next=https://elsewhere.example', '//elsewhere.example/x']) {
      const { status, headers, text } = await gateway.run(redirectPolicy, { to: '/dashboard' }, { url });
      expect([status, headers.get('location'), text], url).to.deep.equal([302, '/dashboard', '']);
      expect(headers.get('x-request-id')).to.equal('req_test');
      expect(headers.get('x-ratelimit-limit')).to.match(/^\d+$/);
    }
  });

  it('knows the five statuses, and paths and addresses of https', async () => {
    const places = ['/dashboard', '/a?b=c#d', '/%C3%BC', 'https://console.example.com/start?a=b'];
    for (const to of places) {
      for (const status of [301, 302, 303, 307, 308]) {
        const answer = await gateway.run(redirectPolicy, { to, status }, { method: 'HEAD' });
        expect([answer.status, answer.headers.get('location')]).to.deep.equal([status, to]);
      }
    }
  });

  it('refuses what leads to another host unsaid, and what is no address', async () => {
    const places = [
      ...['//elsewhere.example', '/\\elsewhere.example', '\\\\elsewhere.example', 'dashboard', '', '../up'],
      ...['http://plain.example', 'https://', 'https:///', 'https:/one.example', 'javascript:alert(1)'],
      ...['https://user:pass@one.example', '/a b', '/a\r\nSet-Cookie: b', '/ü', 'HTTPS://'],
    ];
    for (const to of places) {
      const fault = await gateway.run(redirectPolicy, { to }).catch((thrown: Error) => thrown);
      expect(fault, JSON.stringify(to)).to.have.property('name', 'ZodError');
    }
    for (const params of [
      {},
      { to: '/a', status: 200 },
      { to: '/a', status: '302' },
      { to: '/a', code: 302 },
    ]) {
      const fault = await gateway.run(redirectPolicy, params).catch((thrown: Error) => thrown);
      expect(fault, JSON.stringify(params)).to.have.property('name', 'ZodError');
    }
  });

  it('makes the address of the path by its expression, and keeps the query string where that is said', async () => {
    const to = async (params: Record<string, unknown>, url: string) => {
      const { status, headers } = await gateway.run(redirectPolicy, params, { url });
      return status === 302 ? headers.get('location') : status;
    };
    const moved = { match: '/docs/(.*)', to: 'https://docs.example.com/v2/$1' };
    expect(await to(moved, '/docs/a/b?x=1')).to.equal('https://docs.example.com/v2/a/b');
    expect(await to({ ...moved, query: 'keep' }, '/docs/a?x=1&y')).to.equal(
      'https://docs.example.com/v2/a?x=1&y',
    );
    expect(await to({ match: '/s/(\\w+)', to: '/q?name=$1', query: 'keep' }, '/s/a?name=b&z=1')).to.equal(
      '/q?name=a&z=1',
    );
    expect(await to({ to: '/q?a=1', query: 'keep' }, '/x?b=2&a=3')).to.equal('/q?a=1&b=2');
    expect(await to({ to: '/q', query: 'keep' }, '/x')).to.equal('/q');
    expect(await to({ to: '/cost?$1' }, '/x')).to.equal('/cost?$1');
    expect(await to(moved, '/other')).to.equal(404);
  });

  it('lets no client choose the host, nor leave the path', async () => {
    const open = { match: '/go/(.*)', to: '/$1' };
    for (const url of [
      '/go//elsewhere.example',
      '/go//',
      '/go/../x',
      '/go/%2e%2e/x',
      '/go/%2f%2felsewhere.example',
      '/go/\\\\e',
    ]) {
      const { status, headers } = await gateway.run(redirectPolicy, open, { url });
      expect([status, headers.get('location')], url).to.deep.equal([404, null]);
    }
    expect(
      (await gateway.run(redirectPolicy, open, { url: '/go/https://e.example' })).headers.get('location'),
    ).to.equal('/https://e.example');
    const faults = [
      { match: '/(.*)', to: '//$1' },
      { match: '/(.*)', to: 'https://$1/x' },
      { match: '/(.*)', to: 'https://a.example$1' },
      { match: '/(.*)', to: 'https://$1.example.com/' },
      { match: '/(.*)', to: '/a/$2' },
      { match: '/(a+)+', to: '/a' },
      { match: '/(.*)/(.*)', to: '/a' },
      { to: '/a#b', query: 'keep' },
    ];
    for (const params of faults) {
      const fault = await gateway.run(redirectPolicy, params).catch((thrown: Error) => thrown);
      expect(fault, JSON.stringify(params)).to.have.property('name', 'ZodError');
    }
  });

  it('is explained for a path', () => {
    const told = (params: Record<string, unknown>, path: string) =>
      redirectPolicy.explain?.(redirectPolicy.schema.parse(params), path);
    expect(told({ to: '/dashboard' }, '/')).to.equal('leads to /dashboard');
    expect(told({ match: '/a/(.*)', to: '/b/$1' }, '/a/c')).to.equal('leads to /b/c');
    expect(told({ match: '/a/(.*)', to: '/b/$1' }, '/c')).to.equal('leads nowhere: 404');
  });
});
