/** The measured counters: every refusal counts at the limit that refused, and no name of anybody becomes a label. */
import { expect } from 'chai';
import {
  limitNames,
  MeasuredCounterStore,
} from '../../../../gateway/serve/counters/measured-counter-store.ts';
import { NOTHING_PASSES } from '../../../../plugins/kit/nothing-passes.ts';
import { PrometheusMetrics } from '../../../../services/shared/metrics/prometheus-metrics.ts';
import type { CounterStore, LimitUse } from '../../../../services/shared/ports/counter-store.ts';
import { MemoryCounterStore } from '../../../../services/shared/storage/memory/memory-counter-store.ts';
import { counterStoreContract } from '../../../contract/counter-store.contract.ts';
import { samplesOf } from '../../../support/metric-samples.ts';
import { TEST_PLANS } from '../../../support/policy-kit.ts';
import { createTestClock } from '../../../support/test-clock.ts';

const NAMES = limitNames(TEST_PLANS);

counterStoreContract(
  'measured',
  (clock) => new MeasuredCounterStore(new MemoryCounterStore(clock), new PrometheusMetrics(), NAMES),
);

describe('MeasuredCounterStore', () => {
  it('names by label exactly what can refuse: the plan, each group of the public limit, and other limits', async () => {
    const metrics = new PrometheusMetrics();
    new MeasuredCounterStore(new MemoryCounterStore(createTestClock()), metrics, NAMES);
    const labels = [...(await metrics.text()).matchAll(/refused_total\{limit="([^"]+)"\}/g)].map(
      ([, name]) => name,
    );
    expect(labels).to.have.members([
      'plan',
      'public:flags',
      'public:ingest',
      'public:links',
      'public:failed-credentials',
      'public:other',
      'login',
      'refresh',
      'custom-sql',
      'batch-datasets',
      'batch-events',
      'other',
    ]);
  });

  it('counts what limits in shadow would have refused, once for each request', async () => {
    const metrics = new PrometheusMetrics();
    const store = new MeasuredCounterStore(new MemoryCounterStore(createTestClock()), metrics, NAMES);
    const shadow: LimitUse = { ...use('custom-sql', 2), shadow: true };
    for (let count = 0; count < 5; count++) {
      await store.decide('organization:a', [use('plan@10s', 100), shadow]);
      await store.decide('organization:a', [use('plan@10s', 100), shadow, NOTHING_PASSES]);
    }
    const text = await metrics.text();
    expect(text).to.contain('tidegate_rate_limit_shadowed_total{limit="custom-sql"} 3\n');
    expect(text).to.contain('tidegate_rate_limit_refused_total{limit="custom-sql"} 0\n');
  });

  const use = (name: string, limit: number): LimitUse => ({
    name,
    limit,
    windowMs: 1_000,
    cost: 1,
    algorithm: 'fixed',
    onStoreFailure: 'local',
  });

  for (const [kind, wrap] of Object.entries<(store: MemoryCounterStore) => CounterStore>({
    'a store that answers at once': (store) => store,
    'a store that answers later': (store) => ({
      decide: async (subject, uses) => store.decide(subject, uses),
      charge: async (subject, of, amount) => store.charge(subject, of, amount),
      peek: (subject, of) => store.peek(subject, of),
      close: () => store.close(),
    }),
  })) {
    it(`counts admitted ones, and refused ones at each limit that refused, of ${kind}`, async () => {
      const metrics = new PrometheusMetrics();
      const store = new MeasuredCounterStore(wrap(new MemoryCounterStore(createTestClock())), metrics, [
        ...NAMES,
        'custom-sql',
      ]);
      const uses = [use('plan', 3), use('plan@key_1', 100), use('custom-sql@key_1', 2), use('strange', 2)];
      for (let count = 0; count < 6; count++) await store.decide('a', uses);
      for (let count = 0; count < 6; count++) await store.decide('a', [use('public:other', 1)]);
      const found = samplesOf(await metrics.text());
      const refused = (limit: string) => found[`tidegate_rate_limit_refused_total{limit="${limit}"}`];
      expect(found.tidegate_rate_limit_admitted_total).to.equal(3);
      expect([
        refused('custom-sql'),
        refused('other'),
        refused('public:other'),
        refused('plan'),
      ]).to.deep.equal([4, 4, 5, 0]);
      await store.decide('b', [use('plan', 3), NOTHING_PASSES]);
      expect(samplesOf(await metrics.text()), 'a question is no refusal').to.deep.equal(found);
      expect(Object.keys(found).join()).to.not.contain('key_1').and.not.contain('strange');
      await store.close();
    });
  }
});
