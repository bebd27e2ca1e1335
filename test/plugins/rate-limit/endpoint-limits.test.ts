/** The limits that endpoints name: which apply to whom, under which counter, at which cost, and made how often. */
import { expect } from 'chai';
import type { RequestContext } from '../../../plugins/kit/request-context.ts';
import { createEndpointLimits } from '../../../plugins/rate-limit/endpoint-limits.ts';
import { type Charge, createLimitUses } from '../../../plugins/rate-limit/limit-uses.ts';
import type { Caller } from '../../../services/shared/access/caller.ts';
import { type Principal, publicPrincipal } from '../../../services/shared/access/principal.ts';
import { ApiError } from '../../../services/shared/errors/api-error.ts';
import type { OrganizationLimits } from '../../../services/shared/model/organization.ts';
import type { Endpoint } from '../../../services/shared/plans/endpoint.ts';
import { type PlansFile, plansFileSchema } from '../../../services/shared/plans/plans.ts';
import { knownPrincipal } from '../../support/known-principal.ts';
import { createMemoryDocumentStore } from '../../support/memory-document-store.ts';
import {
  createTestRuntime,
  TEST_ADDRESS,
  TEST_PLANS,
  testEndpoint,
  testRequest,
} from '../../support/policy-kit.ts';
import { createTestClock } from '../../support/test-clock.ts';

const PLANS = plansFileSchema.parse({
  ...TEST_PLANS,
  limits: {
    ...TEST_PLANS.limits,
    'per-key': { limit: 5, windowSeconds: 60, per: 'key', algorithm: 'sliding', onStoreFailure: 'closed' },
    'per-session': { limit: 6, windowSeconds: 60, per: 'session' },
    'per-address': { limit: 7, windowSeconds: 60, per: 'address' },
    'strangers-events': { limit: 9, windowSeconds: 60, per: 'address', callers: 'anonymous', cost: 'events' },
    'address-events': { limit: 8, windowSeconds: 60, per: 'address', cost: 'events' },
  },
});

const clock = createTestClock();
const runtime = createTestRuntime(createMemoryDocumentStore(clock), clock);

function contextOf(principal: Principal | null, endpoint: Endpoint): RequestContext {
  const { context } = testRequest(runtime, endpoint);
  context.principal = principal;
  return context;
}

/** Charges requests by these plans. */
function charger(plans: PlansFile = PLANS) {
  const endpointLimits = createEndpointLimits(plans);
  const limitUses = createLimitUses(plans);
  return (context: RequestContext, cost = 1): Charge =>
    limitUses(context, endpointLimits(context.endpoint), cost, null);
}

const known = (limits: OrganizationLimits = {}, own: Partial<Caller> = {}): Principal =>
  knownPrincipal(own, limits);

/** What a charge adds to the plan windows: counter, limit, cost. */
const added = (charge: Charge) =>
  charge.uses
    .filter(({ name }) => !name.startsWith('plan@'))
    .map(({ name, limit, cost }) => [name, limit, cost]);
const ORGANIZATION = 'organization:org_a';
const ADDRESS = `address:${TEST_ADDRESS}`;

describe('the limits that an endpoint names', () => {
  it('for anonymous callers count theirs beside the public limit, and those of no credential', () => {
    const endpoint = testEndpoint({
      access: 'keyless',
      class: 'ingest',
      cost: 'body',
      limits: ['batch-events', 'strangers-events'],
    });
    const charge = charger();
    const nobody = charge(contextOf(publicPrincipal(), endpoint), 5);
    expect(nobody.subject).to.equal(ADDRESS);
    expect(added(nobody)).to.deep.equal([
      ['public:ingest', 100, 1],
      ['strangers-events', 9, 5],
    ]);
    expect(added(charge(contextOf(publicPrincipal(), endpoint), 1))).to.deep.equal([
      ['public:ingest', 100, 1],
    ]);
    expect(added(charge(contextOf(known(), endpoint), 5))).to.deep.equal([['batch-events', 60_000, 5]]);
  });

  it('apply to a valid credential besides both plan windows, under the one subject of its organization', () => {
    const charge = charger()(contextOf(known(), testEndpoint({ limits: ['custom-sql'] })));
    expect(charge.subject).to.equal(ORGANIZATION);
    expect(charge.uses.map(({ name, limit, windowMs }) => [name, limit, windowMs])).to.deep.equal([
      ['plan@10s', 50, 10_000],
      ['plan@60s', 300, 60_000],
      ['custom-sql', 30, 60_000],
    ]);
  });

  it('count per organization, credential or address, nested below the organization', () => {
    const endpoint = testEndpoint({ limits: ['custom-sql', 'per-key', 'per-session', 'per-address'] });
    const charge = charger();
    expect(added(charge(contextOf(known(), endpoint)))).to.deep.equal([
      ['custom-sql', 30, 1],
      ['per-key@key:key_a', 5, 1],
      ['per-session@key:key_a', 6, 1],
      [`per-address@${ADDRESS}`, 7, 1],
    ]);
    const session = known({}, { id: 'ses_a', kind: 'session', userId: 'usr_a', role: 'owner' });
    expect(added(charge(contextOf(session, endpoint))).map(([name]) => name)).to.deep.equal([
      'custom-sql',
      'per-key@session:ses_a',
      'per-session@session:ses_a',
      `per-address@${ADDRESS}`,
    ]);
  });

  it('carry their algorithm and their rule for a lost store to the counter', () => {
    const { uses } = charger()(contextOf(known(), testEndpoint({ limits: ['per-key'] })));
    expect(uses.at(-1)).to.include({ algorithm: 'sliding', onStoreFailure: 'closed' });
  });

  it('give way to the number of the organization that they say', () => {
    const own = { customSqlPerMinute: 3, batchDatasetsPerMinute: 10 };
    const endpoint = testEndpoint({ limits: ['custom-sql', 'batch-datasets', 'per-key'], cost: 'body' });
    expect(added(charger()(contextOf(known(own), endpoint), 4))).to.deep.equal([
      ['custom-sql', 3, 1],
      ['batch-datasets', 10, 4],
      ['per-key@key:key_a', 5, 1],
    ]);
  });

  it('count nothing of a request that was refused before: that is in the plan windows alone', () => {
    const kinds = ['INSUFFICIENT_SCOPE', 'PAYLOAD_TOO_LARGE', 'VALIDATION_ERROR', 'ACCESS_DENIED'] as const;
    for (const kind of kinds) {
      const context = contextOf(known(), testEndpoint({ limits: ['custom-sql', 'per-address'] }));
      context.refuse(new ApiError(kind));
      const charge = charger()(context);
      expect([charge.subject, added(charge)]).to.deep.equal([ORGANIZATION, []]);
    }
  });

  it('stand in place of the public limit where anybody is let in, under the address', () => {
    const endpoint = testEndpoint({ access: 'public', limits: ['login'] });
    const charge = charger()(contextOf(publicPrincipal(), endpoint));
    expect([charge.subject, added(charge)]).to.deep.equal([ADDRESS, [['login', 30, 1]]]);
  });

  it('do so for a refused body too: logins count in no other limit', () => {
    const context = contextOf(publicPrincipal(), testEndpoint({ access: 'public', limits: ['login'] }));
    context.refuse(new ApiError('PAYLOAD_TOO_LARGE'));
    expect(added(charger()(context))).to.deep.equal([['login', 30, 1]]);
  });

  it('of a refresh live under its token family, and under the address when no token names one', () => {
    const context = contextOf(publicPrincipal(), testEndpoint({ access: 'public', limits: ['refresh'] }));
    const charge = charger();
    expect(charge(context).subject).to.equal(ADDRESS);
    context.sessionFamily = 'ses_1';
    const family = charge(context);
    expect([family.subject, added(family)]).to.deep.equal(['session:ses_1', [['refresh', 30, 1]]]);
  });

  it('per organization leave a caller whom nobody knows to the public limit', () => {
    const own = { access: 'optional', class: 'ingest', limits: ['batch-events'], cost: 'body' } as const;
    const charge = charger()(contextOf(publicPrincipal(), testEndpoint(own)), 9);
    expect([charge.subject, added(charge)]).to.deep.equal([ADDRESS, [['public:ingest', 100, 1]]]);
  });

  it('of batches stand beside the public limit, not in its place', () => {
    const endpoint = testEndpoint({
      access: 'public',
      class: 'ingest',
      limits: ['address-events'],
      cost: 'body',
    });
    const charge = charger();
    expect(added(charge(contextOf(publicPrincipal(), endpoint), 3))).to.deep.equal([
      ['public:ingest', 100, 1],
      ['address-events', 8, 3],
    ]);
    expect(added(charge(contextOf(publicPrincipal(), endpoint), 1))).to.deep.equal([
      ['public:ingest', 100, 1],
    ]);
  });
});

describe('the cost of a batch', () => {
  const endpoint = testEndpoint({ limits: ['batch-datasets'], cost: 'body' });

  it('is taken from the batch limit alone: in the plan windows a batch is one request', () => {
    const { uses } = charger()(contextOf(known(), endpoint), 12);
    expect(uses.map(({ name, cost }) => [name, cost])).to.deep.equal([
      ['plan@10s', 1],
      ['plan@60s', 1],
      ['batch-datasets', 12],
    ]);
  });

  it('of 1 is no batch', () => {
    expect(added(charger()(contextOf(known(), endpoint), 1))).to.deep.equal([]);
  });

  it('above the whole limit is refused with 400 saying so, and counts in the plan windows alone', () => {
    const context = contextOf(known({ batchDatasetsPerMinute: 10 }), endpoint);
    expect(added(charger()(context, 11))).to.deep.equal([]);
    expect(context.refusal?.kind).to.equal('VALIDATION_ERROR');
    expect(context.refusal?.message).to.equal(
      'body: This batch holds 11 datasets; the whole limit is 10 per 60 s. Send smaller batches.',
    );
    const fitting = contextOf(known({ batchDatasetsPerMinute: 10 }), endpoint);
    expect(added(charger()(fitting, 10))).to.deep.equal([['batch-datasets', 10, 10]]);
    expect(fitting.refusal).to.equal(null);
  });
});

describe('a charge', () => {
  it('is made once for a principal, an endpoint and a cost', () => {
    const principal = known();
    const plain = testEndpoint();
    const named = testEndpoint({ limits: ['custom-sql', 'batch-datasets'], cost: 'body' });
    const charge = charger();
    const of = (endpoint: Endpoint, cost = 1) => charge(contextOf(principal, endpoint), cost);
    expect(of(plain)).to.equal(of(plain));
    expect(of(named)).to.equal(of(named));
    expect(of(named, 5)).to.equal(of(named, 5));
    expect(added(of(named, 6))).to.deep.include(['batch-datasets', 6_000, 6]);
    expect(added(of(named))).to.deep.equal([['custom-sql', 30, 1]]);
    expect(charge(contextOf(known(), named))).to.not.equal(of(named));
  });

  it('follows the address where a counter names it', () => {
    const perAddress = plansFileSchema.parse({ ...PLANS, plan: { per: 'address' } });
    const principal = known();
    let address = '192.0.2.1';
    const moving = { ...runtime, addressOf: () => address };
    const names = (plans: PlansFile, limits: string[]) => {
      const charge = charger(plans);
      return ['192.0.2.1', '192.0.2.2'].map((next) => {
        address = next;
        const { context } = testRequest(moving, testEndpoint({ limits }));
        context.principal = principal;
        return charge(context).uses.at(-1)?.name;
      });
    };
    expect(names(PLANS, ['per-address'])).to.deep.equal([
      'per-address@address:192.0.2.1',
      'per-address@address:192.0.2.2',
    ]);
    expect(names(perAddress, [])).to.deep.equal(['plan@60s:address:192.0.2.1', 'plan@60s:address:192.0.2.2']);
  });

  it('counts the windows of a plan as plans.yml says', () => {
    const perKey = plansFileSchema.parse({
      ...PLANS,
      plan: { per: 'key', algorithm: 'sliding', onStoreFailure: 'open' },
    });
    const { subject, uses } = charger(perKey)(contextOf(known(), testEndpoint()));
    expect(subject).to.equal(ORGANIZATION);
    expect(uses.map(({ name }) => name)).to.deep.equal(['plan@10s:key:key_a', 'plan@60s:key:key_a']);
    for (const use of uses) expect(use).to.include({ algorithm: 'sliding', onStoreFailure: 'open' });
  });
});
