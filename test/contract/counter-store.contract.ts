/** The contract of the CounterStore port, for every adapter: exact, all-or-nothing, windows that end when they say. */
import { expect } from 'chai';
import { ALGORITHMS, type CounterStore, type LimitUse } from '../../services/shared/ports/counter-store.ts';
import { createTestClock, type TestClock } from '../support/test-clock.ts';
import type { MakeCounterStore } from './counter-store-model.contract.ts';
import { quotaCases } from './counter-store-quotas.contract.ts';

const COUNTED = { name: 'plan', cost: 1, algorithm: 'fixed', onStoreFailure: 'local' } as const;
const TEN_SECONDS = { ...COUNTED, limit: 5, windowMs: 10_000 } satisfies LimitUse;
const SLIDING = { ...TEN_SECONDS, algorithm: 'sliding' } satisfies LimitUse;
const MINUTE = { ...COUNTED, name: 'minute', limit: 12, windowMs: 60_000 } satisfies LimitUse;
const MINUTE_1000 = { ...MINUTE, limit: 1_000 } satisfies LimitUse;

export function counterStoreContract(name: string, make: MakeCounterStore): void {
  describe(`CounterStore: ${name}`, () => {
    let clock: TestClock;
    let store: CounterStore;

    beforeEach(async () => {
      clock = createTestClock();
      store = await make(clock);
    });
    afterEach(() => store.close());

    for (const algorithm of ALGORITHMS) {
      it(`admits exactly 50 of 1,000 parallel requests at limit 50 (${algorithm})`, async () => {
        const use = { ...TEN_SECONDS, limit: 50, algorithm };
        const decisions = await Promise.all(
          Array.from({ length: 1_000 }, () => store.decide('a', [use, MINUTE_1000])),
        );
        expect(decisions.map(({ admitted }) => admitted)).to.deep.equal([
          ...Array(50).fill(true),
          ...Array(950).fill(false),
        ]);
        const remaining = decisions.slice(45, 52).map(({ states }) => states.map((state) => state.remaining));
        expect(remaining).to.deep.equal([
          [4, 954],
          [3, 953],
          [2, 952],
          [1, 951],
          [0, 950],
          [0, 950],
          [0, 950],
        ]);
      });
    }

    quotaCases(() => ({ clock, store }));

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

    describe('charged afterwards', () => {
      for (const algorithm of ALGORITHMS) {
        const SECONDS = {
          ...{ name: 'seconds', cost: 0, needs: 1, limit: 10, windowMs: 60_000 },
          ...({ algorithm, onStoreFailure: 'local' } as const),
        } satisfies LimitUse;

        it(`admits while something is left and counts nothing before (${algorithm})`, async () => {
          for (let count = 0; count < 20; count++) {
            const { admitted, states } = await store.decide('a', [SECONDS, MINUTE_1000]);
            expect([admitted, states[0]?.remaining]).to.deep.equal([true, 10]);
          }
          expect((await store.charge('a', SECONDS, 9)).remaining).to.equal(1);
          expect((await store.decide('a', [SECONDS])).states[0]).to.include({
            remaining: 1,
            violated: false,
          });
        });

        it(`overshoots, shows 0 remaining and refuses until the window ends (${algorithm})`, async () => {
          const start = clock.now();
          await store.charge('a', SECONDS, 4);
          clock.advance(1_000);
          const charged = await store.charge('a', SECONDS, 30);
          expect(charged).to.include({ limit: 10, remaining: 0, violated: false });
          const refused = await store.decide('a', [SECONDS, MINUTE_1000]);
          expect(refused.admitted).to.equal(false);
          const resetAtMs = start + (algorithm === 'fixed' ? 60_000 : 61_000);
          expect(refused.states[0]).to.deep.equal({ limit: 10, remaining: 0, resetAtMs, violated: true });
          expect(refused.states[1]).to.include({ remaining: 1_000 });
          expect((await store.decide('b', [SECONDS])).admitted).to.equal(true);
          clock.advance(resetAtMs - clock.now() - 1);
          expect((await store.decide('a', [SECONDS])).admitted).to.equal(false);
          clock.advance(1);
          expect((await store.decide('a', [SECONDS])).states[0]).to.include({ remaining: 10 });
        });

        it(`loses no charge of many at once (${algorithm})`, async () => {
          const large = { ...SECONDS, limit: 1_000 };
          await Promise.all(Array.from({ length: 100 }, () => store.charge('a', large, 3)));
          expect((await store.decide('a', [large])).states[0]?.remaining).to.equal(700);
        });
      }
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

    for (const algorithm of ALGORITHMS) {
      it(`keeps the count of a limit whose window becomes shorter, for no longer than that (${algorithm})`, async () => {
        const minute = { ...TEN_SECONDS, windowMs: 60_000, algorithm };
        const short = { ...minute, windowMs: 10_000 };
        for (let count = 0; count < 5; count++) await store.decide('a', [minute]);
        clock.advance(1_000);
        const end = clock.now() + 10_000;
        const refused = await store.decide('a', [short]);
        expect(refused.states[0]).to.include({ violated: true, resetAtMs: end });
        clock.advance(9_999);
        expect((await store.decide('a', [short])).states[0]).to.include({ violated: true, resetAtMs: end });
        clock.advance(1);
        expect((await store.decide('a', [short])).states[0]?.remaining).to.equal(4);
      });

      it(`keeps the count of a limit whose window becomes longer (${algorithm})`, async () => {
        const start = clock.now();
        const use = { ...TEN_SECONDS, algorithm };
        const long = { ...use, windowMs: 60_000 };
        for (let count = 0; count < 4; count++) await store.decide('a', [use]);
        clock.advance(5_000);
        expect((await store.decide('a', [long])).states[0]?.remaining).to.equal(0);
        expect((await store.decide('a', [long])).states[0]).to.include({
          violated: true,
          resetAtMs: start + 10_000,
        });
      });
    }

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

    it('asks nothing of a limit that the request costs nothing', async () => {
      for (let count = 0; count < 5; count++) await store.decide('a', [TEN_SECONDS]);
      const decision = await store.decide('a', [{ ...TEN_SECONDS, cost: 0 }, MINUTE]);
      expect([decision.admitted, decision.states.map(({ remaining }) => remaining)]).to.deep.equal([
        true,
        [0, 11],
      ]);
    });

    for (const algorithm of ALGORITHMS) {
      it(`tells what is left without counting, and begins no window (${algorithm})`, async () => {
        const use = { ...TEN_SECONDS, algorithm };
        const ask = async () => (await store.decide('a', [{ ...use, cost: 0, needs: 0 }])).states[0];
        expect(await ask()).to.include({ remaining: 5, violated: false });
        clock.advance(1_000);
        for (let count = 0; count < 5; count++) await store.decide('a', [use]);
        const end = clock.now() + 10_000;
        for (let count = 0; count < 3; count++) {
          clock.advance(1_000);
          expect(await ask()).to.include({ remaining: 0, violated: false });
        }
        if (algorithm === 'fixed') expect((await ask())?.resetAtMs).to.equal(end);
        clock.advance(7_000);
        expect(await ask()).to.include({ remaining: 5 });
      });

      it(`ends a window of its length where the clock is set back an hour (${algorithm})`, async () => {
        const use = { ...TEN_SECONDS, algorithm };
        for (let count = 0; count < 5; count++) await store.decide('a', [use]);
        clock.advance(-3_600_000);
        const end = clock.now() + 10_000;
        expect((await store.decide('a', [use])).states[0]).to.include({ violated: true, resetAtMs: end });
        clock.advance(9_999);
        expect((await store.decide('a', [use])).states[0]).to.include({ violated: true, resetAtMs: end });
        clock.advance(1);
        expect((await store.decide('a', [use])).admitted).to.equal(true);
      });
    }

    it('lets sub-windows of a sliding limit leave one by one', async () => {
      const start = clock.now();
      for (let count = 0; count < 4; count++) await store.decide('a', [SLIDING]);
      clock.advance(4_000);
      await store.decide('a', [SLIDING]);
      clock.advance(5_999);
      const refused = await store.decide('a', [SLIDING]);
      expect(refused.states).to.deep.equal([
        { limit: 5, remaining: 0, resetAtMs: start + 10_000, violated: true },
      ]);
      const costly = await store.decide('a', [{ ...SLIDING, cost: 5 }]);
      expect(costly.states[0]?.resetAtMs).to.equal(start + 14_000);
      clock.advance(1);
      const admitted = await store.decide('a', [SLIDING]);
      expect(admitted.states).to.deep.equal([
        { limit: 5, remaining: 3, resetAtMs: start + 14_000, violated: false },
      ]);
    });

    it('keeps the count of a limit whose algorithm changes', async () => {
      const start = clock.now();
      for (let count = 0; count < 3; count++) await store.decide('a', [TEN_SECONDS]);
      clock.advance(5_000);
      await store.decide('a', [SLIDING]);
      expect((await store.decide('a', [SLIDING])).states[0]?.remaining).to.equal(0);
      expect((await store.decide('a', [TEN_SECONDS])).admitted).to.equal(false);
      clock.advance(5_000);
      expect((await store.decide('a', [TEN_SECONDS])).states[0]).to.include({
        remaining: 2,
        resetAtMs: start + 15_000,
      });
    });
  });
}
