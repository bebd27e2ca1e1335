/** The contract of the API description and its reference page, through the whole server. */
import { expect } from 'chai';
import { expectError, expectSuccess } from '../support/answers.ts';
import { newAddress, startTidegate, type TestServer } from '../support/start-tidegate.ts';

describe('the reference of the API', () => {
  let started: TestServer;
  const server = () => started;
  let assets: string[];

  before(async () => {
    started = await startTidegate();
    const { body } = await started.call('GET', '/docs');
    assets = [...body.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, path]) => path);
  });
  after(() => started.close());

  it('answers GET /docs with a page that may load its own files and this API only', async () => {
    const answer = await server().call('GET', '/docs');
    expectSuccess(answer);
    expect(answer.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).to.include("default-src 'none'").and.include("frame-ancestors 'none'");
    expect(policy).to.not.match(/unsafe|\*|http/);
    expect(answer.headers.get('referrer-policy')).to.equal('no-referrer');
    expect(answer.body).to.not.match(/(?:src|href)="(?!\/(?:docs\/|openapi\.json"))/);
    expect(assets).to.have.length(4);
  });

  it('answers GET /docs/:asset with files that may be kept for ever, each under its own version', async () => {
    const types = new Set<string | null>();
    for (const path of assets) {
      const answer = await server().call('GET', path);
      expectSuccess(answer);
      expect(answer.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
      expect(answer.headers.get('x-content-type-options')).to.equal('nosniff');
      expect(path).to.include(String(answer.headers.get('etag')).slice(3, -1));
      types.add(answer.headers.get('content-type'));
    }
    expect([...types]).to.have.members([
      'text/javascript; charset=utf-8',
      'text/css; charset=utf-8',
      'image/png',
    ]);
  });

  it('answers 304 to who has it, and HEAD without a body', async () => {
    for (const path of ['/openapi.json', '/docs', ...assets]) {
      const { headers } = await server().call('GET', path);
      const etag = headers.get('etag') ?? 'missing';
      for (const sent of [etag, etag.replace('W/', ''), `"other", ${etag}`, '*']) {
        const again = await server().call('GET', path, { headers: { 'if-none-match': sent } });
        expect(again.status, `${path} ${sent}`).to.equal(304);
        expect(again.headers.get('etag')).to.equal(etag);
        expect(again.body).to.equal(null);
      }
      const other = await server().call('GET', path, { headers: { 'if-none-match': '"other"' } });
      expect(other.status).to.equal(200);
      const head = await server().call('HEAD', path);
      expect([head.status, head.body]).to.deep.equal([200, null]);
    }
  });

  it('compresses what is large for those who accept it', async () => {
    for (const path of ['/openapi.json', ...assets.filter((asset) => /viewer/.test(asset))]) {
      const sizes: number[] = [];
      for (const accepted of ['identity', 'gzip']) {
        const headers = { 'accept-encoding': accepted };
        const answer = await server().call('HEAD', path, { headers });
        expect(answer.headers.get('content-encoding')).to.equal(accepted === 'gzip' ? 'gzip' : null);
        expect(answer.headers.get('vary')).to.include('Accept-Encoding');
        sizes.push(Number(answer.headers.get('content-length')));
      }
      const [plain = 0, compressed = 0] = sizes;
      expect(compressed, path).to.be.within(1, plain / 2);
    }
  });

  it('answers 404 NOT_FOUND to any other file, whatever the path tries', async () => {
    for (const path of [
      '/docs/',
      '/docs/swagger-ui.css',
      '/docs/..%2fpackage.json',
      '/docs/a/b',
      '/docs/viewer.js',
    ])
      expectError(await server().call('GET', path), 404, 'NOT_FOUND');
  });

  it('answers 405 with Allow to a wrong method', async () => {
    for (const path of ['/openapi.json', '/docs', '/docs/viewer.js', '/.well-known/jwks.json']) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
        expectError(await server().call(method, path), 405, 'METHOD_NOT_ALLOWED');
    }
  });

  it('reads no key, good or wrong', async () => {
    for (const key of [server().keys.trackOnly, server().keys.unknown])
      for (const path of ['/docs', '/openapi.json']) expectSuccess(await server().call('GET', path, { key }));
  });

  it('answers 429 to the 101st request of an address within a minute', async () => {
    const address = newAddress();
    const calls = Array.from({ length: 101 }, () => server().call('GET', '/docs', { address }));
    const refused = (await Promise.all(calls)).filter((answer) => answer.status === 429);
    expect(refused).to.have.length(1);
    for (const answer of refused) expectError(answer, 429, 'RATE_LIMIT_EXCEEDED');
  });
});
