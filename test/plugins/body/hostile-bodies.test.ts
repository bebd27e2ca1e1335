/** Bodies made to stop the gateway: cheap to send, dear to inflate, parse or keep. They are refused before they cost anything. */
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { expectError, expectSuccess } from '../../support/answers.ts';
import { rawRequest } from '../../support/raw-request.ts';
import { startGateway, startUpstream } from '../../support/start-gateway.ts';
import { type LimitedGateway, startLimitedGateway } from '../../support/start-limited-gateway.ts';
import { readAnswer } from '../../support/start-tidegate.ts';

const MIB = 1024 * 1024;
const DEEP = '['.repeat(MIB - 1) + ']'.repeat(MIB - 1);
const NAMES = `{${Array.from({ length: 100_000 }, (_, index) => `"${index * 999_999}":0`).join()}}`;

describe('a body made to hurt', () => {
  describe('before services that answer', () => {
    let gateway: LimitedGateway;
    let key: string;
    beforeEach(async () => {
      gateway = await startLimitedGateway([
        ['plans.yml', '    limit: 60000\n', '    limit: 10\n'],
        // Bytes for more such bodies than requests are left, so that the headers show the requests.
        ['plans.yml', '    limit: 10000000\n', '    limit: 1000000000\n'],
      ]);
      key = await gateway.organization('org_a', 'scale');
    });
    afterEach(() => gateway.close());
    const now = () => gateway.clock.now();
    const remaining = (answer: { headers: Headers }) => answer.headers.get('x-ratelimit-remaining');

    it('by nesting or by names is 400 on every route that is read here, and counts once', async () => {
      const ingest = ['/identify', '/vitals', '/errors', '/events', '/', '/batch'];
      for (const path of ingest.map((route) => `${route}?client_id=web_nobody`)) {
        const address = '198.51.100.7';
        for (const [index, text] of [DEEP, NAMES].entries()) {
          const body = gzipSync(text);
          const answer = await gateway.call('POST', path, {
            body,
            address: `${address}${ingest.indexOf(path.replace(/\?.*/, ''))}`,
            headers: { 'content-encoding': 'gzip' },
          });
          expectError(answer, 400, 'VALIDATION_ERROR', now());
          expect(answer.body.details[0].message).to.include(index === 0 ? 'nested deeper' : 'holds more');
          expect(remaining(answer), path).to.equal(`${99 - index}`);
        }
      }
      for (const [path, body] of [
        ['/v1/query', `{"parameters":["pages"],"filters":${DEEP.slice(100, -100)}}`],
        ['/track', `${'['.repeat(65)}${']'.repeat(65)}`],
      ] as const) {
        const answer = await gateway.call('POST', path, { key, body });
        expectError(answer, 400, 'VALIDATION_ERROR', now());
        expect(answer.body.details[0].field).to.equal('body');
      }
      expect(gateway.reached).to.deep.equal([]);
    });

    it('is 429 unparsed when what the batch may hold is spent, and one event of any size still passes', async () => {
      expectSuccess(
        await gateway.call('POST', '/track', { key, body: Array(9).fill({ name: 'a' }) }),
        200,
        now(),
      );
      const long = 'x'.repeat(70_000);
      const batch = await gateway.call('POST', '/track', { key, body: `[{"name":"a"},{"name":"${long}"},` });
      expectError(batch, 429, 'RATE_LIMIT_EXCEEDED', now());
      expect(batch.body.limit).to.equal(10);
      const single = { name: 'a', stack: long };
      for (const body of [single, [single]])
        expectSuccess(await gateway.call('POST', '/track', { key, body }), 200, now());
      const compressed = await gateway.call('POST', '/track', {
        key,
        body: gzipSync(`[{"name":"a"},{"name":"${long}"},`),
        headers: { 'content-encoding': 'gzip' },
      });
      expectError(compressed, 429, 'RATE_LIMIT_EXCEEDED', now());
    });
  });

  it('in so many large bodies that memory would end is 503 with Retry-After, and served once there is room', async () => {
    const answers: (() => void)[] = [];
    let isSilent = true;
    const upstream = await startUpstream((req, res) => {
      req.resume();
      req.on('end', () => (isSilent ? answers.push(() => res.end('{}')) : res.end('{}')));
    });
    const gateway = await startGateway({ upstream: upstream.origin });
    const body = gzipSync(JSON.stringify({ parameters: ['pages'], padding: 'x'.repeat(2 * MIB - 100) }));
    const send = async () => {
      const askedMs = Date.now();
      const response = await fetch(`${gateway.origin}/v1/query`, {
        method: 'POST',
        headers: {
          'x-api-key': gateway.key,
          'content-type': 'application/json',
          'content-encoding': 'gzip',
        },
        body: new Uint8Array(body),
      });
      return { ...(await readAnswer(response)), askedMs };
    };
    const release = (): void => {
      isSilent = false;
      for (const answer of answers) answer();
    };
    try {
      const calls = Array.from({ length: 60 }, async () => {
        const answer = await send();
        if (answer.status === 503) refused.push(answer);
        if (refused.length === 60 - 32) release();
        return answer.status;
      });
      const refused: Awaited<ReturnType<typeof send>>[] = [];
      const statuses = await Promise.all(calls);
      expect(
        statuses.filter((status) => status === 200),
        'as many as there is room for',
      ).to.have.length(32);
      for (const answer of refused) {
        expectError(answer, 503, 'UPSTREAM_UNAVAILABLE');
        expect(answer.headers.get('retry-after')).to.equal('1');
      }
      expect((await send()).status, 'afterwards').to.equal(200);
      const nobody = await rawRequest(gateway.origin, 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n');
      expect(nobody.statusLine).to.include('200');
    } finally {
      release();
      await gateway.close();
      await upstream.close();
    }
  });
});
