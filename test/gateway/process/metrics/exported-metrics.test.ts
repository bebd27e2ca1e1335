/** What the gateway measures of its requests, and the loopback listener that shows it. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../../config/settings.ts';
import { startMetricsServer } from '../../../../gateway/process/metrics/start-metrics-server.ts';
import { PrometheusMetrics } from '../../../../services/shared/metrics/prometheus-metrics.ts';
import { freePort } from '../../../support/free-port.ts';
import { samplesOf } from '../../../support/metric-samples.ts';
import { rawRequest } from '../../../support/raw-request.ts';
import { startGateway, startUpstream, type TestGateway } from '../../../support/start-gateway.ts';
import { newKeyText, startTidegate } from '../../../support/start-tidegate.ts';

describe('measurements of the gateway', () => {
  let upstream: Awaited<ReturnType<typeof startUpstream>>;
  let metrics: PrometheusMetrics;
  let gateway: TestGateway;

  beforeEach(async () => {
    upstream = await startUpstream((req, res) => {
      if (req.url?.includes('break')) res.socket?.destroy();
      else if (req.url?.includes('foreign')) res.writeHead(401).end();
      else if (!req.url?.includes('silent')) res.writeHead(200).end('{}');
    });
    metrics = new PrometheusMetrics();
    gateway = await startGateway({ upstream: upstream.origin, metrics });
  });
  afterEach(async () => {
    await gateway.close();
    await upstream.close();
  });

  const samples = async () => samplesOf(await metrics.text());
  const get = async (
    path: string,
    headers: Record<string, string> = { 'x-api-key': gateway.key },
    method = 'GET',
  ) => {
    const response = await fetch(`${gateway.origin}${path}`, { method, headers });
    await response.text();
    return response.status;
  };
  /** A response is measured when its connection is done with it, which may be after the client has read it. */
  async function until(name: string, value: number): Promise<Record<string, number>> {
    for (;;) {
      const found = await samples();
      if (found[name] === value) return found;
      await new Promise(setImmediate);
    }
  }
  const requests = (endpoint: string, method: string, status: number | string) =>
    `tidegate_requests_total{endpoint="${endpoint}",method="${method}",status="${status}"}`;

  it('counts each response once, by endpoint, kind of method and status, and how long it took', async () => {
    for (let count = 0; count < 3; count++) expect(await get('/v1/query/websites')).to.equal(200);
    expect(await get('/v1/query/websites', {})).to.equal(401);
    expect(await get('/v1/query/websites', undefined, 'DELETE')).to.equal(405);
    expect(await get('/nothing/secret-id')).to.equal(404);
    expect(await get('/health')).to.equal(200);
    expect(
      await get(
        '/v1/query',
        { origin: 'http://localhost', 'access-control-request-method': 'POST' },
        'OPTIONS',
      ),
    ).to.equal(204);
    await until(requests('query-websites', 'read', 200), 3);
    await until(requests('query-websites', 'read', 401), 1);
    await until(requests('unmatched', 'write', 405), 1);
    await until(requests('unmatched', 'read', 404), 1);
    await until(requests('gateway', 'read', 200), 1);
    const found = await until(requests('gateway', 'other', 204), 1);
    const total = Object.entries(found)
      .filter(([name]) => name.startsWith('tidegate_requests_total'))
      .reduce((sum, [, value]) => sum + value, 0);
    expect(total).to.equal(8);
    expect(found['tidegate_request_duration_seconds_count{endpoint="query-websites"}']).to.equal(4);
    expect(found['tidegate_request_duration_seconds_bucket{le="+Inf",endpoint="query-websites"}']).to.equal(
      4,
    );
    expect(found['tidegate_request_duration_seconds_sum{endpoint="query-websites"}']).to.be.greaterThan(0);
    expect(await metrics.text()).to.not.contain('secret-id');
  });

  it('counts what the parser refused', async () => {
    await rawRequest(gateway.origin, 'nonsense\r\n\r\n');
    await until(requests('gateway', 'other', 400), 1);
  });

  it('counts a client that left as aborted, and not as a failure of the service', async () => {
    const leave = new AbortController();
    const asked = once(upstream.server, 'request');
    const answer = fetch(`${gateway.origin}/v1/query/websites?silent`, {
      headers: { 'x-api-key': gateway.key },
      signal: leave.signal,
    }).catch(() => null);
    await asked;
    leave.abort();
    await answer;
    const found = await until(requests('query-websites', 'read', 'aborted'), 1);
    expect(found['tidegate_upstream_failures_total{service="query",kind="broken"}']).to.equal(0);
  });

  it('counts failures of services by kind', async () => {
    expect(await get('/v1/query/websites?break')).to.equal(502);
    expect(await get('/v1/query/websites?foreign')).to.equal(502);
    const found = await samples();
    expect(found['tidegate_upstream_failures_total{service="query",kind="broken"}']).to.equal(1);
    expect(found['tidegate_upstream_failures_total{service="query",kind="identity"}']).to.equal(1);
    expect(found['tidegate_upstream_failures_total{service="query",kind="timeout"}']).to.equal(0);
    expect(found['tidegate_upstream_failures_total{service="tracking",kind="broken"}']).to.equal(0);
  });

  it('counts verdicts from memory, from the store, and refusals', async () => {
    const wrong = newKeyText();
    for (const key of [gateway.key, gateway.key, gateway.key, wrong, wrong, 'malformed']) {
      await get('/v1/query/websites', { 'x-api-key': key });
    }
    const found = await samples();
    expect(found['tidegate_auth_verdicts_total{kind="key",outcome="miss"}']).to.equal(2);
    expect(found['tidegate_auth_verdicts_total{kind="key",outcome="hit"}']).to.equal(2);
    expect(found['tidegate_auth_verdicts_total{kind="key",outcome="refused"}']).to.equal(2);
  });

  it('counts requests that were let pass, and those refused by the limit that refused them', async () => {
    await Promise.all(Array.from({ length: 103 }, () => get('/v1/query/types', {})));
    await get('/v1/query/websites');
    const found = await samples();
    expect(found.tidegate_rate_limit_admitted_total).to.equal(101);
    expect(found['tidegate_rate_limit_refused_total{limit="public:other"}']).to.equal(3);
    expect(found['tidegate_rate_limit_refused_total{limit="plan"}']).to.equal(0);
  });
});

describe('the listener of operators', () => {
  it('serves what was measured in the text format, and that it lives', async () => {
    const metrics = new PrometheusMetrics();
    metrics.counter('tidegate_things_total', 'Things.', {}).of({}).add(4);
    const server = await startMetricsServer({ port: 0, metrics });
    const scrape = await fetch(`${server.origin}/metrics`);
    expect(scrape.headers.get('content-type')).to.equal('text/plain; version=0.0.4; charset=utf-8');
    expect(samplesOf(await scrape.text())).to.deep.equal({ tidegate_things_total: 4 });
    expect(await (await fetch(`${server.origin}/health`)).json()).to.deep.equal({ status: 'ok' });
    await server.close();
  });

  it('answers nothing else: other paths, methods, and hosts that are not this machine', async () => {
    const server = await startMetricsServer({ port: 0, metrics: new PrometheusMetrics() });
    const statusOf = async (path: string, method = 'GET') => {
      const response = await fetch(`${server.origin}${path}`, { method });
      const body = (await response.json()) as { success: boolean };
      expect(body.success).to.equal(false);
      return [response.status, response.statusText];
    };
    expect(await statusOf('/v1/query')).to.deep.equal([404, 'NOT_FOUND']);
    expect(await statusOf('/metrics', 'POST')).to.deep.equal([405, 'METHOD_NOT_ALLOWED']);
    const foreign = 'GET /metrics HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n';
    expect((await rawRequest(server.origin, foreign)).statusLine).to.equal('HTTP/1.1 403 ACCESS_DENIED');
    await server.close();
  });

  it('stands on ADMIN_PORT of a server, with what the process says of itself; /metrics of the API is an unknown path', async () => {
    const port = await freePort();
    const server = await startTidegate({ settings: { ADMIN_PORT: `${port}` } });
    await server.call('GET', '/v1/query/websites', { key: server.keys.all });
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const found = samplesOf(text);
    expect(found['tidegate_auth_verdicts_total{kind="key",outcome="miss"}']).to.equal(1);
    expect(found.tidegate_event_store_waiting_events).to.equal(0);
    expect(found.process_resident_memory_bytes).to.be.greaterThan(0);
    for (const key of Object.values(server.keys)) expect(text).to.not.contain(key);
    expect((await server.call('GET', '/metrics', { key: server.keys.all })).status).to.equal(404);
    await server.close();
  });

  it('shows exactly the metrics that docs/operations.md lists, with their types', async () => {
    const [port, nothing] = [await freePort(), await freePort()];
    const server = await startTidegate({
      settings: { ADMIN_PORT: `${port}`, REDIS_URL: `redis://127.0.0.1:${nothing}` },
    });
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    await server.close();
    const shown = [...text.matchAll(/^# TYPE (tidegate_\S+) (\S+)$/gm)].map(([, name, type]) => [name, type]);
    const docs = readFileSync(join(PACKAGE_ROOT, 'docs/operations.md'), 'utf8');
    // The shipped pipelines do not show what others would.
    const rows = /^\| `(tidegate_\w+)` \| (\w+) \|(?! [^|]+ \| Where a pipeline )/gm;
    const listed = [...docs.matchAll(rows)].map(([, name, type]) => [name, type]);
    expect(shown.sort()).to.deep.equal(listed.sort());
  });

  it('stops the start, in words, when its port is taken', async () => {
    const taken = await startMetricsServer({ port: 0, metrics: new PrometheusMetrics() });
    const { port } = new URL(taken.origin);
    const fault = await startTidegate({ settings: { ADMIN_PORT: port } }).catch((thrown: unknown) => thrown);
    expect(fault).to.be.instanceOf(Error);
    expect((fault as Error).message).to.equal(
      `ADMIN_PORT: 127.0.0.1:${port} cannot be used: another process already listens there (EADDRINUSE)`,
    );
    await taken.close();
  });
});
