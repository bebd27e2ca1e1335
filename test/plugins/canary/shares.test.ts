/** Shares of callers: as large as they say, the same for the same caller, and moved one way alone. */
import { expect } from 'chai';
import fc from 'fast-check';
import { createBackendOf, type Shares } from '../../../plugins/canary/shares.ts';

const callers = Array.from({ length: 20_000 }, (_, index) => `organization:org_${index.toString(36)}`);
const counted = (shares: Shares): Map<string | null, number> => {
  const backendOf = createBackendOf(shares);
  const counts = new Map<string | null, number>();
  for (const caller of callers) counts.set(backendOf(caller), (counts.get(backendOf(caller)) ?? 0) + 1);
  return counts;
};

describe('shares of callers', () => {
  it('are as large as they say, within two percent', () => {
    const counts = counted({ next: 10, trial: 25 });
    for (const [name, share] of [['next', 10] as const, ['trial', 25] as const, [null, 65] as const])
      expect((100 * (counts.get(name) ?? 0)) / callers.length, `${name}`).to.be.within(share - 2, share + 2);
  });

  it('are nobody at 0 and everybody at 100', () => {
    expect([...counted({ next: 0 }).keys()]).to.deep.equal([null]);
    expect([...counted({ next: 100 }).keys()]).to.deep.equal(['next']);
  });

  it('begin with other callers for another backend', () => {
    const [one, other] = [createBackendOf({ a: 10 }), createBackendOf({ b: 10 })];
    const both = callers.filter((caller) => one(caller) !== null && other(caller) !== null);
    expect(both.length / callers.length).to.be.below(0.05);
  });

  it('have places by the first name alone, also at 0: another first one moves callers at random', () => {
    const placed = (shares: Shares): string[] => {
      const backendOf = createBackendOf(shares);
      return callers.filter((caller) => backendOf(caller) === 'next');
    };
    const before = placed({ old: 0, next: 20 });
    expect(placed({ old: 0, next: 20, later: 30 })).to.deep.equal(before);
    // Those of `old` at 10 come first; the others keep their places.
    expect(placed({ old: 10, next: 10 }).every((caller) => before.includes(caller))).to.equal(true);
    const moved = new Set(placed({ next: 20 }));
    const stayed = before.filter((caller) => moved.has(caller)).length;
    expect(stayed / before.length).to.be.within(0.15, 0.25);
  });

  it('keep each caller at one side, and a raised one takes callers without sending any back', () => {
    const weight = fc.integer({ min: 0, max: 50 });
    fc.assert(
      fc.property(weight, weight, weight, fc.boolean(), fc.string(), (a, b, more, isFirst, caller) => {
        const before = createBackendOf({ a, b })(caller);
        expect(createBackendOf({ a, b })(caller)).to.equal(before);
        const raised = isFirst
          ? { a: Math.min(100 - b, a + more), b }
          : { a, b: Math.min(100 - a, b + more) };
        const after = createBackendOf(raised)(caller);
        // The raised one keeps its callers; nobody returns to the proxy's backend.
        if (before === (isFirst ? 'a' : 'b')) expect(after).to.equal(before);
        if (before !== null) expect(after).to.not.equal(null);
        // The last one takes callers from the proxy's backend alone.
        if (!isFirst && after !== before) expect([before, after]).to.deep.equal([null, 'b']);
      }),
      { numRuns: 500 },
    );
  });
});
