/** Metrics are read as they are written, odd labels and values too. */
import { expect } from 'chai';
import { Samples } from '../../../../gateway/serve/traffic/samples.ts';
import { PrometheusMetrics } from '../../../../services/shared/metrics/prometheus-metrics.ts';

describe('samples of metrics', () => {
  it('have the names, labels and values of the text, and leave out what is no sample', () => {
    const samples = new Samples(
      [
        '# HELP a_total Some text.',
        '# TYPE a_total counter',
        'a_total{x="1",y="two words"} 3',
        'a_total{x="a\\"b\\\\c\\nd",y=""} 4.5e1 1700000000000',
        'b 0.25',
        'c{le="+Inf"} NaN',
        'd +Inf',
        'no sample',
        '',
      ].join('\n'),
    );
    expect(samples.all('a_total')).to.deep.equal([
      { name: 'a_total', labels: { x: '1', y: 'two words' }, value: 3 },
      { name: 'a_total', labels: { x: 'a"b\\c\nd', y: '' }, value: 45 },
    ]);
    expect(samples.sum('a_total')).to.equal(48);
    expect(samples.sum('b')).to.equal(0.25);
    expect(samples.sum('c')).to.be.NaN;
    expect(samples.sum('d')).to.equal(Number.POSITIVE_INFINITY);
    expect(samples.sum('none')).to.equal(null);
    expect(samples.all('no')).to.deep.equal([]);
  });

  it('are those that a process of ours writes', async () => {
    const metrics = new PrometheusMetrics();
    metrics
      .counter('tidegate_some_total', 'Some.', { kind: ['one', 'two'] })
      .of({ kind: 'two' })
      .add(7);
    const samples = new Samples(await metrics.text());
    expect(samples.all('tidegate_some_total')).to.deep.include({
      name: 'tidegate_some_total',
      labels: { kind: 'two' },
      value: 7,
    });
  });
});
