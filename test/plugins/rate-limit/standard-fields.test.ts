/** The fields of the IETF draft: off by default, and where they are on, every limit that bound the request. */
import { expect } from 'chai';
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

const LIMITS = {
  ...TEST_PLANS.limits,
  exports: { limit: 2, windowSeconds: 600 },
  tried: { limit: 1, windowSeconds: 60, enforce: false },
  bytes: { limit: 1_000, windowSeconds: 60, cost: 'bytes' },
};
const PLANS = { free: { per10Seconds: 50, perMinute: 300, perDay: 1_000, perMonth: 9_000 } };

describe('the standard fields', () => {
  /** Answers of so many requests of one caller, at noon of a day in February. */
  async function ask(count: number, own: object) {
    const clock = createTestClock();
    clock.advance(Date.parse('2026-02-10T12:00:00.000Z') - clock.now());
    const plans = plansFileSchema.parse({ ...TEST_PLANS, plans: PLANS, limits: LIMITS, ...own });
    const runtime = {
      ...createTestRuntime(createMemoryDocumentStore(clock), clock),
      plans,
      counters: new MemoryCounterStore(clock),
    };
    const policy = rateLimitPolicy.create({}, runtime);
    const endpoint = testEndpoint({ limits: ['exports', 'tried', 'bytes'], cost: 'body' });
    const answers = [];
    for (let index = 0; index < count; index++) {
      const req = testRequest(runtime, endpoint);
      req.context.principal = knownPrincipal();
      const error = (await passThrough(policy, req)) as ApiError | undefined;
      const { addedHeaders } = req.context;
      const fieldOf = (name: string) => addedHeaders?.[addedHeaders.indexOf(name) + 1];
      answers.push({
        code: error?.code,
        policy: fieldOf('RateLimit-Policy'),
        standing: fieldOf('RateLimit'),
        names: addedHeaders?.filter((_, place) => place % 2 === 0) ?? [],
      });
    }
    return answers;
  }

  it('are not sent unless plans.yml says so', async () => {
    expect((await ask(1, {}))[0]?.names).to.deep.equal([]);
  });

  it('name every limit that binds, its window and what it counts, and what is left', async () => {
    const [first] = await ask(1, { standardFields: true });
    expect(first?.policy).to.equal(
      '"plan-10s";q=50;w=10, "plan-60s";q=300;w=60, "plan-day";q=1000;w=86400, "plan-month";q=9000;w=2419200, ' +
        '"exports";q=2;w=600, "bytes";q=1000;w=60;qu="content-bytes"',
    );
    expect(first?.standing).to.equal(
      '"plan-10s";r=49;t=10, "plan-60s";r=299;t=60, "plan-day";r=999;t=43200, "plan-month";r=8999;t=1598400, ' +
        '"exports";r=1;t=600, "bytes";r=999;t=60',
    );
  });

  it('tell a refusal too, beside the header of limits in shadow', async () => {
    const answers = await ask(3, { standardFields: true });
    expect(answers.map(({ code }) => code)).to.deep.equal([undefined, undefined, 'RATE_LIMIT_EXCEEDED']);
    expect(answers[2]?.standing).to.contain('"exports";r=0;t=600');
    expect(answers[1]?.names).to.deep.equal(['X-RateLimit-Shadow', 'RateLimit-Policy', 'RateLimit']);
  });

  it('give the budget of a key a name of its own', async () => {
    const overrides = [
      { key: 'key_a', limit: 'exports', max: 1 },
      { key: 'key_a', limit: 'perMinute', max: 7 },
    ];
    const [first] = await ask(1, { standardFields: true, overrides });
    expect(first?.standing).to.contain('"exports";r=1;t=600, "exports-key";r=0;t=600');
    expect(first?.standing).to.contain('"plan-60s";r=299;t=60, "plan-60s-key";r=6;t=60');
  });
});
