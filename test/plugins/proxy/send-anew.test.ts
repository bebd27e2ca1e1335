/** What the gateway sends anew when an address fails, and what it never repeats: counted at the upstreams. */
import { expect } from 'chai';
import { PrometheusMetrics } from '../../../services/shared/metrics/prometheus-metrics.ts';
import { samplesOf } from '../../support/metric-samples.ts';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';
import type { TempDirectory } from '../../support/temp-directory.ts';
import { balancedConfiguration, UpstreamService } from '../../support/upstream-service.ts';

/** Nothing but the retries themselves saves a request. */
const UNWATCHED = 'balance: round-robin\nhealthCheck: none\nbreaker: none';

describe('a request that an address fails', () => {
  let bad: UpstreamService;
  let good: UpstreamService;
  let metrics: PrometheusMetrics;
  let folder: TempDirectory;
  let gateway: TestGateway;

  async function start(settings = UNWATCHED, services = [bad, good]): Promise<void> {
    metrics = new PrometheusMetrics();
    folder = balancedConfiguration(settings);
    gateway = await startGateway({
      upstream: services.map(({ origin }) => origin).join(','),
      configDir: folder.path,
      metrics,
    });
  }

  beforeEach(async () => {
    bad = await UpstreamService.start();
    good = await UpstreamService.start();
  });
  afterEach(async () => {
    await gateway.close();
    await bad.kill();
    await good.kill();
    folder.remove();
  });

  const send = (method: string, id: string, body?: RequestInit['body'], path = '/v1/query/websites') =>
    fetch(`${gateway.origin}${method === 'GET' || method === 'HEAD' ? path : '/track'}`, {
      method,
      headers: { 'x-api-key': gateway.key, 'x-id': id, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body, duplex: 'half' }),
    } as RequestInit);
  const statusOf = async (response: Promise<Response>) => {
    const { status } = await response.then(async (each) => {
      await each.arrayBuffer();
      return each;
    });
    return status;
  };
  const ids = Array.from({ length: 10 }, (_, index) => `r${index}`);

  it('is sent to another, whatever its method, when the connection was refused', async () => {
    await bad.kill();
    await start();
    for (const id of ids) {
      expect(await statusOf(send('POST', id, '{}'))).to.equal(200);
      expect(await statusOf(send('GET', `get-${id}`))).to.equal(200);
      expect(good.seen.get(id)).to.equal(1);
    }
    const found = samplesOf(await metrics.text());
    expect(found['tidegate_upstream_retries_total{service="tracking"}']).to.equal(5);
    expect(found['tidegate_upstream_failures_total{service="tracking",kind="broken"}']).to.equal(0);
  });

  it('keeps its streamed body whole when it is sent to another', async () => {
    await bad.kill();
    let received = '';
    good.answer = (_req, res, body) => {
      received = body;
      res.end('{}');
    };
    await start();
    const text = JSON.stringify({ name: 'x'.repeat(300_000) });
    for (const id of ids.slice(0, 4)) {
      received = '';
      expect(await statusOf(send('POST', id, new Blob([text]).stream()))).to.equal(200);
      expect(received === text, 'the body as it was sent').to.equal(true);
    }
  });

  it('is repeated when it changes nothing and its connection broke before an answer, and else never', async () => {
    bad.answer = (req) => req.socket.destroy();
    await start();
    const posts: number[] = [];
    for (const id of ids) {
      for (const method of ['GET', 'HEAD']) {
        expect(await statusOf(send(method, `${method}-${id}`))).to.equal(200);
      }
      posts.push(await statusOf(send('POST', id, '{}')));
      expect((bad.seen.get(id) ?? 0) + (good.seen.get(id) ?? 0), id).to.equal(1);
    }
    expect(bad.seen.get('GET-r0') ?? bad.seen.get('HEAD-r0'), 'some reached the bad one').to.equal(1);
    expect(posts.filter((status) => status === 200)).to.have.length(5);
    expect(posts.filter((status) => status === 502)).to.have.length(5);
  });

  it('is not repeated once an answer has begun', async () => {
    bad.answer = (req, res) => {
      res.writeHead(200, { 'content-length': '100' });
      res.write('half', () => setImmediate(() => req.socket.destroy()));
    };
    await start();
    let broken = 0;
    for (const id of ids) {
      await statusOf(send('GET', id)).catch(() => broken++);
      expect((bad.seen.get(id) ?? 0) + (good.seen.get(id) ?? 0), id).to.equal(1);
    }
    expect(broken).to.equal(5);
  });

  it('is not repeated for an answer with an error status', async () => {
    bad.answer = (_req, res) => res.writeHead(503).end();
    await start();
    const statuses = await Promise.all(ids.map((id) => statusOf(send('GET', id))));
    expect(statuses.filter((status) => status === 503)).to.have.length(5);
    expect(bad.count + good.count).to.equal(ids.length);
  });

  for (const retries of [0, 1, 2, 3, 5]) {
    it(`is sent anew ${retries} times at most where that is the setting`, async () => {
      const third = await UpstreamService.start();
      const all = [bad, good, third];
      for (const each of all) each.answer = (req) => req.socket.destroy();
      await start(`${UNWATCHED}\nretries: ${retries}`, all);
      expect(await statusOf(send('GET', 'only'))).to.equal(502);
      expect(all.reduce((sum, { count }) => sum + count, 0)).to.equal(retries + 1);
      if (retries >= 2) for (const each of all) expect(each.count, 'each before one again').to.be.above(0);
      await third.kill();
    });
  }

  it('ends for the client that left, and goes to no other address', async () => {
    const leave = new AbortController();
    bad.answer = (req) => {
      leave.abort();
      req.socket.once('close', () => undefined);
    };
    good.answer = bad.answer;
    await start();
    await fetch(`${gateway.origin}/v1/query/websites`, {
      headers: { 'x-api-key': gateway.key },
      signal: leave.signal,
    }).catch(() => null);
    good.answer = (_req, res) => res.end('{}');
    bad.answer = good.answer;
    expect(await statusOf(send('GET', 'next'))).to.equal(200);
    expect(bad.count + good.count).to.equal(2);
  });
});
