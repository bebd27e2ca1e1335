/** The traffic over time: what several processes measured, written down by differences, bounded, and put together again. */
import { expect } from 'chai';
import { organizationCounts } from '../../../../gateway/serve/platform/organization-counts.ts';
import { readTrafficHistory } from '../../../../gateway/serve/platform/traffic-history.ts';
import { recordTraffic } from '../../../../gateway/serve/traffic/traffic-record.ts';
import { PrometheusMetrics } from '../../../../services/shared/metrics/prometheus-metrics.ts';
import type { ActivityIncrement } from '../../../../services/shared/model/activity.ts';
import { type RequestOutcome, requestLabels } from '../../../../services/shared/model/request-labels.ts';
import { createLogWatch, createStrictLogger } from '../../../support/log-watch.ts';
import { createMemoryDocumentStore } from '../../../support/memory-document-store.ts';
import { createTestClock } from '../../../support/test-clock.ts';

const BOUNDS = [0.005, 0.05, 0.5];

/** A process that measures, with what it measured before this suite looks. */
function createProcess(endpoints: readonly string[]) {
  const metrics = new PrometheusMetrics();
  const requests = metrics.counter('tidegate_requests_total', 'Responses.', {
    endpoint: endpoints,
    method: ['read', 'write'],
    status: ['200', '404', '429', '503', 'aborted'],
  });
  const took = metrics.histogram('tidegate_request_duration_seconds', 'How long.', BOUNDS, {
    endpoint: endpoints,
  });
  const of = (name: string, label: string, values: readonly string[]) =>
    metrics.counter(name, 'x', { [label]: values });
  const refused = of('tidegate_rate_limit_refused_total', 'limit', ['plan', 'public:flags']);
  const steps = of('tidegate_ingest_events_total', 'step', ['received', 'writeEvents']);
  const drops = of('tidegate_ingest_dropped_events_total', 'reason', ['faulty', 'repeated']);
  const asked = of('tidegate_upstream_requests_total', 'service', ['query']);
  return {
    metrics,
    answer(endpoint: string, status: '200' | '404' | '429' | '503' | 'aborted', seconds: number, times = 1) {
      requests.of({ endpoint, method: 'read', status }).add(times);
      for (let count = 0; count < times; count++) took.of({ endpoint }).observe(seconds);
    },
    refuse: (limit: string, times: number) => refused.of({ limit }).add(times),
    pass: (step: string, times: number) => steps.of({ step }).add(times),
    drop: (reason: string, times: number) => drops.of({ reason }).add(times),
    ask: (times: number) => asked.of({ service: 'query' }).add(times),
  };
}

describe('the traffic over time', () => {
  const setUp = (at = '2026-01-31T23:45:00.000Z') => {
    const clock = createTestClock(at);
    const documents = createMemoryDocumentStore(clock);
    const record = (process: ReturnType<typeof createProcess>) =>
      recordTraffic({ metrics: process.metrics, documents, clock, logger: createStrictLogger() });
    const read = (range: 'hour' | 'day') => readTrafficHistory(documents, range, clock.now());
    return { clock, documents, record, read };
  };

  it('adds up what processes measured since they were read before, minute by minute and hour by hour', async () => {
    const { clock, record, read } = setUp();
    const [one, two] = [createProcess(['query', 'track']), createProcess(['query'])];
    const records = [record(one), record(two)];
    one.answer('query', '200', 0.004, 90);
    one.answer('query', '200', 0.04, 8);
    one.answer('query', '429', 0.001, 2);
    one.refuse('plan', 2);
    two.answer('query', '503', 0.4, 10);
    two.ask(10);
    for (const each of records) await each.flush();
    // 23:45 has ended; what is read next belongs to 00:05 of the next day.
    clock.advance(20 * 60_000);
    for (const each of records) await each.flush();
    one.answer('track', '404', 7, 1);
    one.refuse('public:flags', 1);
    one.pass('received', 12);
    one.pass('writeEvents', 9);
    one.drop('faulty', 3);
    for (const each of records) await each.close();

    const hour = await read('hour');
    // An hour before 00:05 is 23:05, which lies in the slot of endpoints from 23:00 on.
    expect([hour.granularity, hour.start, hour.end]).to.deep.equal([
      'minute',
      '2026-01-31T23:00:00.000Z',
      '2026-02-01T00:06:00.000Z',
    ]);
    const at = (line: readonly (number | null)[]) => [line[45], line[65]];
    expect(hour.requests).to.have.length(66);
    expect(at(hour.requests)).to.deep.equal([110, 1]);
    expect(at(hour.limited)).to.deep.equal([2, 0]);
    expect(at(hour.failed)).to.deep.equal([10, 0]);
    // Of 110: 92 within 5 ms, 100 within 50 ms, 110 within 500 ms. The later one took longer than is told apart.
    expect(at(hour.p50Ms)).to.deep.equal([5, null]);
    expect(at(hour.p95Ms)).to.deep.equal([500, null]);
    expect(hour.p50Ms[0]).to.equal(null);
    expect(hour.statuses).to.deep.equal([
      { status: '200', requests: 98 },
      { status: '503', requests: 10 },
      { status: '429', requests: 2 },
      { status: '404', requests: 1 },
    ]);
    expect(hour.endpoints).to.deep.equal([
      { endpoint: 'query', requests: 110, refused: 2, failed: 10, p50Ms: 5, p95Ms: 500, p99Ms: 500 },
      { endpoint: 'track', requests: 1, refused: 1, failed: 0, p50Ms: null, p95Ms: null, p99Ms: null },
    ]);
    expect(hour.limits).to.deep.equal([
      { limit: 'plan', refusals: 2 },
      { limit: 'public flags', refusals: 1 },
    ]);
    expect(hour.steps).to.deep.equal([
      { step: 'received', events: 12 },
      { step: 'writeEvents', events: 9 },
    ]);
    expect(hour.dropped).to.deep.equal([{ reason: 'faulty', events: 3 }]);
    expect(hour.services).to.deep.equal([{ service: 'query', requests: 10, failures: 0, retries: 0 }]);

    const day = await read('day');
    expect([day.granularity, day.start, day.requests.slice(-2)]).to.deep.equal([
      'hour',
      '2026-01-31T01:00:00.000Z',
      [110, 1],
    ]);
    expect(day.endpoints).to.deep.equal(hour.endpoints);
    expect(day.statuses).to.deep.equal(hour.statuses);
    clock.advance(22 * 3_600_000);
    expect((await read('day')).requests[0]).to.equal(110);
    clock.advance(3_600_000);
    expect((await read('day')).requests[0]).to.equal(1);
  });

  it('tells sixty endpoints of an hour apart, and counts further ones together', async () => {
    const { clock, record, read } = setUp('2026-01-31T12:00:00.000Z');
    const names = Array.from({ length: 70 }, (_, index) => `e${index}`);
    const process = createProcess([...names, 'later']);
    const records = record(process);
    for (const name of names) process.answer(name, '200', 0.001);
    await records.flush();
    const { endpoints } = await read('hour');
    expect(endpoints).to.have.length(61);
    expect(endpoints[0]).to.deep.include({ endpoint: null, requests: 10, p99Ms: 5 });
    clock.advance(3_600_000);
    await records.flush();
    process.answer('later', '200', 0.001);
    await records.close();
    expect((await read('hour')).endpoints.map(({ endpoint }) => endpoint)).to.include('later');
  });

  it('counts the busiest organizations by the hour, and those that limits refuse most', async () => {
    const { clock, documents, record } = setUp('2026-01-31T12:00:00.000Z');
    for (let index = 0; index < 300; index++) {
      const id = `org_${index}`;
      await documents.organizations.insert({ id, organizationId: id, name: id, plan: 'free', limits: {} });
    }
    const records = record(createProcess([]));
    const of = (index: number, counts: Record<string, number>): ActivityIncrement => {
      const subject = { organizationId: `org_${index}`, websiteId: null, series: 'requests' } as const;
      return { ...subject, grain: 'hour', startsAtMs: clock.now(), counts };
    };
    const label = (outcome: RequestOutcome) =>
      `0|${requestLabels({ key: 'k', endpoint: 'e', outcome, limit: '', window: '' })}`;
    // Of 0 to 59 the first has most requests; limits refuse only 299, which asks least of all.
    const increments = Array.from({ length: 60 }, (_, index) => of(index, { [label('ok')]: 100 - index }));
    const limited = of(299, { [label('ok')]: 1, [label('limited')]: 7 });
    records.countOrganizations([...increments, limited, { ...limited, grain: 'minute' }]);
    await records.close();
    const asked = { limit: 100 } as const;
    const near = [
      { organization: 'org_1', key: null, limit: 100, remaining: 19, reset: '2026-01-31T12:01:00.000Z' },
      { organization: 'org_1', key: 'k', limit: 10, remaining: 1, reset: '2026-01-31T12:00:10.000Z' },
    ];
    const by = (sort: 'requests' | 'limited') =>
      organizationCounts(documents, clock.now(), { ...asked, sort }, near);
    const { organizations, next } = await by('requests');
    expect(organizations.map(({ id }) => id).slice(0, 3)).to.deep.equal(['org_0', 'org_1', 'org_2']);
    expect([organizations.length, next]).to.deep.equal([50, null]);
    expect(organizations[1]?.near).to.deep.equal({
      ...{ limit: 10, remaining: 1, reset: '2026-01-31T12:00:10.000Z' },
    });
    expect(organizations[0]?.near).to.equal(null);
    expect((await by('limited')).organizations.map(({ id }) => id)).to.deep.equal(['org_299']);
    await documents.organizations.remove('org_299', 'org_299');
    expect((await by('limited')).organizations).to.deep.equal([]);
    clock.advance(24 * 3_600_000);
    expect((await by('requests')).organizations).to.deep.equal([]);
  });

  it('keeps what a store does not take for the next time, says so once, and counts nothing twice', async () => {
    const { clock, documents, read } = setUp();
    const process = createProcess(['query']);
    const watch = createLogWatch();
    let isDown = true;
    const addActivity: typeof documents.addActivity = (increments) =>
      isDown ? Promise.reject(new Error('down')) : documents.addActivity(increments);
    const ports = { metrics: process.metrics, clock, logger: watch.logger };
    const records = recordTraffic({ ...ports, documents: { addActivity } });
    process.answer('query', '200', 0.001, 3);
    await records.flush();
    process.answer('query', '200', 0.001, 4);
    await records.flush();
    isDown = false;
    await records.flush();
    await records.close();
    expect((await read('hour')).statuses).to.deep.equal([{ status: '200', requests: 7 }]);
    const told = watch.lines.filter((line) => line.includes('traffic over time'));
    expect(told).to.have.length(1);
  });
});
