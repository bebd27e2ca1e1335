/** Whose budget a named limit is, and how large: overrides of organizations and keys, values of headers, and claims. */
import { expect } from 'chai';
import { rateLimitPolicy } from '../../../plugins/rate-limit/rate-limit-policy.ts';
import type { Caller } from '../../../services/shared/access/caller.ts';
import type { ApiError } from '../../../services/shared/errors/api-error.ts';
import type { OrganizationLimits } from '../../../services/shared/model/organization.ts';
import { type PlansFile, plansFileSchema } from '../../../services/shared/plans/plans.ts';
import type { LimitUse } from '../../../services/shared/ports/counter-store.ts';
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
  plans: { free: { per10Seconds: 5_000, perMinute: 5_000 } },
  limits: {
    ...TEST_PLANS.limits,
    exports: { limit: 20, windowSeconds: 60 },
    'per-key': { limit: 5, windowSeconds: 60, per: 'key' },
    customers: { limit: 3, windowSeconds: 60, per: 'header', header: 'x-customer', total: 10 },
    people: { limit: 4, windowSeconds: 60, per: 'claim', claim: 'user' },
  },
  overrides: [
    { organization: 'org_large', limit: 'exports', max: 40 },
    { organization: 'org_large', limit: 'custom-sql', max: 90 },
    { organization: 'org_large', limit: 'perMinute', max: 9_000 },
    { organization: 'org_large', limit: 'perMonth', max: 70_000 },
    { organization: 'org_large', limit: 'per-key', max: 6 },
    { key: 'key_small', limit: 'exports', max: 2 },
    { key: 'key_small', limit: 'per-key', max: 1 },
    { key: 'key_small', limit: 'perDay', max: 8 },
  ],
});

interface Asked {
  readonly caller?: Partial<Caller>;
  readonly limits?: OrganizationLimits;
  readonly customer?: string;
}

/** A gateway of one endpoint that names these limits. */
function gatewayOf(names: readonly string[], plans: PlansFile = PLANS) {
  const clock = createTestClock();
  const uses: LimitUse[][] = [];
  const store = new MemoryCounterStore(clock);
  const counters = Object.assign(Object.create(store) as MemoryCounterStore, {
    decide(subject: string, asked: readonly LimitUse[]) {
      uses.push([...asked]);
      return store.decide(subject, asked);
    },
    peek: (subject: string, use: LimitUse) => store.peek(subject, use),
  });
  const runtime = { ...createTestRuntime(createMemoryDocumentStore(clock), clock), plans, counters };
  const policy = rateLimitPolicy.create({}, runtime);
  const endpoint = testEndpoint({ limits: [...names] });
  return {
    /** Whether one more request of the caller passes. */
    async ask({ caller = {}, limits = {}, customer }: Asked): Promise<boolean> {
      const req = testRequest(runtime, endpoint);
      if (customer !== undefined) req.headers['x-customer'] = customer;
      req.context.principal = knownPrincipal(caller, limits);
      return ((await passThrough(policy, req)) as ApiError | undefined) === undefined;
    },
    /** The counters of the last request. */
    last: () => (uses.at(-1) ?? []).map(({ name, limit }) => [name, limit]),
  };
}

const LARGE = { organizationId: 'org_large' };
const SMALL = { id: 'key_small' };

describe('the numbers of single organizations and keys', () => {
  it('stand in place of the limit, of the plan and of the setting of the organization', async () => {
    const { ask, last } = gatewayOf(['exports', 'custom-sql', 'per-key']);
    await ask({ caller: LARGE, limits: { customSqlPerMinute: 5, per10Seconds: 7 } });
    expect(last()).to.deep.equal([
      ['plan@10s', 7],
      ['plan@60s', 9_000],
      ['plan@month', 70_000],
      ['exports', 40],
      ['custom-sql', 90],
      ['per-key@key:key_a', 6],
    ]);
    await ask({ limits: { customSqlPerMinute: 5 } });
    expect(last()).to.deep.equal([
      ['plan@10s', 5_000],
      ['plan@60s', 5_000],
      ['exports', 20],
      ['custom-sql', 5],
      ['per-key@key:key_a', 5],
    ]);
  });

  it('of a key are a budget within that of its organization, or replace that of each key', async () => {
    const { ask, last } = gatewayOf(['exports', 'per-key']);
    await ask({ caller: SMALL });
    expect(last()).to.deep.equal([
      ['plan@10s', 5_000],
      ['plan@60s', 5_000],
      ['plan@day:budget:key_small', 8],
      ['exports', 20],
      ['exports@budget:key_small', 2],
      ['per-key@key:key_small', 1],
    ]);
  });

  it('of a key refuse the key alone, and what it took is taken from the organization', async () => {
    const { ask } = gatewayOf(['exports']);
    const ofKey = [];
    for (let count = 0; count < 5; count++) ofKey.push(await ask({ caller: SMALL }));
    expect(ofKey).to.deep.equal([true, true, false, false, false]);
    let others = 0;
    while (await ask({})) others++;
    expect(others).to.equal(18);
  });

  it('are for the key and not for a session of the same name', async () => {
    const { ask, last } = gatewayOf(['exports']);
    await ask({ caller: { ...SMALL, kind: 'session' } });
    expect(last().map(([name]) => name)).to.deep.equal(['plan@10s', 'plan@60s', 'exports']);
  });
});

describe('a budget for each value of a header', () => {
  it('belongs to the value, hashed, within the organization and its total', async () => {
    const { ask, last } = gatewayOf(['customers']);
    await ask({ customer: 'Ada & Co' });
    const [, , own, total] = last();
    expect(own?.[0]).to.match(/^customers@header:[A-Za-z0-9_-]{22}$/);
    expect([own?.[1], total]).to.deep.equal([3, ['customers@total', 10]]);
    await ask({ customer: 'Grace' });
    expect(last()[2]?.[0]).to.not.equal(own?.[0]);
  });

  it('gives a client that invents values no more than the total', async () => {
    const { ask } = gatewayOf(['customers']);
    let passed = 0;
    for (let count = 0; count < 300; count++) if (await ask({ customer: `invented ${count}` })) passed++;
    expect(passed).to.equal(10);
    expect(await ask({ customer: 'another', caller: { organizationId: 'org_b' } })).to.equal(true);
  });

  it('falls back to the credential where the header is absent, empty or too long', async () => {
    const { ask, last } = gatewayOf(['customers']);
    for (const customer of [undefined, '  ', 'x'.repeat(257)]) {
      await ask(customer === undefined ? {} : { customer });
      expect(last()[2]?.[0], `${customer}`.slice(0, 9)).to.equal('customers@key:key_a');
    }
    expect(await ask({})).to.equal(false);
  });
});

describe('a budget for each value of a claim', () => {
  it('is one over all sessions of a user, and that of the credential for a key', async () => {
    const { ask, last } = gatewayOf(['people']);
    const session = (id: string) => ({ id, kind: 'session', userId: 'usr_a', role: 'viewer' }) as const;
    const answers = [];
    for (const id of ['ses_1', 'ses_2', 'ses_3', 'ses_1', 'ses_2']) {
      answers.push(await ask({ caller: session(id) }));
    }
    expect(answers).to.deep.equal([true, true, true, true, false]);
    expect(last()[2]?.[0]).to.equal('people@claim:usr_a');
    await ask({});
    expect(last()[2]?.[0]).to.equal('people@key:key_a');
  });
});
