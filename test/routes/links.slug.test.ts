/** The contract of GET /{slug}: what is a short link, what is an unknown path, and what is counted where. */
import { expect } from 'chai';
import { expectError } from '../support/answers.ts';
import { startTidegate, type TestServer } from '../support/start-tidegate.ts';

describe('the contract of short links', () => {
  let started: TestServer;

  before(async () => {
    started = await startTidegate();
    const body = { name: 'Sale', slug: 'fixed-one', targetUrl: 'https://shop.example.com/sale' };
    await started.call('POST', '/v1/links', { key: started.keys.all, body });
  });
  after(() => started.close());

  describe('GET /:slug', () => {
    it('is /{slug} for GET and HEAD alone: other methods are an unknown path, / leads to the dashboard', async () => {
      const { unknown } = started.keys;
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        expectError(await started.call(method, '/fixed-one'), 404, 'NOT_FOUND');
        expectError(await started.call(method, '/fixed-one', { key: unknown }), 401, 'INVALID_API_KEY');
      }
      const root = await started.call('GET', '/');
      expect(root.status).to.equal(302);
      expect(root.headers.get('location')).to.equal('/dashboard');
      const wrong = await started.call('PUT', '/');
      expectError(wrong, 405, 'METHOD_NOT_ALLOWED');
      expect(wrong.headers.get('allow')).to.equal('POST, GET, HEAD');
    });

    it('answers 404 NOT_FOUND to an unknown slug, and reads no credential', async () => {
      for (const key of [undefined, started.keys.all, started.keys.unknown]) {
        const answer = await started.call('GET', '/no-such-link', key === undefined ? {} : { key });
        expectError(answer, 404, 'NOT_FOUND');
        expect(answer.headers.get('x-ratelimit-limit')).to.equal('100');
        const head = await started.call('HEAD', '/no-such-link', key === undefined ? {} : { key });
        expect(head.status).to.equal(404);
      }
    });

    it('leaves what can be no slug an unknown path: 404, and 401 with a wrong key', async () => {
      const { unknown } = started.keys;
      for (const path of [
        '/ab',
        '/fixed-one/',
        '/fixed-one/x',
        '/fixed%2Done',
        '/a.b',
        `/${'x'.repeat(51)}`,
      ]) {
        expectError(await started.call('GET', path), 404, 'NOT_FOUND');
        expectError(await started.call('GET', path, { key: unknown }), 401, 'INVALID_API_KEY');
      }
    });

    it('stands below every fixed path: a known path with another method is 405', async () => {
      for (const path of ['/track', '/identify', '/batch']) {
        expectError(await started.call('GET', path, { key: started.keys.all }), 405, 'METHOD_NOT_ALLOWED');
      }
    });

    it('answers 429 to the 101st follower of an address within a minute', async () => {
      const calls = Array.from({ length: 101 }, () =>
        started.call('GET', '/fixed-one', { address: '192.0.2.9' }),
      );
      const refused = (await Promise.all(calls)).filter((answer) => answer.status !== 302);
      expect(refused).to.have.length(1);
      for (const answer of refused) expectError(answer, 429, 'RATE_LIMIT_EXCEEDED');
    });
  });
});
