/** The metrics port over prom-client: what is measured is in the scrape, and labels stay closed. */
import { expect } from 'chai';
import { register } from 'prom-client';
import { PrometheusMetrics } from '../../../../services/shared/metrics/prometheus-metrics.ts';
import { samplesOf } from '../../../support/metric-samples.ts';

const LABELS = { outcome: ['ok', 'failed'], kind: ['a', 'b'] } as const;

describe('PrometheusMetrics', () => {
  const samples = async (metrics: PrometheusMetrics) => samplesOf(await metrics.text());

  it('shows a counter per label set that was asked for, from 0 on', async () => {
    const metrics = new PrometheusMetrics();
    const family = metrics.counter('tidegate_things_total', 'Things.', LABELS);
    const ok = family.of({ outcome: 'ok', kind: 'a' });
    family.of({ outcome: 'failed', kind: 'b' });
    ok.add();
    ok.add(4);
    const text = await metrics.text();
    expect(text).to.contain('# HELP tidegate_things_total Things.\n# TYPE tidegate_things_total counter\n');
    const expected = {
      'tidegate_things_total{outcome="ok",kind="a"}': 5,
      'tidegate_things_total{outcome="failed",kind="b"}': 0,
    };
    expect(samplesOf(text)).to.deep.equal(expected);
    expect(await samples(metrics), 'a second scrape counts nothing').to.deep.equal(expected);
  });

  it('gives the same cell for the same labels, from any declaration of the name', async () => {
    const metrics = new PrometheusMetrics();
    metrics
      .counter('tidegate_things_total', 'Things.', { kind: ['a'] })
      .of({ kind: 'a' })
      .add();
    const again = metrics.counter('tidegate_things_total', 'Things.', { kind: ['a', 'late'] });
    again.of({ kind: 'a' }).add();
    again.of({ kind: 'late' }).add();
    expect(await samples(metrics)).to.deep.equal({
      'tidegate_things_total{kind="a"}': 2,
      'tidegate_things_total{kind="late"}': 1,
    });
  });

  it('gives its cells to readers without a scrape: the same labels each time, none of an unknown name', () => {
    const metrics = new PrometheusMetrics();
    const things = metrics.counter('tidegate_things_total', 'Things.', LABELS);
    const took = metrics.histogram('tidegate_took_seconds', 'Took.', [1, 2], { kind: ['a'] });
    things.of({ outcome: 'ok', kind: 'a' }).add(3);
    took.of({ kind: 'a' }).observe(1.5);
    took.of({ kind: 'a' }).observe(9);
    const [count] = [...metrics.counts('tidegate_things_total')];
    expect([count?.labels, count?.cell.value]).to.deep.equal([{ outcome: 'ok', kind: 'a' }, 3]);
    things.of({ outcome: 'ok', kind: 'a' }).add(2);
    const [again] = [...metrics.counts('tidegate_things_total')];
    expect(again?.labels).to.equal(count?.labels);
    expect(again?.cell.value).to.equal(5);
    const [spread] = [...metrics.distributions('tidegate_took_seconds')];
    expect([spread?.cell.bounds, spread?.cell.counts]).to.deep.equal([
      [1, 2],
      [0, 1, 1],
    ]);
    for (const name of ['tidegate_nothing_total', 'tidegate_took_seconds'])
      expect([...metrics.counts(name)]).to.deep.equal([]);
    expect([...metrics.distributions('tidegate_things_total')]).to.deep.equal([]);
  });

  it('shows gauges as they were set last, and watched ones as they are now', async () => {
    const metrics = new PrometheusMetrics();
    const level = metrics.gauge('tidegate_level', 'Level.', {}).of({});
    level.set(7);
    level.set(3);
    let depth = 1;
    metrics.watch('tidegate_depth', 'Depth.', () => depth);
    expect(await samples(metrics)).to.deep.equal({ tidegate_level: 3, tidegate_depth: 1 });
    depth = 9;
    expect((await samples(metrics)).tidegate_depth).to.equal(9);
    metrics.watch('tidegate_depth', 'Depth.', () => 5);
    expect((await samples(metrics)).tidegate_depth).to.equal(5);
  });

  it('shows a histogram cumulatively: a value on a bound is within it, one beyond all only in +Inf', async () => {
    const metrics = new PrometheusMetrics();
    const cell = metrics
      .histogram('tidegate_took_seconds', 'Took.', [0.1, 1], { kind: ['a'] })
      .of({ kind: 'a' });
    for (const value of [0.05, 0.1, 0.5, 2]) cell.observe(value);
    const text = await metrics.text();
    expect(text).to.contain('# TYPE tidegate_took_seconds histogram\n');
    expect(samplesOf(text)).to.deep.equal({
      'tidegate_took_seconds_bucket{le="0.1",kind="a"}': 2,
      'tidegate_took_seconds_bucket{le="1",kind="a"}': 3,
      'tidegate_took_seconds_bucket{le="+Inf",kind="a"}': 4,
      'tidegate_took_seconds_sum{kind="a"}': 2.65,
      'tidegate_took_seconds_count{kind="a"}': 4,
    });
  });

  it('refuses a label value that was not declared', () => {
    const family = new PrometheusMetrics().counter('tidegate_things_total', 'Things.', { kind: ['a'] });
    expect(() => family.of({ kind: 'org_1' as 'a' })).to.throw('the label kind may not be "org_1"');
    expect(() => family.of({} as { kind: 'a' })).to.throw('the label kind may not be "undefined"');
  });

  it('refuses names that do not say what they are, and a name of another kind or with other labels', () => {
    const metrics = new PrometheusMetrics();
    expect(() => metrics.counter('tidegate_things', 'Things.', {})).to.throw('ends in _total');
    for (const name of ['things', 'tidegate_', 'tidegate_Things', 'tidegate_a__b']) {
      expect(() => metrics.gauge(name, 'Things.', {}), name).to.throw('no name of a metric');
    }
    metrics.gauge('tidegate_level', 'Level.', { kind: ['a'] });
    expect(() => metrics.watch('tidegate_level', 'Level.', () => 0)).to.throw('is a gauge already');
    expect(() => metrics.gauge('tidegate_level', 'Level.', { other: ['a'] })).to.throw('has the labels kind');
    expect(() => metrics.gauge('tidegate_level', 'Level.', {})).to.throw('has the labels kind');
  });

  it('keeps to its own registry', async () => {
    new PrometheusMetrics().counter('tidegate_things_total', 'Things.', {}).of({}).add();
    expect(register.getMetricsAsArray()).to.deep.equal([]);
    expect(await samples(new PrometheusMetrics())).to.deep.equal({});
  });

  it('says of its process memory, CPU and the delay of its event loop when told to', async () => {
    const metrics = new PrometheusMetrics();
    metrics.measureProcess();
    const found = await samples(metrics);
    expect(found.process_resident_memory_bytes).to.be.greaterThan(1_000_000);
    expect(found).to.include.keys('process_cpu_seconds_total', 'nodejs_eventloop_lag_p99_seconds');
  });
});
