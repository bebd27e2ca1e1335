/** Fast counting: what several processes admit beyond a limit stays within the stated bound, and nothing that was admitted is lost. */
import { expect } from 'chai';
import fc from 'fast-check';
import type {
  CounterStore,
  LimitDecision,
  LimitUse,
} from '../../../../../services/shared/ports/counter-store.ts';
import { MemoryCounterStore } from '../../../../../services/shared/storage/memory/memory-counter-store.ts';
import {
  BatchedCounterStore,
  NEAR,
} from '../../../../../services/shared/storage/redis/batched-counter-store.ts';
import { createTestClock } from '../../../../support/test-clock.ts';

const SUBJECT = 'organization:org_a';
const useOf = (limit: number, cost = 1, name = 'plan@60s'): LimitUse => ({
  ...{ name, limit, windowMs: 60_000, cost, algorithm: 'fixed', onStoreFailure: 'local' },
});

/** A shared store in memory, which each process asks through a stub that copies its decisions as that of Redis does. */
function setUp(gateways: number) {
  const clock = createTestClock();
  const shared = new MemoryCounterStore(clock);
  const state = { isDown: false, asked: 0 };
  const stores = Array.from({ length: gateways }, () => {
    const lastKnown = new MemoryCounterStore(clock);
    const remote: CounterStore = {
      async decide(subject, uses): Promise<LimitDecision> {
        state.asked++;
        if (state.isDown) throw new Error('down');
        const decision = shared.decide(subject, uses);
        await Promise.resolve();
        lastKnown.adopt(subject, uses, decision);
        return decision;
      },
      charge: async (subject, use, amount) => shared.charge(subject, use, amount),
      peek: (subject, use) => lastKnown.peek(subject, use),
      close: async () => undefined,
    };
    return new BatchedCounterStore({ remote, lastKnown, toldEveryMs: 0 });
  });
  const usedOf = (use: LimitUse) => use.limit - shared.peek(SUBJECT, use).remaining;
  return { clock, shared, stores, state, usedOf };
}

describe('fast counting', () => {
  it('of one process is exact, and asks the shared store for a part of the requests', async () => {
    const { stores, state, usedOf } = setUp(1);
    const [store] = stores as [BatchedCounterStore];
    const use = useOf(100);
    let admitted = 0;
    for (let sent = 0; sent < 150; sent++) {
      if (sent % 30 === 0) await store.tell();
      if ((await store.decide(SUBJECT, [use])).admitted) admitted++;
    }
    expect(admitted).to.equal(100);
    expect(usedOf(use)).to.equal(100);
    expect(state.asked).to.be.below(100);
  });

  it('admits at most what the others had not told beyond a limit, and 0.8 times the limit each, whatever comes', async () => {
    const step = fc.record({
      gateway: fc.nat(3),
      tells: fc.boolean(),
      cost: fc.integer({ min: 1, max: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 5, max: 60 }),
        fc.array(step, { minLength: 20, maxLength: 200 }),
        async (limit, steps) => {
          const { stores, usedOf } = setUp(4);
          const untold = [0, 0, 0, 0];
          let admitted = 0;
          /** Of each process the most that it had not told at a time. */
          const most = [0, 0, 0, 0];
          for (const { gateway, tells, cost } of steps) {
            const store = stores[gateway] as BatchedCounterStore;
            if (tells) {
              await store.tell();
              untold[gateway] = 0;
            }
            const decision = store.decide(SUBJECT, [useOf(limit, cost)]);
            const isHere = !(decision instanceof Promise);
            if ((await decision).admitted) {
              admitted += cost;
              if (isHere) untold[gateway] = (untold[gateway] ?? 0) + cost;
            }
            if (!isHere) untold[gateway] = 0;
            most[gateway] = Math.max(most[gateway] ?? 0, untold[gateway] ?? 0);
          }
          const others = most.reduce((sum, of) => sum + of) - Math.min(...most);
          expect(admitted).to.be.at.most(limit + others);
          expect(admitted).to.be.at.most(Math.max(1, (1 - NEAR) * 4) * limit + 4);
          for (const store of stores) await store.tell();
          // What was admitted is told, all of it; the store holds no more than its limit as used.
          expect(usedOf(useOf(limit))).to.equal(Math.min(admitted, limit));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('decides by the store near a limit, at a first request, and after an answer was lost', async () => {
    const { stores, state } = setUp(1);
    const [store] = stores as [BatchedCounterStore];
    const use = useOf(10);
    const isHere = () => !(store.decide(SUBJECT, [use]) instanceof Promise);
    expect(isHere(), 'first').to.equal(false);
    await store.tell();
    expect(isHere()).to.equal(true);
    state.isDown = true;
    await store.tell();
    const refused = await Promise.resolve(store.decide(SUBJECT, [use])).then(
      () => null,
      (fault: unknown) => fault,
    );
    expect(String(refused)).to.include('down');
    state.isDown = false;
    expect((await store.decide(SUBJECT, [use])).states[0]?.remaining).to.equal(7);
    for (let left = 6; left >= 2; left--) expect(isHere(), `${left} left`).to.equal(true);
    expect(isHere(), 'near').to.equal(false);
  });

  it('tells what it owes once the store answers again, over all limits of a request', async () => {
    const { stores, state, shared } = setUp(1);
    const [store] = stores as [BatchedCounterStore];
    const uses = [useOf(100, 1), useOf(1_000, 7, 'bytes@60s')];
    await store.decide(SUBJECT, uses);
    for (let sent = 0; sent < 5; sent++) expect(store.decide(SUBJECT, uses)).to.not.be.instanceOf(Promise);
    state.isDown = true;
    await store.tell();
    await store.tell();
    state.isDown = false;
    await store.tell();
    await store.close();
    expect(uses.map((use) => use.limit - shared.peek(SUBJECT, use).remaining)).to.deep.equal([6, 42]);
  });
});
