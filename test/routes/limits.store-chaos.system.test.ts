/** A gateway whose Redis is in trouble: nobody waits for long, each limit keeps its word, and nothing counts twice afterwards. */
import { expect } from 'chai';
import { type OpenCounters, openCounters } from '../../gateway/process/stores/open-counters.ts';
import { PrometheusMetrics } from '../../services/shared/metrics/prometheus-metrics.ts';
import { systemClock } from '../../services/shared/ports/clock.ts';
import type { CounterStore, StoreFailure } from '../../services/shared/ports/counter-store.ts';
import { parseRedisUrl } from '../../services/shared/storage/redis/redis-address.ts';
import { expectError } from '../support/answers.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { createLogWatch, type LogWatch } from '../support/log-watch.ts';
import { samplesOf } from '../support/metric-samples.ts';
import { requireRedis, startRedis, type TestRedis } from '../support/redis-server.ts';
import { startGateway, startUpstream, type TestGateway } from '../support/start-gateway.ts';
import { type Answer, readAnswer } from '../support/start-tidegate.ts';

/** The organization's limit; its window, a minute, is longer than any of these tests takes. */
const LIMIT = 20;
/** Within what every request is answered, in milliseconds: a store that is waited for without end would show. */
const ANSWERED_MS = 5_000;
/** By how much trouble may prolong the 99th percentile, in milliseconds: the command timeout, and what a busy machine adds; less than the slow store takes. */
const DELAYED_MS = 2_500;
/** Failures in a row after which the store is not asked any more. */
const ASKED_IN_VAIN = 3;

describe('a gateway whose Redis', () => {
  let redis: TestRedis;
  let proxy: FaultProxy;
  let upstream: Awaited<ReturnType<typeof startUpstream>>;
  let gateway: TestGateway;
  let metrics: PrometheusMetrics;
  let watch: LogWatch;
  const closers: (() => Promise<unknown>)[] = [];

  before(function () {
    requireRedis(this);
  });
  beforeEach(async () => {
    redis = await startRedis();
    proxy = await startFaultProxy(Number(new URL(redis.url).port));
    upstream = await startUpstream((_req, res) => res.end('{}'));
    closers.push(
      () => redis.kill(),
      () => proxy.close(),
      () => upstream.close(),
    );
  });
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
    watch.assertClean();
  });

  async function start(rule: StoreFailure = 'local'): Promise<void> {
    metrics = new PrometheusMetrics();
    watch = createLogWatch();
    const redis = parseRedisUrl(`redis://127.0.0.1:${proxy.port}`);
    const ports = { clock: systemClock, logger: watch.logger, metrics };
    const opened: OpenCounters = await openCounters(
      { redis, counting: 'exact', quotaFile: '', cookieKey: new Uint8Array(32) },
      ports,
      closers,
    );
    gateway = await startGateway({
      upstream: upstream.origin,
      counters: under(rule, opened.counters),
      countersAreDegraded: opened.areDegraded,
      metrics,
      perMinute: LIMIT,
    });
    closers.push(() => gateway.close());
  }

  async function get(path: string, key?: string): Promise<Answer> {
    const begun = performance.now();
    const headers: Record<string, string> = key === undefined ? {} : { 'x-api-key': key };
    const answer = await readAnswer(await fetch(`${gateway.origin}${path}`, { headers }));
    expect(performance.now() - begun, 'how long an answer took').to.be.below(ANSWERED_MS);
    return answer;
  }
  const ask = () => get('/v1/query/websites', gateway.key);
  /** How many of `times` requests, one after the other, were let pass; the others got 429. */
  async function passed(times: number): Promise<number> {
    const statuses: number[] = [];
    for (let count = 0; count < times; count++) statuses.push((await ask()).status);
    expect(statuses.filter((status) => status !== 200 && status !== 429)).to.deep.equal([]);
    return statuses.filter((status) => status === 200).length;
  }
  /** The 99th percentile of how long a hundred requests took, in milliseconds. */
  async function slowest(): Promise<number> {
    const tookMs: number[] = [];
    for (let count = 0; count < 100; count++) {
      const begun = performance.now();
      await passed(1);
      tookMs.push(performance.now() - begun);
    }
    return tookMs.sort((a, b) => a - b)[98] as number;
  }
  const degraded = async () => (await get('/health')).body.counters === 'degraded';
  async function until(wanted: boolean): Promise<void> {
    while ((await degraded()) !== wanted) await new Promise(setImmediate);
  }
  const samples = async () => samplesOf(await metrics.text());
  /** Requests that waited for an answer which did not come, or was refused. */
  const askedInVain = async () =>
    (await samples())['tidegate_counter_store_call_seconds_count{outcome="failed"}'];
  const linesWith = (text: string) => watch.lines.filter((line) => line.includes(text)).length;

  it('is well counts in it, and says so', async () => {
    await start();
    expect(await passed(30)).to.equal(LIMIT);
    expect((await get('/health')).body).to.deep.equal({ status: 'ok' });
    expect((await get('/health/ready')).body.checks.counters).to.equal('ok');
    expect((await samples()).tidegate_counter_store_state).to.equal(0);
    expect(await askedInVain()).to.equal(0);
  });

  it('is down at the start counts for itself, is ready, and counts in it once it is there', async () => {
    await proxy.set('refuse');
    await start();
    expect(await passed(30)).to.equal(LIMIT);
    expect(await askedInVain(), 'it knew').to.equal(0);
    const ready = await get('/health/ready');
    expect([ready.status, ready.body.checks.counters]).to.deep.equal([200, 'degraded']);
    expect((await get('/health')).body).to.deep.equal({ status: 'ok', counters: 'degraded' });
    await proxy.set('pass');
    await until(false);
    expect(await passed(30), 'nothing was pushed back').to.equal(LIMIT);
    expect([linesWith('in Redis do not answer'), linesWith('answer again')]).to.deep.equal([1, 1]);
  });

  it('is killed goes on from the last known counts, and begins anew with an empty one', async () => {
    await start();
    expect(await passed(5)).to.equal(5);
    await redis.kill();
    expect(await passed(30)).to.equal(LIMIT - 5);
    expect(await askedInVain()).to.be.at.most(ASKED_IN_VAIN);
    await redis.start();
    await until(false);
    expect(await passed(30)).to.equal(LIMIT);
  });

  it('takes a second to answer is asked in vain three times, and what arrived there counted once', async () => {
    await start();
    expect(await passed(5)).to.equal(5);
    await proxy.set({ answersAfterMs: 1_000 });
    expect(await passed(30)).to.equal(LIMIT - 5);
    expect(await askedInVain()).to.equal(ASKED_IN_VAIN);
    await proxy.set('pass');
    await until(false);
    expect(await passed(30)).to.equal(LIMIT - 5 - ASKED_IN_VAIN);
  });

  it('freezes is asked in vain by one wave of parallel requests at most, and counts what reached it once', async () => {
    await start();
    expect(await passed(5)).to.equal(5);
    await proxy.set('freeze');
    const wave = await Promise.all(Array.from({ length: 10 }, ask));
    expect(wave.filter(({ status }) => status === 200)).to.have.length(10);
    expect(await passed(30)).to.equal(LIMIT - 5 - 10);
    const waited = (await askedInVain()) ?? 0;
    expect(waited).to.be.within(ASKED_IN_VAIN, 10);
    await proxy.set('pass');
    await until(false);
    expect(await passed(30)).to.be.within(LIMIT - 5 - waited, LIMIT - 5);
  });

  for (const [trouble, bring, fewest] of [
    ['is down', () => proxy.set('refuse'), 0],
    ['is killed under load', () => redis.kill(), 0],
    ['takes three seconds to answer', () => proxy.set({ answersAfterMs: 3_000 }), ASKED_IN_VAIN],
    ['is frozen', () => proxy.set('freeze'), ASKED_IN_VAIN],
  ] as const) {
    it(`${trouble} delays the slowest of a hundred no more than a command may take, and three at most`, async () => {
      await start();
      const healthyMs = await slowest();
      await bring();
      expect((await slowest()) - healthyMs, 'how much longer the 99th percentile is').to.be.below(DELAYED_MS);
      expect(await askedInVain()).to.be.within(fewest, ASKED_IN_VAIN);
    });
  }

  it('loses its connections finds it again and goes on with its counts', async () => {
    await start();
    expect(await passed(5)).to.equal(5);
    proxy.cut();
    // It may be back before anybody could ask whether it is lost.
    const deadline = Date.now() + 60_000;
    while (linesWith('answer again') === 0 && Date.now() < deadline) await new Promise(setImmediate);
    expect(linesWith('answer again')).to.be.greaterThan(0);
    await until(false);
    expect(await passed(30)).to.equal(LIMIT - 5);
  });

  it('comes and goes answers every request, and admits no more than its own count and the shared one', async () => {
    await start();
    let passes = 0;
    for (let round = 0; round < 6; round++) {
      await proxy.set(round % 2 === 0 ? 'refuse' : 'pass');
      passes += await passed(20);
    }
    expect(passes).to.be.within(LIMIT, 2 * LIMIT);
    await proxy.set('pass');
    await until(false);
    expect((await passed(30)) + passes).to.be.within(LIMIT, 2 * LIMIT);
  });

  it('is down lets everything through limits that are open, and shows them full', async () => {
    await start('open');
    expect(await passed(5)).to.equal(5);
    await proxy.set('refuse');
    await until(true);
    for (let count = 0; count < 30; count++) {
      const { status, headers } = await ask();
      expect([status, headers.get('x-ratelimit-remaining')]).to.deep.equal([200, `${LIMIT}`]);
    }
    await proxy.set('pass');
    await until(false);
    expect(await passed(30)).to.equal(LIMIT - 5);
  });

  it('is down answers 503 where limits are closed, showing `public`, and counts nothing', async () => {
    await start('closed');
    expect(await passed(5)).to.equal(5);
    await proxy.set('refuse');
    await until(true);
    for (let count = 0; count < 10; count++) {
      const answer = await ask();
      expectError(answer, 503, 'UPSTREAM_UNAVAILABLE');
      expect(answer.headers.get('x-ratelimit-limit')).to.equal('100');
      expect(answer.headers.get('x-ratelimit-remaining')).to.equal('100');
    }
    await proxy.set('pass');
    await until(false);
    expect(await passed(30)).to.equal(LIMIT - 5);
  });
});

/** The same store, with one rule for the loss of the store on every limit. */
function under(onStoreFailure: StoreFailure, store: CounterStore): CounterStore {
  return {
    decide: (subject, uses) =>
      store.decide(
        subject,
        uses.map((use) => ({ ...use, onStoreFailure })),
      ),
    charge: (subject, use, amount) => store.charge(subject, { ...use, onStoreFailure }, amount),
    peek: (subject, use) => store.peek(subject, use),
    close: () => store.close(),
  };
}
