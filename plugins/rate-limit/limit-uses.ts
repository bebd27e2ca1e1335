/** Which limits a request falls under, and under which one subject (contract.md section 4). */
import type { Principal } from '../../services/shared/access/principal.ts';
import { validationError } from '../../services/shared/errors/zod-details.ts';
import type { Endpoint } from '../../services/shared/plugin/endpoint.ts';
import type { PlansFile } from '../../services/shared/plugin/plans.ts';
import type { RequestContext } from '../../services/shared/plugin/request-context.ts';
import type { LimitUse } from '../../services/shared/ports/counter-store.ts';
import {
  addressSubject,
  type PublicGroup,
  publicLimitUses,
} from '../../services/shared/rate-limit/public-limit.ts';
import { counts, type EndpointLimits, limitUse, ownerWithin } from './endpoint-limits.ts';
import type { SiteLimit } from './site-limits.ts';

/** All limits of a request live under one subject: the organization of a valid credential, else the address. */
export interface Charge {
  readonly subject: string;
  readonly uses: readonly LimitUse[];
}

/** Charges of one principal at one endpoint: of a single request, and of the last size of batch. */
interface EndpointCharges {
  single: Charge | null;
  batch: Charge | null;
  batchCost: number;
}

/** The plan windows of one principal, and what each endpoint adds to them. */
interface PrincipalCharges {
  readonly plan: Charge;
  readonly byEndpoint: Map<Endpoint, EndpointCharges>;
}

/** The charge of a request of this cost. `site`: the limit that the organization of the named website carries. */
export type LimitUses = (
  context: RequestContext,
  limits: EndpointLimits,
  cost: number,
  site: SiteLimit | null,
) => Charge;

const NO_OWN_LIMITS = {};

/**
 * Works out the charge of each request. What a principal is charged at an endpoint is made once and kept with it, so that
 * a request in the common case allocates nothing. Refuses a cost above a whole limit on the context.
 */
export function createLimitUses(plans: PlansFile): LimitUses {
  const publicUses = publicLimitUses(plans);
  const publicCharges = new Map<string, readonly LimitUse[]>();
  for (const group in publicUses) publicCharges.set(group, [publicUses[group as PublicGroup]]);
  const byPrincipal = new WeakMap<Principal, PrincipalCharges>();
  const plansNameAddress = plans.plan.per === 'address';

  function chargesOf(principal: Principal, context: RequestContext): PrincipalCharges {
    const known = plansNameAddress ? undefined : byPrincipal.get(principal);
    if (known !== undefined) return known;
    const made = { plan: planCharge(principal, context, plans), byEndpoint: new Map() };
    byPrincipal.set(principal, made);
    return made;
  }

  function endpointCharge(
    charges: PrincipalCharges,
    principal: Principal,
    context: RequestContext,
    { known }: EndpointLimits,
    cost: number,
  ): Charge {
    const { plan } = charges;
    const uses = [...plan.uses];
    for (const named of known) {
      if (!counts(named.rule, cost)) continue;
      const owner = ownerWithin(named.rule.per, principal.caller, () => context.address);
      uses.push(limitUse(named, cost, owner, principal.limits));
    }
    return { subject: plan.subject, uses };
  }

  function knownCharge(
    principal: Principal,
    context: RequestContext,
    limits: EndpointLimits,
    cost: number,
  ): Charge {
    const charges = chargesOf(principal, context);
    if (limits.known.length === 0 || context.refusal !== null) return charges.plan;
    if (limits.namesAddress || plansNameAddress)
      return endpointCharge(charges, principal, context, limits, cost);
    let own = charges.byEndpoint.get(context.endpoint);
    if (own === undefined) {
      own = { single: null, batch: null, batchCost: 0 };
      charges.byEndpoint.set(context.endpoint, own);
    }
    if (cost === 1) {
      own.single ??= endpointCharge(charges, principal, context, limits, 1);
      return own.single;
    }
    if (own.batch === null || own.batchCost !== cost) {
      own.batch = endpointCharge(charges, principal, context, limits, cost);
      own.batchCost = cost;
    }
    return own.batch;
  }

  function groupUses(group: PublicGroup, site: SiteLimit | null): readonly LimitUse[] {
    if (site !== null) {
      // A counter of its own: what a website of one organization takes is not missing for those of others.
      const { organizationId, limit } = site;
      return [{ ...publicUses[group], name: `public:${group}@${organizationId}`, limit }];
    }
    return publicCharges.get(group) ?? [];
  }

  function nobodysCharge(
    context: RequestContext,
    limits: EndpointLimits,
    cost: number,
    site: SiteLimit | null,
  ): Charge {
    const subject =
      context.sessionFamily === null ? addressSubject(context.address) : `session:${context.sessionFamily}`;
    const { anonymous, replacesPublic } = limits;
    if (anonymous.length === 0) return { subject, uses: groupUses(context.endpoint.class, site) };
    const uses = anonymous
      .filter(({ rule }) => counts(rule, cost))
      .map((named) => limitUse(named, cost, '', NO_OWN_LIMITS));
    return { subject, uses: replacesPublic ? uses : [...groupUses(context.endpoint.class, site), ...uses] };
  }

  function refusedCharge(context: RequestContext): Charge {
    const group = context.refusal?.kind === 'INVALID_API_KEY' ? 'failed-credentials' : 'other';
    return { subject: addressSubject(context.address), uses: groupUses(group, null) };
  }

  return function limitUses(context, limits, cost, site) {
    const { principal } = context;
    if (principal === null) return refusedCharge(context);
    const known = principal.caller.organizationId !== null;
    const charge = known
      ? knownCharge(principal, context, limits, cost)
      : nobodysCharge(context, limits, cost, site);
    if (cost === 1) return charge;
    const tooSmall = charge.uses.find((use) => use.cost > use.limit);
    if (tooSmall === undefined) return charge;
    context.refuse(aboveWholeLimit(tooSmall, limits));
    return known ? knownCharge(principal, context, limits, 1) : nobodysCharge(context, limits, 1, site);
  };
}

/** A batch that no window could ever admit: waiting would not help, so it is no 429. */
function aboveWholeLimit({ cost, limit, windowMs }: LimitUse, { kind }: EndpointLimits) {
  return validationError([
    {
      field: 'body',
      message: `This batch holds ${cost} ${kind}; the whole limit is ${limit} per ${windowMs / 1000} s. Send smaller batches.`,
    },
  ]);
}

/** Both plan windows; limits of the organization's own stand in place of the plan's. */
function planCharge(principal: Principal, context: RequestContext, plans: PlansFile): Charge {
  const { caller, limits } = principal;
  const plan = plans.plans[caller.plan ?? ''];
  if (!plan) throw new Error(`organization ${caller.organizationId} has the unknown plan "${caller.plan}"`);
  const { per, algorithm, onStoreFailure } = plans.plan;
  const owner = ownerWithin(per, caller, () => context.address);
  const counted = { cost: 1, algorithm, onStoreFailure };
  const nameOf = (window: string): string => (owner === '' ? `plan@${window}` : `plan@${window}:${owner}`);
  return {
    subject: `organization:${caller.organizationId}`,
    uses: [
      { ...counted, name: nameOf('10s'), limit: limits.per10Seconds ?? plan.per10Seconds, windowMs: 10_000 },
      { ...counted, name: nameOf('60s'), limit: limits.perMinute ?? plan.perMinute, windowMs: 60_000 },
    ],
  };
}
