/** The counters in memory: the port's contract, and memory that follows the live callers. */
import { expect } from 'chai';
import { MemoryCounterStore } from '../../services/shared/storage/memory/memory-counter-store.ts';
import { counterStoreContract } from '../contract/counter-store.contract.ts';
import { counterStoreModelContract } from '../contract/counter-store-model.contract.ts';
import { createTestClock } from '../support/test-clock.ts';

counterStoreContract('memory', (clock) => new MemoryCounterStore(clock));
counterStoreModelContract('memory', (clock) => new MemoryCounterStore(clock), { runs: 300, backwards: true });

const COUNTED = { name: 'plan', algorithm: 'fixed', onStoreFailure: 'local' } as const;

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
});
