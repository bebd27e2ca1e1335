/** The contract of the CounterStore port, for every adapter: exact, all-or-nothing, windows that end when they say. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { CounterStore, LimitUse } from '../../services/shared/ports/counter-store.ts';
import { createTestClock, type TestClock } from '../support/test-clock.ts';

const COUNTED = { name: 'plan', cost: 1, algorithm: 'fixed', onStoreFailure: 'local' } as const;
const TEN_SECONDS = { ...COUNTED, limit: 5, windowMs: 10_000 } satisfies LimitUse;
const MINUTE = { ...COUNTED, limit: 12, windowMs: 60_000 } satisfies LimitUse;

/** `create` makes an empty store on the clock. */
export function counterStoreContract(name: string, create: (clock: TestClock) => CounterStore): void {
  describe(`CounterStore: ${name}`, () => {
    let clock: TestClock;
    let store: CounterStore;

    beforeEach(() => {
      clock = createTestClock();
      store = create(clock);
    });
    afterEach(() => store.close());

    it('admits exactly the limit of parallel requests', async () => {
      const decisions = await Promise.all(
        Array.from({ length: 100 }, () => store.decide('a', [TEN_SECONDS])),
      );
      expect(decisions.filter(({ admitted }) => admitted)).to.have.length(5);
      const remaining = decisions.slice(0, 6).map(({ states }) => states[0]?.remaining);
      expect(remaining).to.deep.equal([4, 3, 2, 1, 0, 0]);
    });

    it('starts a window with its first request and ends it exactly a window later', async () => {
      const start = clock.now();
      for (let count = 0; count < 5; count++) await store.decide('a', [TEN_SECONDS]);
      clock.advance(9_999);
      const refused = await store.decide('a', [TEN_SECONDS]);
      expect(refused.admitted).to.equal(false);
      expect(refused.states[0]).to.deep.equal({
        limit: 5,
        remaining: 0,
        resetAtMs: start + 10_000,
        violated: true,
      });
      clock.advance(1);
      const admitted = await store.decide('a', [TEN_SECONDS]);
      expect(admitted.states[0]).to.deep.equal({
        limit: 5,
        remaining: 4,
        resetAtMs: start + 20_000,
        violated: false,
      });
    });

    it('counts in all limits or in none', async () => {
      for (let count = 0; count < 5; count++) await store.decide('a', [TEN_SECONDS, MINUTE]);
      for (let count = 0; count < 20; count++) {
        const refused = await store.decide('a', [TEN_SECONDS, MINUTE]);
        expect(refused.states.map(({ violated, remaining }) => [violated, remaining])).to.deep.equal([
          [true, 0],
          [false, 7],
        ]);
      }
      clock.advance(10_000);
      for (let count = 0; count < 5; count++) await store.decide('a', [TEN_SECONDS, MINUTE]);
      clock.advance(10_000);
      await store.decide('a', [TEN_SECONDS, MINUTE]);
      await store.decide('a', [TEN_SECONDS, MINUTE]);
      const both = await store.decide('a', [TEN_SECONDS, MINUTE]);
      expect([both.admitted, both.states.map(({ violated }) => violated)]).to.deep.equal([
        false,
        [false, true],
      ]);
    });

    it('keeps subjects and names apart', async () => {
      for (let count = 0; count < 5; count++) await store.decide('a', [TEN_SECONDS]);
      expect((await store.decide('b', [TEN_SECONDS])).admitted).to.equal(true);
      expect((await store.decide('a', [{ ...TEN_SECONDS, name: 'other' }])).admitted).to.equal(true);
    });

    it('binds a changed limit at once and keeps the count', async () => {
      for (let count = 0; count < 4; count++) await store.decide('a', [TEN_SECONDS]);
      expect((await store.decide('a', [{ ...TEN_SECONDS, limit: 3 }])).admitted).to.equal(false);
      expect((await store.decide('a', [{ ...TEN_SECONDS, limit: 6 }])).states[0]?.remaining).to.equal(1);
    });

    it('takes the cost as one: a request that does not fit counts nothing', async () => {
      const costly = { ...TEN_SECONDS, cost: 3 };
      expect((await store.decide('a', [costly])).states[0]?.remaining).to.equal(2);
      expect((await store.decide('a', [costly])).admitted).to.equal(false);
      expect((await store.decide('a', [{ ...TEN_SECONDS, cost: 2 }])).states[0]?.remaining).to.equal(0);
    });

    it('peeks without counting', async () => {
      expect(store.peek('a', TEN_SECONDS)).to.include({ limit: 5, remaining: 5, violated: false });
      await store.decide('a', [TEN_SECONDS]);
      for (let count = 0; count < 10; count++) expect(store.peek('a', TEN_SECONDS).remaining).to.equal(4);
    });

    it('decides as a plain model does, whatever comes', async () => {
      const step = fc.record({
        advance: fc.nat(20_000),
        cost: fc.integer({ min: 1, max: 4 }),
        both: fc.boolean(),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
          const ownClock = createTestClock();
          const own = create(ownClock);
          const model = new Map<LimitUse, { from: number; used: number }>();
          for (const { advance, cost, both } of steps) {
            ownClock.advance(advance);
            const now = ownClock.now();
            const limits = both ? [TEN_SECONDS, MINUTE] : [MINUTE];
            const running = limits.map((limit) => {
              const window = model.get(limit);
              return window && window.from + limit.windowMs > now ? window : { from: now, used: 0 };
            });
            const fits = limits.every((limit, index) => (running[index]?.used ?? 0) + cost <= limit.limit);
            const decision = await own.decide(
              'a',
              limits.map((limit) => ({ ...limit, cost })),
            );
            expect(decision.admitted).to.equal(fits);
            limits.forEach((limit, index) => {
              const window = running[index] as { from: number; used: number };
              if (fits) model.set(limit, { from: window.from, used: window.used + cost });
              const state = decision.states[index];
              if (fits) expect(state?.remaining).to.equal(limit.limit - window.used - cost);
              expect(state?.resetAtMs).to.equal(window.from + limit.windowMs);
              expect(state?.violated).to.equal(window.used + cost > limit.limit);
            });
          }
          await own.close();
        }),
        { numRuns: 200 },
      );
    });
  });
}
