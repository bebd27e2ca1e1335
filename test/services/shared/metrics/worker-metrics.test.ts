/** Metrics of several workers in one scrape: sums that never fall, whoever ends, and gauges of those that run. */
import { EventEmitter } from 'node:events';
import { expect } from 'chai';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { PrometheusMetrics } from '../../../../services/shared/metrics/prometheus-metrics.ts';
import {
  answerMetrics,
  gatherMetrics,
  type MeasuredWorker,
} from '../../../../services/shared/metrics/worker-metrics.ts';
import { samplesOf } from '../../../support/metric-samples.ts';

/** A worker in this process: what is sent to it comes to its registry, and back. */
class TestWorker extends EventEmitter implements MeasuredWorker {
  readonly #registry = new Registry();
  readonly #inside = new EventEmitter();
  readonly requests = new Counter({ name: 'requests', help: 'r', registers: [this.#registry] });
  readonly open = new Gauge({ name: 'open', help: 'o', registers: [this.#registry] });
  readonly seconds = new Histogram({
    ...{ name: 'seconds', help: 's', buckets: [1], labelNames: ['path'], registers: [this.#registry] },
  });
  /** Takes questions and does not answer them. */
  isSilent = false;

  constructor() {
    super();
    answerMetrics(this.#registry, {
      on: (event, listener) => this.#inside.on(event, listener),
      // Between processes it is a copy.
      send: (message) => this.emit('message', JSON.parse(JSON.stringify(message))),
    });
  }

  isConnected(): boolean {
    return true;
  }

  send(message: object): void {
    if (!this.isSilent) this.#inside.emit('message', message);
  }
}

describe('metrics of several workers', () => {
  let first: TestWorker;
  let second: TestWorker;
  let workers: TestWorker[];
  let scrape: () => Promise<Record<string, number>>;

  beforeEach(() => {
    [first, second] = [new TestWorker(), new TestWorker()];
    workers = [first, second];
    const { text } = gatherMetrics(() => workers);
    scrape = async () => samplesOf(await text());
    first.requests.inc(5);
    second.requests.inc(7);
    first.open.set(3);
    second.open.set(2);
    first.seconds.observe({ path: '/a' }, 0.5);
    second.seconds.observe({ path: '/a' }, 2);
    second.seconds.observe({ path: '/b' }, 2);
  });

  it('are the average of what each worker has whole, to the last digit', async () => {
    const hash = 0xfffffffffff1;
    const measured = [hash, hash, hash].map((value) => {
      const [inside, worker] = [new EventEmitter(), new EventEmitter()];
      const metrics = new PrometheusMetrics();
      metrics.watch('tidegate_hash', 'Hash.', () => value, 'average');
      metrics.watch('tidegate_open', 'Open.', () => 2);
      metrics.answerTo({
        on: (event: string, listener: (message: unknown) => void) => inside.on(event, listener),
        send: (message: unknown) => worker.emit('message', message),
      });
      return Object.assign(worker, {
        isConnected: () => true,
        send: (message: object) => void inside.emit('message', message),
      });
    });
    const samples = samplesOf(await gatherMetrics(() => measured).text());
    expect(samples).to.deep.equal({ tidegate_hash: hash, tidegate_open: 6 });
  });

  const EXPECTED = {
    requests: 12,
    open: 5,
    'seconds_bucket{le="1",path="/a"}': 1,
    'seconds_bucket{le="+Inf",path="/a"}': 2,
    'seconds_sum{path="/a"}': 2.5,
    'seconds_count{path="/a"}': 2,
    'seconds_bucket{le="1",path="/b"}': 0,
    'seconds_bucket{le="+Inf",path="/b"}': 1,
    'seconds_sum{path="/b"}': 2,
    'seconds_count{path="/b"}': 1,
  };

  it('are sums, of gauges too', async () => {
    expect(await scrape()).to.deep.equal(EXPECTED);
  });

  it('keep the counts of workers that have ended, and not their gauges', async () => {
    await scrape();
    workers = [second];
    expect(await scrape()).to.deep.equal({ ...EXPECTED, open: 2 });
    const third = new TestWorker();
    third.requests.inc();
    workers = [third];
    const { requests, open, 'seconds_count{path="/a"}': seconds } = await scrape();
    expect({ requests, open, seconds }).to.deep.equal({ requests: 13, open: 0, seconds: 2 });
    second.requests.inc(100);
    expect((await scrape()).requests, 'once').to.equal(13);
  });

  it('keep them in scrapes that come at the same time', async () => {
    await scrape();
    workers = [];
    for (const { requests } of await Promise.all([scrape(), scrape(), scrape()])) {
      expect(requests).to.equal(12);
    }
  });

  it('hold the latest counts of a worker that owes its answer', async () => {
    await scrape();
    first.requests.inc(100);
    first.isSilent = true;
    expect(await scrape()).to.include({ requests: 12, open: 2 });
  });
});
