/** What a client is told when something behind or before the gateway is too slow or gone: JSON, whole, with every header. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import { ERRORS } from '../../../services/shared/errors/catalogue.ts';
import { expectError, expectSuccess } from '../../support/answers.ts';
import { asAnswer, rawRequest } from '../../support/raw-request.ts';
import { startGateway, startUpstream, type TestGateway } from '../../support/start-gateway.ts';
import { type Answer, newKeyText, readAnswer } from '../../support/start-tidegate.ts';

const ROUTE = '/v1/query/websites';

/** Edits of the shipped configuration: both services give up soon, and bodies of /v1/query are waited for shortly. */
const HURRIED = [
  ['serviceEndpoint: query, timeoutSeconds: 35', 'serviceEndpoint: query, timeoutSeconds: 1'],
  ['serviceEndpoint: tracking, timeoutSeconds: 15', 'serviceEndpoint: tracking, timeoutSeconds: 1'],
  ['{ maxBytes: 2097152 }', '{ maxBytes: 2097152, readTimeoutSeconds: 1 }'],
] as const;

describe('failures around the gateway', () => {
  let folder: string;
  let gateway: TestGateway;
  let upstream: Awaited<ReturnType<typeof startUpstream>>;
  /** Requests that reached the upstream, which never answers while `silent`. */
  let reached: number;
  let silent: boolean;

  beforeEach(async () => {
    reached = 0;
    silent = false;
    folder = mkdtempSync(join(tmpdir(), 'tidegate-failures-'));
    const configDir = join(folder, 'config');
    cpSync(join(PACKAGE_ROOT, 'config'), configDir, { recursive: true });
    const file = join(configDir, 'gateway.config.yml');
    // Only what is expected to run out is short: what must arrive in time has the time that it always has.
    let text = readFileSync(file, 'utf8');
    for (const [long, short] of HURRIED) {
      expect(text).to.contain(long);
      text = text.replace(long, short);
    }
    writeFileSync(file, text);
    upstream = await startUpstream((req, res) => {
      req.resume();
      reached++;
      if (!silent) res.end('{}');
    });
    gateway = await startGateway({ upstream: upstream.origin, configDir });
  });
  afterEach(async () => {
    await gateway.close();
    await upstream.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const call = async (headers: Record<string, string>, path = ROUTE): Promise<Answer> =>
    readAnswer(await fetch(`${gateway.origin}${path}`, { headers }));

  it('answers 504 TIMEOUT when the service does not answer in time, and serves on', async () => {
    silent = true;
    const answer = await call({ 'x-api-key': gateway.key });
    expectError(answer, 504, 'TIMEOUT');
    expect(answer.body).to.have.all.keys('success', 'error', 'code', 'message', 'requestId', 'details');
    expect(answer.headers.get('x-ratelimit-remaining')).to.equal('999999');
    expect(reached).to.equal(1);
    expect(gateway.log.join('')).to.contain(answer.body.requestId);

    silent = false;
    expectSuccess(await call({ 'x-api-key': gateway.key }, '/v1/websites'));
  });

  it('answers 504 on ingest with its status field', async () => {
    silent = true;
    const request = { method: 'POST', headers: { 'x-api-key': gateway.key }, body: '{"name":"a"}' };
    const answer = await readAnswer(await fetch(`${gateway.origin}/track`, request));
    // What fetch says by itself, text/plain, is legal on ingest.
    expectError(answer, 504, 'TIMEOUT');
    expect(answer.body.status).to.equal('error');
  });

  for (const [name, framing, part] of [
    ['announced', 'Content-Length: 20', '{"par'],
    ['chunked', 'Transfer-Encoding: chunked', '5\r\n{"par\r\n'],
  ] as const) {
    it(`answers 408 REQUEST_TIMEOUT to a body that does not come, ${name}, and troubles no service`, async () => {
      const head = `POST /v1/query HTTP/1.1\r\nHost: x\r\nx-api-key: ${gateway.key}\r\n${framing}\r\n\r\n`;
      const answer = asAnswer(await rawRequest(gateway.origin, `${head}${part}`));
      expectError(answer, 408, 'REQUEST_TIMEOUT');
      expect(answer.body).to.have.all.keys('success', 'error', 'code', 'message', 'requestId', 'details');
      expect(answer.headers.get('x-ratelimit-remaining')).to.equal('999999');
      expect(reached).to.equal(0);
    });
  }

  describe('when the document store is gone', () => {
    beforeEach(() => gateway.closeStore());

    it('answers 503 with Retry-After to a key on a scoped route, known or not, and counts nothing', async () => {
      for (const key of [gateway.key, newKeyText(), gateway.key]) {
        const answer = await call({ 'x-api-key': key });
        expectError(answer, 503, 'UPSTREAM_UNAVAILABLE');
        expect(answer.headers.get('www-authenticate')).to.equal(null);
        expect(answer.headers.get('x-ratelimit-remaining')).to.equal(answer.headers.get('x-ratelimit-limit'));
      }
      expect(reached).to.equal(0);
      const next = await call({});
      expectError(next, 401, 'AUTH_REQUIRED');
      expect(next.headers.get('x-ratelimit-remaining')).to.equal('99');
    });

    it('tells the client nothing of the store, and the log the cause under the request id', async () => {
      const { body } = await call({ 'x-api-key': gateway.key });
      expect(body.error).to.equal(ERRORS.SERVICE_UNAVAILABLE.text);
      expect(body.details).to.deep.equal([]);
      const line = gateway.log
        .map((text) => JSON.parse(text))
        .find((entry) => entry.requestId === body.requestId);
      expect(line?.err?.message).to.be.a('string').with.length.greaterThan(0);
      expect(line.err.message).to.not.equal(body.error);
    });

    it('still answers what needs no key', async () => {
      expectSuccess(await call({}, '/openapi.json'));
      expectError(await call({ 'x-api-key': 'nonsense' }), 401, 'INVALID_API_KEY');
    });
  });
});
