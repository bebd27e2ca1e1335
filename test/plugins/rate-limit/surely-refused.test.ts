/** What is refused before its body is read: what the counters refuse, and nothing that they would admit. */
import { expect } from 'chai';
import { judgeUnread } from '../../../plugins/kit/unread-body.ts';
import { rateLimitPolicy } from '../../../plugins/rate-limit/rate-limit-policy.ts';
import { publicPrincipal } from '../../../services/shared/access/principal.ts';
import { limitRule } from '../../../services/shared/plans/plans.ts';
import type { CounterStore, LimitUse } from '../../../services/shared/ports/counter-store.ts';
import { MemoryCounterStore } from '../../../services/shared/storage/memory/memory-counter-store.ts';
import { createMemoryDocumentStore } from '../../support/memory-document-store.ts';
import {
  createTestRuntime,
  TEST_ADDRESS,
  TEST_PLANS,
  testEndpoint,
  testRequest,
} from '../../support/policy-kit.ts';
import { createTestClock } from '../../support/test-clock.ts';

const SUBJECT = `address:${TEST_ADDRESS}`;

for (const algorithm of ['fixed', 'sliding'] as const) {
  describe(`a body that is not read yet, under a ${algorithm} limit of bytes`, () => {
    const rule = {
      ...limitRule(TEST_PLANS, 'batch-events'),
      ...{ limit: 1_000, per: 'address', callers: 'anonymous', cost: 'bytes', algorithm },
    } as const;
    const plans = {
      ...TEST_PLANS,
      limits: { ...TEST_PLANS.limits, 'keyless-bytes': rule },
    } as unknown as typeof TEST_PLANS;
    const use: LimitUse = {
      ...{ name: 'keyless-bytes', limit: 1_000, windowMs: 60_000, cost: 900 },
      ...{ algorithm, onStoreFailure: 'local' },
    };

    function start(ofStore: (store: MemoryCounterStore) => CounterStore = (store) => store) {
      const clock = createTestClock();
      const store = new MemoryCounterStore(clock);
      const runtime = {
        ...createTestRuntime(createMemoryDocumentStore(clock), clock),
        ...{ plans, counters: ofStore(store) },
      };
      rateLimitPolicy.create({}, runtime);
      const endpoint = testEndpoint({
        access: 'keyless',
        cost: 'body',
        class: 'ingest',
        limits: ['keyless-bytes'],
      });
      const judge = async (bytes: number, isKnown = false) => {
        const req = testRequest(runtime, endpoint);
        req.context.principal = publicPrincipal();
        if (isKnown) req.context.judge = () => {};
        return (await judgeUnread(req, bytes))?.code ?? null;
      };
      return { clock, store, judge };
    }

    it('is refused when it fits no more, until the window is over, and nothing counts', async () => {
      const { clock, store, judge } = start();
      store.decide(SUBJECT, [use]);
      const said = [await judge(100), await judge(101), await judge(101, true), await judge(2_000)];
      expect(said).to.deep.equal([null, 'RATE_LIMIT_EXCEEDED', null, null]);
      expect(store.peek(SUBJECT, use).remaining).to.equal(100);
      clock.advance(120_000);
      expect(await judge(101)).to.equal(null);
    });

    it('is refused while the limits of websites are read, whenever that is due', async () => {
      const { clock, store, judge } = start();
      for (let n = 0; n < 3; n++) {
        store.decide(SUBJECT, [use]);
        expect([await judge(101), await judge(100)]).to.deep.equal(['RATE_LIMIT_EXCEEDED', null]);
        clock.advance(5_000);
      }
    });

    it('is read when the store knows better than this process, or fails', async () => {
      const stale = (decide: (store: MemoryCounterStore) => CounterStore['decide']) =>
        start((store) => ({
          decide: decide(store),
          charge: (subject, of, amount) => store.charge(subject, of, amount),
          peek: (subject, of) => ({ ...store.peek(subject, of), remaining: 0 }),
          close: async () => undefined,
        }));
      const better = stale((store) => async (subject, uses) => store.decide(subject, uses));
      const failing = stale(() => () => Promise.reject(new Error('down')));
      expect([await better.judge(500), await failing.judge(500)]).to.deep.equal([null, null]);
    });
  });
}
