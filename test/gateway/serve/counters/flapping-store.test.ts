/** Clients that obey Retry-After while the shared store comes and goes: nobody is refused twice in a row. */
import { expect } from 'chai';
import fc from 'fast-check';
import { GuardedCounterStore } from '../../../../gateway/serve/counters/guarded-counter-store.ts';
import { PrometheusMetrics } from '../../../../services/shared/metrics/prometheus-metrics.ts';
import type { Algorithm, LimitUse } from '../../../../services/shared/ports/counter-store.ts';
import { MemoryCounterStore } from '../../../../services/shared/storage/memory/memory-counter-store.ts';
import { FailingCounterStore } from '../../../support/failing-counter-store.ts';
import { createTestClock } from '../../../support/test-clock.ts';

/** A request of a client: how long it thinks before, and whether the store is there by then. */
const calls = fc.array(
  fc.tuple(
    fc.oneof(fc.constant(0), fc.nat(800), fc.nat(15_000)),
    fc.boolean(),
    fc.integer({ min: 1, max: 3 }),
  ),
  { minLength: 30, maxLength: 60 },
);

function usesOf(algorithm: Algorithm, cost: number): LimitUse[] {
  const common = { algorithm, onStoreFailure: 'local' } as const;
  return [
    { ...common, name: 'plan-short', limit: 3, windowMs: 10_000, cost: 1 },
    { ...common, name: 'plan-long', limit: 8, windowMs: 60_000, cost: 1 },
    { ...common, name: 'batch', limit: 9, windowMs: 60_000, cost },
  ];
}

describe('clients that obey Retry-After while the store comes and goes', () => {
  for (const algorithm of ['fixed', 'sliding'] as const) {
    it(`are never refused twice in a row (${algorithm})`, async () => {
      let refusals = 0;
      let without = 0;
      await fc.assert(
        fc.asyncProperty(calls, async (taken) => {
          const clock = createTestClock();
          const lastKnown = new MemoryCounterStore(clock);
          const remote = new FailingCounterStore(clock, lastKnown);
          const metrics = new PrometheusMetrics();
          const store = new GuardedCounterStore({ remote, lastKnown, clock, metrics, onChange: () => {} });
          const toggle = async (works: boolean): Promise<void> => {
            remote.trouble = works ? 'works' : 'fails';
            if (works) store.back();
            else store.lost(new Error('gone'));
            await new Promise(setImmediate);
          };
          for (const [thinksMs, works, cost] of taken) {
            clock.advance(thinksMs);
            await toggle(works);
            const uses = usesOf(algorithm, cost);
            const decision = await store.decide('a', uses);
            if (store.state === 'open') without++;
            if (decision.admitted) continue;
            refusals++;
            const violated = decision.states.filter((state) => state.violated);
            const waitMs = Math.max(...violated.map(({ resetAtMs }) => resetAtMs)) - decision.nowMs;
            clock.advance(Math.max(1, Math.ceil(waitMs / 1_000)) * 1_000);
            await toggle(!works);
            expect((await store.decide('a', uses)).admitted, 'obeyed, and refused again').to.equal(true);
          }
          await store.close();
        }),
        { numRuns: 150 },
      );
      expect([refusals, without].map((count) => count > 150)).to.deep.equal([true, true]);
    });
  }
});
