/** What the gateway charges for the time that work ran: told by the service, or counted until the client or the service is gone. */
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { createForwardedHeaders } from '../../../../plugins/kit/forwarded-headers.ts';
import { PrometheusMetrics } from '../../../../services/shared/metrics/prometheus-metrics.ts';
import { systemClock } from '../../../../services/shared/ports/clock.ts';
import type { LimitUse } from '../../../../services/shared/ports/counter-store.ts';
import { MemoryCounterStore } from '../../../../services/shared/storage/memory/memory-counter-store.ts';
import { expectCommonHeaders } from '../../../support/answers.ts';
import { samplesOf } from '../../../support/metric-samples.ts';
import { startGateway, startUpstream, type TestGateway } from '../../../support/start-gateway.ts';
import { until } from '../../../support/until.ts';

const SECONDS: LimitUse = {
  name: 'custom-sql-seconds',
  limit: 60,
  windowMs: 60_000,
  cost: 0,
  needs: 1,
  algorithm: 'fixed',
  onStoreFailure: 'local',
};

/** In small steps: a stall makes up one of them, and the gateway hears in the others what it was told. */
async function runFor(milliseconds: number): Promise<void> {
  for (let step = 0; step < milliseconds; step += 50) await sleep(50);
}

describe('the running time of custom SQL', () => {
  let gateway: TestGateway;
  let upstream: Awaited<ReturnType<typeof startUpstream>>;
  let counters: MemoryCounterStore;
  let metrics: PrometheusMetrics;
  let answer: (res: ServerResponse) => void;

  beforeEach(async () => {
    upstream = await startUpstream((req, res) => {
      req.resume();
      req.on('end', () => answer(res));
    });
    counters = new MemoryCounterStore(systemClock);
    metrics = new PrometheusMetrics();
    gateway = await startGateway({ upstream: upstream.origin, counters, metrics });
  });
  afterEach(async () => {
    await gateway.close();
    await upstream.close();
  });

  const ask = (path = '/v1/query/custom', signal?: AbortSignal) =>
    fetch(gateway.origin + path, {
      method: 'POST',
      signal,
      headers: { 'x-api-key': gateway.key, 'content-type': 'application/json' },
      body: '{}',
    });
  const tell =
    (milliseconds: number | string, status = 200) =>
    (res: ServerResponse) =>
      res.writeHead(status, { 'x-tidegate-running-ms': `${milliseconds}` }).end('{}');
  const left = () => counters.peek('organization:org_t', SECONDS).remaining;

  it('is charged as the service tells it, on answers of every status, and stays inside', async () => {
    for (const [status, charged] of [
      [200, 10],
      [400, 20],
      [504, 35],
    ] as const) {
      const before = left();
      answer = tell((charged - (60 - before)) * 1_000, status);
      const response = await ask();
      expect(response.status).to.equal(status);
      expect(response.headers.get('x-tidegate-running-ms')).to.equal(null);
      expect(left()).to.equal(60 - charged);
    }
  });

  it('is 429 with the usual headers and body once it is used up, however much was overshot', async () => {
    answer = tell(100_000);
    expect((await ask()).status).to.equal(200);
    const refused = await ask();
    expect(refused.status).to.equal(429);
    expectCommonHeaders(refused.headers);
    expect(refused.headers.get('x-ratelimit-limit')).to.equal('60');
    expect(refused.headers.get('x-ratelimit-remaining')).to.equal('0');
    const body = (await refused.json()) as { readonly error: string };
    expect(body).to.include({ code: 'RATE_LIMIT_EXCEEDED', limit: 60, remaining: 0 });
    expect(body.error).to.match(
      /^The limit "custom-sql-seconds" of 60 seconds of running per 60 s was exceeded; retry in \d+ s\.$/,
    );
    expect((await ask('/v1/query')).status).to.equal(200);
    const charged = samplesOf(await metrics.text());
    const name = 'tidegate_rate_limit_charged_afterwards_total{limit="custom-sql-seconds"}';
    expect(charged[name]).to.equal(100);
  });

  it('collects fractions of a second', async () => {
    answer = tell(400);
    for (let count = 0; count < 5; count++) await ask();
    expect(left()).to.equal(58);
  });

  it('is believed of nothing but a number', async () => {
    for (const text of ['-5000', '5e3', 'NaN', '', '1234567890']) {
      answer = tell(text);
      expect((await ask()).status).to.equal(200);
    }
    expect(left()).to.equal(60);
  });

  it('counts nowhere else: not on an endpoint without the limit', async () => {
    answer = tell(30_000);
    await ask('/v1/query');
    expect(left()).to.equal(60);
  });

  it('is counted from 102 on when the client leaves', async () => {
    let began = 0;
    answer = (res) => {
      res.writeProcessing();
      began++;
    };
    const leaving = new AbortController();
    const left = ask('/v1/query/custom', leaving.signal).catch(() => 'left');
    await until('the work begins', () => began === 1);
    await runFor(1_500);
    leaving.abort();
    expect(await left).to.equal('left');
    await until('it is charged', () => counters.peek('organization:org_t', SECONDS).remaining < 60);
  });

  it('is counted from 102 on when the service breaks off, and not at all before', async () => {
    answer = (res) => res.destroy();
    expect((await ask()).status).to.equal(502);
    expect(left()).to.equal(60);
    answer = (res) => {
      res.writeProcessing();
      void runFor(1_500).then(() => res.destroy());
    };
    expect((await ask()).status).to.equal(502);
    expect(left()).to.be.below(60);
  });

  it('reaches no client from any backend, whatever its spelling', () => {
    const { responseName } = createForwardedHeaders(() => true);
    for (const name of ['x-tidegate-running-ms', 'X-Tidegate-Running-Ms', 'x_tidegate_running_ms']) {
      expect(responseName(name)).to.equal(false);
    }
  });
});
