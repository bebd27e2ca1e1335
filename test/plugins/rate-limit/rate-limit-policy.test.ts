/** The policy itself: what it parses, and what it tells a caller whom a limit refused. */
import { expect } from 'chai';
import type { GatewayRequest } from '../../../plugins/kit/request-context.ts';
import type { GatewayRuntime } from '../../../plugins/kit/runtime.ts';
import { rateLimitPolicy } from '../../../plugins/rate-limit/rate-limit-policy.ts';
import { Principal } from '../../../services/shared/access/principal.ts';
import { ApiError } from '../../../services/shared/errors/api-error.ts';
import type { CounterStore, LimitState, LimitUse } from '../../../services/shared/ports/counter-store.ts';
import { MemoryCounterStore } from '../../../services/shared/storage/memory/memory-counter-store.ts';
import { createMemoryDocumentStore } from '../../support/memory-document-store.ts';
import { createTestRuntime, passThrough, testEndpoint, testRequest } from '../../support/policy-kit.ts';
import { rejection } from '../../support/rejection.ts';
import { createTestClock } from '../../support/test-clock.ts';

/** A counter as the policy names it, at the plan's minute. */
const use = (name: string): LimitUse => ({
  name,
  limit: 50,
  windowMs: 60_000,
  cost: 1,
  algorithm: 'fixed',
  onStoreFailure: 'local',
});

const ENDPOINT = testEndpoint({ cost: 'body', countedList: [], limits: ['batch-events'] });

describe('the rate-limit policy', () => {
  const clock = createTestClock();
  const runtime = createTestRuntime(createMemoryDocumentStore(clock), clock);

  function request(own: GatewayRuntime, body: Buffer): GatewayRequest {
    const req = testRequest(own, ENDPOINT);
    const caller = {
      id: 'key_a',
      kind: 'key',
      organizationId: 'org_a',
      userId: null,
      role: null,
      plan: 'free',
      scopes: [],
      access: { level: 'global' },
    } as const;
    req.context.principal = new Principal({ ...caller, scopes: [] }, {});
    req.context.body = body;
    return req;
  }

  /** Says of every limit that it is full, or of none. */
  function counters(own: Partial<LimitState>, violated: readonly boolean[] = []): CounterStore {
    const state = { limit: 50, remaining: 49, resetAtMs: clock.now() + 1_001, violated: false, ...own };
    return {
      decide: (_subject, uses) => ({
        admitted: !violated.includes(true),
        states: uses.map((_, index) => ({ ...state, violated: violated[index] ?? false })),
        nowMs: clock.now(),
      }),
      charge: () => state,
      peek: () => state,
      close: async () => undefined,
    };
  }

  const badJson = (bytes: number) => Buffer.alloc(bytes, '[');

  it('parses a large body only for a caller who has something left', async () => {
    for (const [remaining, bytes, code] of [
      [0, 65_537, undefined],
      [0, 65_536, 'VALIDATION_ERROR'],
      [1, 65_537, 'VALIDATION_ERROR'],
    ] as const) {
      const own = { ...runtime, counters: counters({ remaining }, [remaining === 0]) };
      const req = request(own, badJson(bytes));
      const error = (await passThrough(rateLimitPolicy.create({}, own), req)) as ApiError;
      expect(req.context.refusal?.code, `${remaining} left, ${bytes} bytes`).to.equal(code);
      expect(error.code).to.equal(remaining === 0 ? 'RATE_LIMIT_EXCEEDED' : 'VALIDATION_ERROR');
    }
  });

  describe('with a compressed body', () => {
    /** A request whose body comes out as `plain`, and how often it was inflated. */
    function compressed(own: GatewayRuntime, plain: Buffer, beforeTurn = () => {}) {
      const req = request(own, plain);
      const { context } = req;
      const seen = { req, inflated: 0 };
      context.body = null;
      context.inflate = async (isWanted) => {
        beforeTurn();
        if (!isWanted()) return false;
        seen.inflated++;
        context.body = plain;
        context.inflate = null;
        return true;
      };
      return seen;
    }

    it('inflates it for a caller who has something left, and charges what it holds', async () => {
      const seen = compressed(runtime, Buffer.from('[1,2,3]'));
      const store = new MemoryCounterStore(clock);
      const policy = rateLimitPolicy.create({}, { ...runtime, counters: store });
      expect(await passThrough(policy, seen.req)).to.equal(undefined);
      const { remaining } = store.peek('organization:org_a', { ...use('batch-events'), limit: 60_000 });
      expect([seen.inflated, remaining]).to.deep.equal([1, 59_997]);
    });

    it('leaves it as it is for a caller whose window is full, or was filled while it waited for its turn', async () => {
      const store = new MemoryCounterStore(clock);
      const fill = () => {
        for (let count = 0; count < 50; count++)
          store.decide('organization:org_a', [{ ...use('plan@10s'), windowMs: 10_000 }]);
      };
      const policy = rateLimitPolicy.create({}, { ...runtime, counters: store });
      const waiting = compressed(runtime, Buffer.from('[1,2'), fill);
      const late = compressed(runtime, Buffer.from('[1,2'));
      for (const seen of [waiting, late]) {
        const error = (await passThrough(policy, seen.req)) as ApiError;
        expect([error.code, seen.inflated]).to.deep.equal(['RATE_LIMIT_EXCEEDED', 0]);
      }
    });

    it('answers 503 uncounted when it gets no turn', async () => {
      const store = new MemoryCounterStore(clock);
      const { req } = compressed(runtime, Buffer.from('[]'), () => {
        throw new ApiError('SERVICE_UNAVAILABLE');
      });
      const policy = rateLimitPolicy.create({}, { ...runtime, counters: store });
      const error = (await rejection(passThrough(policy, req))) as ApiError;
      expect([error.kind, store.size]).to.deep.equal(['SERVICE_UNAVAILABLE', 0]);
    });
  });

  describe('where this process wrongly believes a window to be full', () => {
    const events = (count: number) => Buffer.from(JSON.stringify(new Array(count).fill('x'.repeat(10_000))));
    const BATCH = { ...use('batch-events'), limit: 60_000, cost: 1 };

    /** A store that knows better than what was last known, answering at once or later. */
    function stale(isRemote: boolean) {
      const store = new MemoryCounterStore(clock);
      const full: CounterStore = {
        decide: (subject, uses) =>
          isRemote ? Promise.resolve(store.decide(subject, uses)) : store.decide(subject, uses),
        charge: (subject, of, amount) => store.charge(subject, of, amount),
        peek: (subject, of) => ({ ...store.peek(subject, of), remaining: 0 }),
        close: async () => undefined,
      };
      return { store, own: { ...runtime, counters: full } };
    }

    for (const isRemote of [true, false]) {
      const where = isRemote ? 'elsewhere' : 'in memory';
      it(`charges all that a large batch holds, counted ${where}`, async () => {
        const { store, own } = stale(isRemote);
        const policy = rateLimitPolicy.create({}, own);
        expect(await passThrough(policy, request(own, events(7)))).to.equal(undefined);
        expect(store.peek('organization:org_a', BATCH).remaining).to.equal(60_000 - 7);
        expect(store.peek('organization:org_a', use('plan@10s')).remaining, 'one request').to.equal(49);
      });

      it(`refuses a large batch above the whole limit and bad JSON, counted ${where} in the plan alone`, async () => {
        const { store, own } = stale(isRemote);
        const policy = rateLimitPolicy.create({}, own);
        const above = Buffer.from(`[${'1,'.repeat(60_000)}1]`);
        for (const body of [above, badJson(65_537)]) {
          const error = (await passThrough(policy, request(own, body))) as ApiError;
          expect(error.code).to.equal('VALIDATION_ERROR');
        }
        expect(store.peek('organization:org_a', BATCH).remaining).to.equal(60_000);
        expect(store.peek('organization:org_a', use('plan@10s')).remaining).to.equal(48);
      });
    }
  });

  it('tells when to come back by the clock of the decision, rounded up to whole seconds', async () => {
    for (const [resetInMs, retryAfter] of [
      [0, 1],
      [1, 1],
      [1_000, 1],
      [1_001, 2],
      [59_999, 60],
    ] as const) {
      const resetAtMs = clock.now() + resetInMs;
      const own = { ...runtime, counters: counters({ remaining: 0, resetAtMs }, [true, true]) };
      const req = request(own, Buffer.from('[]'));
      const error = (await passThrough(rateLimitPolicy.create({}, own), req)) as ApiError;
      expect(error.code).to.equal('RATE_LIMIT_EXCEEDED');
      expect(error.headers).to.deep.equal({ 'Retry-After': `${retryAfter}` });
      const resetSeconds = Math.ceil(resetAtMs / 1000);
      expect(error.fields).to.deep.equal({
        limit: 50,
        remaining: 0,
        reset: new Date(resetSeconds * 1000).toISOString(),
        retryAfter,
      });
      expect(req.context.shownLimit).to.deep.equal({ limit: 50, remaining: 0, resetSeconds });
    }
  });

  it('says of a batch that it was a batch that did not fit', async () => {
    const own = { ...runtime, counters: counters({ limit: 60_000, remaining: 0 }, [false, false, true]) };
    const req = request(own, Buffer.from('[1,2,3]'));
    const error = (await passThrough(rateLimitPolicy.create({}, own), req)) as ApiError;
    expect(error.message).to.equal(
      'The limit "batch-events" of 60000 events per 60 s was exceeded by this batch of 3; retry in 2 s.',
    );
  });
});
