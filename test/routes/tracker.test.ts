/** The contract of GET /tracker.js, status by status, through the whole server. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { TRACKER_SCRIPT } from '../../services/tracking/script/read-tracker-script.ts';
import { expectCommonHeaders, expectError, expectSuccess } from '../support/answers.ts';
import { startTidegate, type TestServer } from '../support/start-tidegate.ts';

const PATH = '/tracker.js';

describe('GET /tracker.js', () => {
  let server: TestServer;

  before(async () => {
    server = await startTidegate();
  });
  after(() => server.close());

  it('answers 200 with the built script to anybody, and reads no key, good or wrong', async () => {
    for (const options of [{}, { key: server.keys.trackOnly }, { key: server.keys.unknown }]) {
      const answer = await server.call('GET', PATH, options);
      expectSuccess(answer);
      expect(answer.body).to.equal(readFileSync(TRACKER_SCRIPT, 'utf8'));
      expect(answer.headers.get('content-type')).to.equal('text/javascript; charset=utf-8');
      expect(answer.headers.get('cache-control')).to.equal('public, max-age=3600');
      expect(answer.headers.get('x-ratelimit-limit')).to.equal('100');
    }
  });

  it('lets pages of any site load and read it', async () => {
    const answer = await server.call('GET', PATH, { headers: { origin: 'https://any.example.net' } });
    expect(answer.headers.get('access-control-allow-origin')).to.equal('*');
    expect(answer.headers.get('access-control-allow-credentials')).to.equal(null);
    expect(answer.headers.get('cross-origin-resource-policy')).to.equal('cross-origin');
  });

  it('is compressed when gzip is accepted, and tells caches so', async () => {
    const zipped = await server.call('GET', PATH, { headers: { 'accept-encoding': 'gzip' } });
    expectSuccess(zipped);
    expect(zipped.headers.get('content-encoding')).to.equal('gzip');
    expect(Number(zipped.headers.get('content-length'))).to.be.below(3_000);
    expect(zipped.body).to.equal(readFileSync(TRACKER_SCRIPT, 'utf8'));
    const plain = await server.call('GET', PATH, { headers: { 'accept-encoding': 'identity' } });
    expect(plain.headers.get('content-encoding')).to.equal(null);
    expect(plain.body).to.equal(zipped.body);
    for (const { headers } of [zipped, plain]) expect(headers.get('vary')).to.include('Accept-Encoding');
  });

  it('answers 304 without a body to those who have this version, and 200 to others', async () => {
    const first = await server.call('GET', PATH);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).to.match(/^W\/"[\w-]{22}"$/);
    const again = await server.call('GET', PATH, { headers: { 'if-none-match': etag } });
    expect(again.status).to.equal(304);
    expectCommonHeaders(again.headers);
    expect(again.body).to.equal(null);
    expect(again.headers.get('etag')).to.equal(etag);
    expect(again.headers.get('cache-control')).to.equal('public, max-age=3600');
    expectSuccess(await server.call('GET', PATH, { headers: { 'if-none-match': 'W/"old"' } }));
  });

  it('answers HEAD with the headers of GET and nothing else', async () => {
    const answer = await server.call('HEAD', PATH, { headers: { 'accept-encoding': 'identity' } });
    expectSuccess(answer);
    expect(answer.body).to.equal(null);
    expect(Number(answer.headers.get('content-length'))).to.equal(readFileSync(TRACKER_SCRIPT).length);
  });

  it('answers 405 with Allow to a wrong method', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      expectError(await server.call(method, PATH), 405, 'METHOD_NOT_ALLOWED');
    }
  });

  it('answers 429 to the 101st request of an address within a minute', async () => {
    const address = '192.0.2.77';
    const calls = Array.from({ length: 101 }, () => server.call('GET', PATH, { address }));
    const refused = (await Promise.all(calls)).filter(({ status }) => status === 429);
    expect(refused).to.have.length(1);
    for (const answer of refused) expectError(answer, 429, 'RATE_LIMIT_EXCEEDED');
  });
});
