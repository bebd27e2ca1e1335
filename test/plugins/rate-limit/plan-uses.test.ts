/** The windows and quotas of a plan: which counters they are, whose numbers hold, and what a used-up quota tells. */
import { expect } from 'chai';
import { planUses } from '../../../plugins/rate-limit/plan-uses.ts';
import { rateLimitPolicy } from '../../../plugins/rate-limit/rate-limit-policy.ts';
import type { ApiError } from '../../../services/shared/errors/api-error.ts';
import { plansFileSchema } from '../../../services/shared/plans/plans.ts';
import { MemoryCounterStore } from '../../../services/shared/storage/memory/memory-counter-store.ts';
import { knownPrincipal } from '../../support/known-principal.ts';
import { createMemoryDocumentStore } from '../../support/memory-document-store.ts';
import {
  createTestRuntime,
  passThrough,
  TEST_PLANS,
  testEndpoint,
  testRequest,
} from '../../support/policy-kit.ts';
import { createTestClock } from '../../support/test-clock.ts';

const PLANS = plansFileSchema.parse({
  ...TEST_PLANS,
  plans: {
    free: { per10Seconds: 50, perMinute: 300, perDay: 3 },
    pro: { per10Seconds: 200, perMinute: 1200, perDay: 5_000, perMonth: 100_000 },
  },
  plan: { algorithm: 'sliding' },
});

describe('the windows and quotas of a plan', () => {
  const clock = createTestClock();
  const runtime = {
    ...createTestRuntime(createMemoryDocumentStore(clock), clock),
    plans: PLANS,
    counters: new MemoryCounterStore(clock),
  };
  const { context } = testRequest(runtime, testEndpoint({}));
  const usesOf = (plan: string, limits = {}) =>
    planUses(knownPrincipal({ plan }, limits), context, PLANS).map(({ name, limit, period, algorithm }) => [
      ...[name, limit, period, algorithm],
    ]);

  it('count in each window and in each quota that the plan has; a quota never slides', () => {
    expect(usesOf('pro')).to.deep.equal([
      ['plan@10s', 200, undefined, 'sliding'],
      ['plan@60s', 1200, undefined, 'sliding'],
      ['plan@day', 5_000, 'day', 'fixed'],
      ['plan@month', 100_000, 'month', 'fixed'],
    ]);
    expect(usesOf('free', { perMinute: 7 }).map(([name, limit]) => [name, limit])).to.deep.equal([
      ['plan@10s', 50],
      ['plan@60s', 7],
      ['plan@day', 3],
    ]);
  });

  it('refuse by a used-up quota until midnight in UTC, and tell so in headers and text', async () => {
    clock.advance(Date.parse('2026-03-09T22:00:00.000Z') - clock.now());
    const policy = rateLimitPolicy.create({}, runtime);
    const ask = async () => {
      const req = testRequest(runtime, testEndpoint({}));
      req.context.principal = knownPrincipal({ plan: 'free' });
      const error = (await passThrough(policy, req)) as ApiError | undefined;
      return { error, shown: req.context.shownLimit };
    };
    const resetSeconds = Date.parse('2026-03-10T00:00:00.000Z') / 1000;
    for (const remaining of [2, 1, 0]) {
      const { error, shown } = await ask();
      expect([error, shown]).to.deep.equal([undefined, { limit: 3, remaining, resetSeconds }]);
    }
    const { error, shown } = await ask();
    expect(shown).to.deep.equal({ limit: 3, remaining: 0, resetSeconds });
    expect(error?.code).to.equal('RATE_LIMIT_EXCEEDED');
    expect(error?.message).to.equal(
      'The limit "plan" of 3 requests per day (UTC) was exceeded; retry in 7200 s.',
    );
    expect(error?.headers).to.include({ 'Retry-After': '7200' });
    clock.advance(7_200_000);
    expect((await ask()).error).to.equal(undefined);
  });
});
