/** Decisions of one process without the shared store, against random arrivals, costs and answers of a store that comes and goes. */
import { expect } from 'chai';
import fc from 'fast-check';
import { LocalDecisions } from '../../../../gateway/serve/counters/local-decisions.ts';
import type { Algorithm, LimitDecision, LimitUse } from '../../../../services/shared/ports/counter-store.ts';
import { MemoryCounterStore } from '../../../../services/shared/storage/memory/memory-counter-store.ts';
import { LimitModel } from '../../../support/limit-model.ts';
import { createTestClock } from '../../../support/test-clock.ts';

/** What happens, and how many milliseconds after the last: the shared store decides, or this process alone. */
type Step = readonly [afterMs: number, isShared: boolean, cost: number];

const steps = fc.array(
  fc.tuple(
    fc.oneof(fc.nat(40), fc.nat(40), fc.nat(40), fc.nat(900)),
    fc.boolean(),
    fc.integer({ min: 1, max: 3 }),
  ),
  { minLength: 20, maxLength: 60 },
);
const algorithms = fc.constantFrom<Algorithm>('fixed', 'sliding');

function usesOf(algorithm: Algorithm, cost: number): LimitUse[] {
  const common = { algorithm, onStoreFailure: 'local' } as const;
  return [
    { ...common, name: 'plan-short', limit: 4, windowMs: 300, cost: 1 },
    { ...common, name: 'plan-long', limit: 7, windowMs: 1_000, cost: 1 },
    { ...common, name: 'batch', limit: 9, windowMs: 700, cost },
  ];
}

/** Until when a refusal holds. */
const freeAt = ({ states }: LimitDecision) =>
  Math.max(...states.filter(({ violated }) => violated).map(({ resetAtMs }) => resetAtMs));

/** One process that lives through the steps, and what it admitted alone; `each` is told of every decision of its own. */
function live(
  algorithm: Algorithm,
  taken: readonly Step[],
  each: (
    decision: LimitDecision,
    uses: LimitUse[],
    again: () => LimitDecision,
    waitMs: (ms: number) => void,
  ) => void,
): LimitModel {
  const clock = createTestClock();
  const lastKnown = new MemoryCounterStore(clock);
  const shared = new MemoryCounterStore(clock);
  const local = new LocalDecisions(lastKnown, clock);
  const own = new LimitModel();
  for (const [afterMs, isShared, cost] of taken) {
    clock.advance(afterMs);
    const uses = usesOf(algorithm, cost);
    if (isShared) {
      lastKnown.adopt('a', uses, shared.decide('a', uses));
      local.dropEnded();
      continue;
    }
    const decide = (): LimitDecision => {
      const decision = local.decide('a', uses);
      if (decision.admitted) {
        expect(own.decide('a', uses, clock.now()).admitted, 'within the limit in all').to.equal(true);
      }
      return decision;
    };
    each(decide(), uses, decide, (ms) => clock.advance(ms));
  }
  return own;
}

describe('LocalDecisions', () => {
  it('admits alone never more than a limit in a window, whatever the store says between', () => {
    fc.assert(
      fc.property(algorithms, steps, (algorithm, taken) => {
        live(algorithm, taken, () => undefined);
      }),
      { numRuns: 300 },
    );
  });

  it('refuses until the instant that it names, and admits then', () => {
    let refusals = 0;
    fc.assert(
      fc.property(algorithms, steps, (algorithm, taken) => {
        live(algorithm, taken, (decision, _uses, again, waitMs) => {
          if (decision.admitted) return;
          refusals++;
          const leftMs = freeAt(decision) - decision.nowMs;
          waitMs(leftMs - 1);
          expect(again().admitted, 'a millisecond before').to.equal(false);
          waitMs(1);
          expect(again().admitted, 'at that instant').to.equal(true);
        });
      }),
      { numRuns: 300 },
    );
    expect(refusals).to.be.greaterThan(300);
  });

  it('shows as remaining what it would still admit', () => {
    fc.assert(
      fc.property(algorithms, steps, fc.nat(59), (algorithm, taken, at) => {
        let count = 0;
        live(algorithm, taken, (decision, uses, again) => {
          if (count++ !== at || !decision.admitted) return;
          const further = Math.min(
            ...decision.states.map(({ remaining }, index) =>
              Math.floor(remaining / (uses[index] as LimitUse).cost),
            ),
          );
          for (let more = 0; more < further; more++) expect(again().admitted).to.equal(true);
          expect(again().admitted).to.equal(false);
        });
      }),
      { numRuns: 300 },
    );
  });
});
