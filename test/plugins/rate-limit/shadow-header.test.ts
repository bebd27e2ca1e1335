/** Limits in shadow at a policy: they refuse nothing, count the same, and the answer names them. */
import { expect } from 'chai';
import { rateLimitPolicy } from '../../../plugins/rate-limit/rate-limit-policy.ts';
import type { ApiError } from '../../../services/shared/errors/api-error.ts';
import { type PlansFile, plansFileSchema } from '../../../services/shared/plans/plans.ts';
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

const EXPORTS = { limit: 4, windowSeconds: 60 };
const plans = (enforce: boolean, own = {}): PlansFile =>
  plansFileSchema.parse({
    ...TEST_PLANS,
    limits: { ...TEST_PLANS.limits, exports: { ...EXPORTS, enforce, ...own } },
  });

describe('limits in shadow', () => {
  /** Sends requests of one caller, and gathers what became of them. */
  async function send(count: number, enforce: boolean, own = {}, body?: Buffer) {
    const clock = createTestClock();
    const runtime = {
      ...createTestRuntime(createMemoryDocumentStore(clock), clock),
      plans: plans(enforce, own),
      counters: new MemoryCounterStore(clock),
    };
    const policy = rateLimitPolicy.create({}, runtime);
    const cost = body === undefined ? {} : ({ cost: 'body', countedList: [] } as const);
    const endpoint = testEndpoint({ limits: ['exports'], ...cost });
    const answers = [];
    for (let index = 0; index < count; index++) {
      const req = testRequest(runtime, endpoint);
      req.context.principal = knownPrincipal();
      if (body !== undefined) req.context.body = body;
      const error = (await passThrough(policy, req)) as ApiError | undefined;
      answers.push({ code: error?.code, headers: req.context.addedHeaders, shown: req.context.shownLimit });
    }
    return { answers, startMs: clock.now() };
  }

  it('refuse nobody, and would refuse exactly those whom they refuse when enforced', async () => {
    const { answers: enforced } = await send(10, true);
    const { answers: shadowed, startMs } = await send(10, false);
    expect(shadowed.map(({ code }) => code)).to.deep.equal(Array(10).fill(undefined));
    const told = ['X-RateLimit-Shadow', `exports;limit=4;reset=${Math.ceil(startMs / 1000) + 60}`];
    expect(shadowed.map(({ headers }) => headers)).to.deep.equal(
      enforced.map(({ code }) => (code === undefined ? null : told)),
    );
    expect(enforced.filter(({ code }) => code === 'RATE_LIMIT_EXCEEDED')).to.have.length(6);
  });

  it('are not what the three headers show', async () => {
    const { answers } = await send(6, false);
    expect(answers.at(-1)?.shown).to.include({ limit: 50, remaining: 44 });
  });

  it('let a batch above their whole number pass', async () => {
    const batch = Buffer.from('[1,2,3,4,5]');
    const { answers } = await send(1, false, { cost: 'events' }, batch);
    expect(answers[0]?.code).to.equal(undefined);
    expect(answers[0]?.headers?.[1]).to.match(/^exports;limit=4;/);
    const { answers: refused } = await send(1, true, { cost: 'events' }, batch);
    expect(refused[0]?.code).to.equal('VALIDATION_ERROR');
  });
});
