/** Which limit the headers show, by example and against a model that follows the sentence of the contract word by word. */
import { expect } from 'chai';
import fc from 'fast-check';
import { shownIndex, showState } from '../../../plugins/kit/shown-limit.ts';
import type { LimitDecision, LimitState, LimitUse } from '../../../services/shared/ports/counter-store.ts';

/** One limit: what it still admits, when it ends, what the request costs of it, and whether it refused. */
interface Case {
  readonly remaining: number;
  readonly resetAtMs: number;
  readonly cost?: number;
  readonly violated?: boolean;
}

function indexOf(cases: readonly Case[]): number {
  const states: LimitState[] = cases.map(({ remaining, resetAtMs, violated = false }) => ({
    limit: 100,
    remaining,
    resetAtMs,
    violated,
  }));
  const uses: LimitUse[] = cases.map(({ cost = 1 }, index) => ({
    name: `limit-${index}`,
    limit: 100,
    windowMs: 10_000,
    cost,
    algorithm: 'fixed',
    onStoreFailure: 'local',
  }));
  const decision: LimitDecision = { admitted: states.every(({ violated }) => !violated), states, nowMs: 0 };
  return shownIndex(decision, uses);
}

describe('the limit that headers show', () => {
  it('is the only one', () => {
    expect(indexOf([{ remaining: 0, resetAtMs: 1 }])).to.equal(0);
    expect(indexOf([{ remaining: 0, resetAtMs: 1, violated: true }])).to.equal(0);
  });

  it('is the violated one, though another admits as little and ends later', () => {
    const open = { remaining: 0, resetAtMs: 60_000 };
    const violated = { remaining: 0, resetAtMs: 10_000, violated: true };
    expect(indexOf([open, violated])).to.equal(1);
    expect(indexOf([violated, open])).to.equal(0);
  });

  it('is of several violated ones the one that frees last', () => {
    const early = { remaining: 0, resetAtMs: 10_000, violated: true };
    const late = { remaining: 0, resetAtMs: 60_000, violated: true };
    expect(indexOf([early, late, early])).to.equal(1);
    expect(indexOf([late, early, early])).to.equal(0);
  });

  it('is else the one that admits the fewest further requests', () => {
    const few = { remaining: 3, resetAtMs: 10_000 };
    const many = { remaining: 4, resetAtMs: 60_000 };
    expect(indexOf([few, many])).to.equal(0);
    expect(indexOf([many, few])).to.equal(1);
  });

  it('counts further requests of this cost: 60 left at cost 20 are fewer than 4 left at cost 1', () => {
    const costly = { remaining: 60, resetAtMs: 10_000, cost: 20 };
    const cheap = { remaining: 4, resetAtMs: 60_000, cost: 1 };
    expect(indexOf([costly, cheap])).to.equal(0);
    expect(indexOf([cheap, costly])).to.equal(1);
  });

  it('is on a tie the one that resets later; 59 left at cost 20 tie with 2 left at cost 1', () => {
    const early = { remaining: 2, resetAtMs: 10_000 };
    const late = { remaining: 59, resetAtMs: 60_000, cost: 20 };
    expect(indexOf([early, late])).to.equal(1);
    expect(indexOf([late, early])).to.equal(0);
  });

  it('is the one that a naive model finds', () => {
    const limit = fc.record({
      remaining: fc.integer({ min: 0, max: 6 }),
      resetAtMs: fc.integer({ min: 0, max: 5 }),
      cost: fc.integer({ min: 1, max: 4 }),
      violated: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(limit, { minLength: 1, maxLength: 6 }), (limits) => {
        const shown = limits[indexOf(limits)];
        if (shown === undefined) throw new Error('no limit is shown');
        const violated = limits.filter((one) => one.violated);
        const further = ({ remaining, cost }: (typeof limits)[number]) => Math.floor(remaining / cost);
        const fewest = Math.min(...limits.map(further));
        const candidates = violated.length > 0 ? violated : limits.filter((one) => further(one) === fewest);
        expect(candidates).to.include(shown);
        expect(shown.resetAtMs).to.equal(Math.max(...candidates.map(({ resetAtMs }) => resetAtMs)));
      }),
      { numRuns: 2_000 },
    );
  });

  it('reads as whole seconds, the reset rounded up so that the window has ended by then', () => {
    const state = { limit: 50, remaining: 7, violated: false };
    expect(showState({ ...state, resetAtMs: 12_001 })).to.deep.equal({
      limit: 50,
      remaining: 7,
      resetSeconds: 13,
    });
    expect(showState({ ...state, resetAtMs: 12_000 }).resetSeconds).to.equal(12);
    expect(showState({ ...state, resetAtMs: 11_999 }).resetSeconds).to.equal(12);
  });
});
