/** The counters in memory: the port's contract, and memory that follows the live callers. */
import { expect } from 'chai';
import type {
  LimitDecision,
  LimitState,
  LimitUse,
} from '../../../../../services/shared/ports/counter-store.ts';
import { MemoryCounterStore } from '../../../../../services/shared/storage/memory/memory-counter-store.ts';
import { counterStoreContract } from '../../../../contract/counter-store.contract.ts';
import { counterStoreModelContract } from '../../../../contract/counter-store-model.contract.ts';
import { createTestClock } from '../../../../support/test-clock.ts';

counterStoreContract('memory', (clock) => new MemoryCounterStore(clock));
counterStoreModelContract('memory', (clock) => new MemoryCounterStore(clock), { runs: 300, backwards: true });

const COUNTED = { name: 'plan', algorithm: 'fixed', onStoreFailure: 'local' } as const;
const MINUTE = { ...COUNTED, limit: 5, windowMs: 60_000, cost: 1 } satisfies LimitUse;

describe('MemoryCounterStore', () => {
  it('forgets subjects whose windows ended', async () => {
    const clock = createTestClock();
    const store = new MemoryCounterStore(clock);
    const use = { ...COUNTED, limit: 5, windowMs: 10_000, cost: 1 };
    for (let count = 0; count < 10_000; count++) store.decide(`subject-${count}`, [use]);
    expect(store.size).to.equal(10_000);
    clock.advance(10_000);
    for (let count = 0; count < 6_000; count++) store.decide('live', [{ ...use, limit: 1_000_000 }]);
    expect(store.size).to.equal(1);
    await store.close();
  });

  it('keeps nothing of a subject that was refused from the start', async () => {
    const store = new MemoryCounterStore(createTestClock());
    store.decide('a', [{ ...COUNTED, limit: 1, windowMs: 10_000, cost: 2 }]);
    expect(store.size).to.equal(0);
    await store.close();
  });

  it('keeps every count while subjects come and go by the ten thousands', () => {
    const clock = createTestClock();
    const store = new MemoryCounterStore(clock);
    const hour = { ...COUNTED, name: 'hour', limit: 1_000, windowMs: 3_600_000, cost: 1 };
    const expected = new Map<string, number>();
    for (let turn = 0; turn < 200_000; turn++) {
      clock.advance(1);
      const kept = turn % 7 === 0;
      const subject = kept ? `kept-${(turn * 31) % 5_003}` : `passing-${turn}`;
      // A name of its own each time: names come and go like subjects.
      const uses = kept ? [hour] : [MINUTE, { ...MINUTE, name: `key-${turn}`, windowMs: 5_000 }];
      expect(store.decide(subject, uses).admitted).to.equal(true);
      if (kept) expected.set(subject, (expected.get(subject) ?? 0) + 1);
    }
    for (const [subject, count] of expected) {
      expect(store.peek(subject, hour).remaining).to.equal(1_000 - count);
    }
    // Those of the last minute, and what the sweep has not come to yet.
    expect(store.size - expected.size).to.be.within(51_000, 80_000);
  });

  it('stays within its bound: beyond it others are forgotten, never the request that is decided', () => {
    const store = new MemoryCounterStore(createTestClock(), 100);
    const uses = [MINUTE, { ...MINUTE, name: 'ten seconds', windowMs: 10_000 }];
    for (let count = 0; count < 1_000; count++) {
      expect(store.decide(`subject-${count}`, uses).states.map(({ remaining }) => remaining)).to.deep.equal([
        4, 4,
      ]);
    }
    expect(store.size).to.be.within(50, 100);
  });

  describe('adopts the last known decision of another store', () => {
    const SLIDING = { ...MINUTE, algorithm: 'sliding' } satisfies LimitUse;
    const known = (state: Partial<LimitState>, nowMs: number): LimitDecision => ({
      admitted: state.violated !== true,
      states: [{ limit: 5, remaining: 0, resetAtMs: nowMs + 20_000, violated: false, ...state }],
      nowMs,
    });

    it('counting on from it, with what it counted itself replaced', () => {
      const clock = createTestClock();
      const store = new MemoryCounterStore(clock);
      for (let count = 0; count < 5; count++) store.decide('a', [MINUTE]);
      store.adopt('a', [MINUTE], known({ remaining: 3 }, clock.now()));
      expect(store.peek('a', MINUTE)).to.deep.equal({
        limit: 5,
        remaining: 3,
        resetAtMs: clock.now() + 20_000,
        violated: false,
      });
      expect(store.decide('a', [MINUTE]).states[0]?.remaining).to.equal(2);
      clock.advance(20_000);
      expect(store.decide('a', [MINUTE]).states[0]?.remaining).to.equal(4);
    });

    it('taking instants relative to its own clock', () => {
      const clock = createTestClock();
      const store = new MemoryCounterStore(clock);
      store.adopt('a', [MINUTE], known({ remaining: 1 }, clock.now() - 7_200_000));
      expect(store.peek('a', MINUTE)).to.include({ remaining: 1, resetAtMs: clock.now() + 20_000 });
    });

    it('knowing of a violated limit only that the cost did not fit', () => {
      const clock = createTestClock();
      const store = new MemoryCounterStore(clock);
      const costly = { ...MINUTE, cost: 4 };
      store.adopt('a', [costly], known({ violated: true }, clock.now()));
      expect(store.decide('a', [costly]).admitted).to.equal(false);
      expect(store.decide('a', [{ ...MINUTE, cost: 3 }]).admitted).to.equal(true);
      expect(store.decide('a', [MINUTE]).admitted).to.equal(false);
    });

    it('forgetting nothing of a window that is known to hold more than a violated limit tells', () => {
      const clock = createTestClock();
      const store = new MemoryCounterStore(clock);
      store.adopt('a', [MINUTE], known({ remaining: 1 }, clock.now()));
      store.adopt('a', [{ ...MINUTE, cost: 4 }], known({ violated: true }, clock.now()));
      expect(store.peek('a', MINUTE).remaining).to.equal(1);
      clock.advance(20_000);
      expect(store.peek('a', MINUTE).remaining).to.equal(5);
    });

    it('letting of a sliding limit one leave at its reset and the others a window later', () => {
      const clock = createTestClock();
      const store = new MemoryCounterStore(clock);
      for (let turn = 0; turn < 3; turn++) {
        for (const remaining of [5, 1, 4, 0]) store.adopt('a', [SLIDING], known({ remaining }, clock.now()));
      }
      expect(store.decide('a', [SLIDING]).states[0]).to.include({
        violated: true,
        resetAtMs: clock.now() + 20_000,
      });
      clock.advance(20_000);
      expect(store.peek('a', SLIDING).remaining).to.equal(1);
      clock.advance(40_000);
      expect(store.peek('a', SLIDING).remaining).to.equal(5);
    });

    it('holding nothing of a subject that used nothing', () => {
      const clock = createTestClock();
      const store = new MemoryCounterStore(clock);
      store.adopt('a', [MINUTE, SLIDING], {
        ...known({ remaining: 5 }, clock.now()),
        states: [
          { limit: 5, remaining: 5, resetAtMs: clock.now() + 60_000, violated: false },
          { limit: 5, remaining: 5, resetAtMs: clock.now() + 60_000, violated: false },
        ],
      });
      expect(store.size).to.equal(0);
    });
  });
});
