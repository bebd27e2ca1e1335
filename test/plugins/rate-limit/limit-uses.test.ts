/** Which limits a request falls under, and under which subject, by who asks and what for. */
import { expect } from 'chai';
import type { RequestContext } from '../../../plugins/kit/request-context.ts';
import { createEndpointLimits } from '../../../plugins/rate-limit/endpoint-limits.ts';
import { type Charge, createLimitUses } from '../../../plugins/rate-limit/limit-uses.ts';
import { Principal, publicPrincipal } from '../../../services/shared/access/principal.ts';
import { ApiError } from '../../../services/shared/errors/api-error.ts';
import type { OrganizationLimits } from '../../../services/shared/model/organization.ts';
import { ENDPOINT_CLASSES, type Endpoint } from '../../../services/shared/plans/endpoint.ts';
import { createMemoryDocumentStore } from '../../support/memory-document-store.ts';
import {
  createTestRuntime,
  TEST_ADDRESS,
  TEST_PLANS,
  testEndpoint,
  testRequest,
} from '../../support/policy-kit.ts';
import { createTestClock } from '../../support/test-clock.ts';

const ADDRESS = `address:${TEST_ADDRESS}`;

describe('the limits of a request', () => {
  const clock = createTestClock();
  const runtime = createTestRuntime(createMemoryDocumentStore(clock), clock);
  const limitUses = createLimitUses(TEST_PLANS);
  const endpointLimits = createEndpointLimits(TEST_PLANS);

  function contextOf(
    principal: Principal | null,
    refusal: ApiError | null,
    own: Partial<Endpoint>,
  ): RequestContext {
    const { context } = testRequest(runtime, testEndpoint(own));
    context.principal = principal;
    context.refusal = refusal;
    return context;
  }
  const chargeOf = (
    principal: Principal | null,
    refusal: ApiError | null = null,
    own: Partial<Endpoint> = {},
    cost = 1,
  ): Charge => {
    const context = contextOf(principal, refusal, own);
    return limitUses(context, endpointLimits(context.endpoint), cost, null);
  };
  const keyOf = (plan: string, limits: OrganizationLimits = {}, organizationId = 'org_a') =>
    new Principal(
      {
        id: 'key_a',
        kind: 'key',
        organizationId,
        userId: null,
        role: null,
        plan,
        scopes: ['read:data'],
        access: { level: 'global' },
      },
      limits,
    );

  /** Subject, and for each use its limit and window in seconds. */
  const plainly = ({ subject, uses }: Charge) => [
    subject,
    uses.map((use) => [use.limit, use.windowMs / 1000]),
  ];
  const publicCharge = (group: string) => ({
    subject: ADDRESS,
    uses: [
      {
        name: `public:${group}`,
        limit: 100,
        windowMs: 60_000,
        cost: 1,
        algorithm: 'fixed',
        onStoreFailure: 'local',
      },
    ],
  });

  it('with a valid key are both windows of its plan, under its organization', () => {
    expect(plainly(chargeOf(keyOf('free')))).to.deep.equal([
      'organization:org_a',
      [
        [50, 10],
        [300, 60],
      ],
    ]);
    expect(plainly(chargeOf(keyOf('pro', {}, 'org_b')))).to.deep.equal([
      'organization:org_b',
      [
        [200, 10],
        [1200, 60],
      ],
    ]);
  });

  it('with a valid key are the same counters whichever class is asked, and whichever fault was found', () => {
    const expected = chargeOf(keyOf('free'));
    for (const endpointClass of ENDPOINT_CLASSES) {
      expect(chargeOf(keyOf('free'), null, { class: endpointClass })).to.deep.equal(expected);
    }
    for (const kind of ['INSUFFICIENT_SCOPE', 'NOT_FOUND', 'PAYLOAD_TOO_LARGE'] as const) {
      expect(chargeOf(keyOf('free'), new ApiError(kind))).to.deep.equal(expected);
    }
  });

  it('cost a valid key 1 in each window', () => {
    expect(chargeOf(keyOf('free')).uses.map(({ cost }) => cost)).to.deep.equal([1, 1]);
  });

  it('with limits of the organization are those in place of the plan, each by itself', () => {
    const windows = (limits: OrganizationLimits) =>
      chargeOf(keyOf('free', limits)).uses.map(({ limit }) => limit);
    expect(windows({ per10Seconds: 7 })).to.deep.equal([7, 300]);
    expect(windows({ perMinute: 9 })).to.deep.equal([50, 9]);
    expect(windows({ per10Seconds: 70_000, perMinute: 90_000 })).to.deep.equal([70_000, 90_000]);
    expect(windows({ publicPerMinute: 5 })).to.deep.equal([50, 300]);
  });

  it('with a wrong key are the failed credentials of the address, whatever was asked', () => {
    const wrong = new ApiError('INVALID_API_KEY');
    for (const access of ['scoped', 'public'] as const) {
      for (const endpointClass of ENDPOINT_CLASSES) {
        const charge = chargeOf(null, wrong, { access, class: endpointClass });
        expect(charge).to.deep.equal(publicCharge('failed-credentials'));
      }
    }
  });

  it('without a key on a scoped endpoint are the group "other" of the address, whatever its class', () => {
    for (const endpointClass of ENDPOINT_CLASSES) {
      const charge = chargeOf(null, new ApiError('AUTH_REQUIRED'), { class: endpointClass });
      expect(charge).to.deep.equal(publicCharge('other'));
    }
  });

  it('without a key on a public endpoint are the group of its class', () => {
    for (const endpointClass of ENDPOINT_CLASSES) {
      const charge = chargeOf(publicPrincipal(), null, {
        access: 'public',
        scopes: [],
        class: endpointClass,
      });
      expect(charge).to.deep.equal(publicCharge(endpointClass));
    }
  });

  it('without a key on a public endpoint stay in its group when another fault was found', () => {
    const charge = chargeOf(publicPrincipal(), new ApiError('PAYLOAD_TOO_LARGE'), {
      access: 'public',
      class: 'ingest',
    });
    expect(charge).to.deep.equal(publicCharge('ingest'));
  });

  it('of an organization with a plan that nobody declared are an error, never none', () => {
    expect(() => chargeOf(keyOf('gold'))).to.throw('organization org_a has the unknown plan "gold"');
  });
});
