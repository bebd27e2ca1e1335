/** Which limits a request falls under, and under which subject (contract.md section 4). */
import { hash } from 'node:crypto';
import type { Principal } from '../../services/shared/access/principal.ts';
import type { ApiError } from '../../services/shared/errors/api-error.ts';
import { validationError } from '../../services/shared/errors/zod-details.ts';
import type { Endpoint } from '../../services/shared/plans/endpoint.ts';
import { windowText } from '../../services/shared/plans/limit-window.ts';
import type { PlansFile } from '../../services/shared/plans/plans.ts';
import {
  addressSubject,
  type PublicGroup,
  publicLimitUses,
} from '../../services/shared/plans/public-limit.ts';
import type { LimitUse } from '../../services/shared/ports/counter-store.ts';
import type { RequestContext } from '../kit/request-context.ts';
import { bytesOf, type RequestCost } from './body-cost.ts';
import { costOfUse, counts, type EndpointLimits, limitUse } from './endpoint-limits.ts';
import { createNamedUses } from './named-uses.ts';
import { planUses } from './plan-uses.ts';
import type { WebsiteLimit } from './website-limits.ts';

/** All limits of a request live under one subject: the organization of a valid credential, else the address. */
export interface Charge {
  readonly subject: string;
  readonly uses: readonly LimitUse[];
  /** What counts beside these whoever asks, under a subject of its own. */
  readonly besides?: { readonly subject: string; readonly uses: readonly LimitUse[] };
}

/** All limits of a charge, in the order of the states of its decision. */
export function usesOf({ uses, besides }: Charge): readonly LimitUse[] {
  return besides === undefined ? uses : [...uses, ...besides.uses];
}

/** Charges of one principal at one endpoint: for a single request, and for the last batch size. */
interface EndpointCharges {
  single: Charge | null;
  batch: Charge | null;
  batchCost: number;
}

/** The plan windows and quotas of one principal, and what each endpoint adds to them. */
interface PrincipalCharges {
  readonly plan: Charge;
  readonly byEndpoint: Map<Endpoint, EndpointCharges>;
}

/**
 * The charge of a request with this many datasets or events. `website`: the public limit of the named website's
 * organization.
 * `unreadBytes`: the least size of a body that is not on the context yet.
 */
export type LimitUses = (
  context: RequestContext,
  limits: EndpointLimits,
  things: number,
  website: WebsiteLimit | null,
  unreadBytes?: number,
) => Charge;

/** The charge of a request about which nothing is known. */
const LEAST: RequestCost = { things: 1, bytes: 1 };

/**
 * Computes the charge of each request. Charges are made once per principal and endpoint and kept with the principal, so
 * that a request in the common case allocates nothing. Refuses a cost above a whole limit on the context.
 */
export function createLimitUses(plans: PlansFile): LimitUses {
  const namedUses = createNamedUses(plans);
  const publicUses = publicLimitUses(plans);
  const publicCharges = new Map<string, readonly LimitUse[]>();
  for (const group in publicUses) publicCharges.set(group, [publicUses[group as PublicGroup]]);
  const byPrincipal = new WeakMap<Principal, PrincipalCharges>();
  const plansNameAddress = plans.plan.per === 'address';

  function chargesOf(principal: Principal, context: RequestContext): PrincipalCharges {
    const known = plansNameAddress ? undefined : byPrincipal.get(principal);
    if (known !== undefined) return known;
    const subject = `organization:${principal.caller.organizationId}`;
    const plan = { subject, uses: planUses(principal, context, plans) };
    const made = { plan, byEndpoint: new Map() };
    byPrincipal.set(principal, made);
    return made;
  }

  function endpointCharge(
    charges: PrincipalCharges,
    principal: Principal,
    context: RequestContext,
    { known }: EndpointLimits,
    cost: RequestCost,
  ): Charge {
    const { plan } = charges;
    const uses = context.endpoint.plan === 'none' ? [] : [...plan.uses];
    for (const named of known) {
      if (!counts(named.rule, cost)) continue;
      uses.push(...namedUses(named, cost, principal, context));
    }
    return { subject: plan.subject, uses };
  }

  function knownCharge(
    principal: Principal,
    context: RequestContext,
    limits: EndpointLimits,
    cost: RequestCost,
  ): Charge {
    const charges = chargesOf(principal, context);
    if (limits.known.length === 0 || context.refusal !== null) return charges.plan;
    if (limits.varies || plansNameAddress) return endpointCharge(charges, principal, context, limits, cost);
    let own = charges.byEndpoint.get(context.endpoint);
    if (own === undefined) {
      own = { single: null, batch: null, batchCost: 0 };
      charges.byEndpoint.set(context.endpoint, own);
    }
    if (cost.things === 1) {
      own.single ??= endpointCharge(charges, principal, context, limits, cost);
      return own.single;
    }
    if (own.batch === null || own.batchCost !== cost.things) {
      own.batch = endpointCharge(charges, principal, context, limits, cost);
      own.batchCost = cost.things;
    }
    return own.batch;
  }

  function groupUses(group: PublicGroup, website: WebsiteLimit | null): readonly LimitUse[] {
    if (website !== null) {
      // A separate counter: requests to a website of one organization do not use up those to others.
      const { organizationId, limit } = website;
      return [{ ...publicUses[group], name: `public:${group}@${organizationId}`, limit }];
    }
    return publicCharges.get(group) ?? [];
  }

  function nobodysCharge(
    context: RequestContext,
    limits: EndpointLimits,
    cost: RequestCost,
    website: WebsiteLimit | null,
  ): Charge {
    const subject =
      context.sessionFamily === null ? addressSubject(context.address) : `session:${context.sessionFamily}`;
    const { anonymous, replacesPublic } = limits;
    // Everything that a foreign page can make a browser send: it takes nothing from the visitor's own logins.
    if (context.endpoint.origin === 'own' && replacesPublic && isOfForeignPages(context.refusal))
      return refusedCharge(context, context.endpoint.class);
    const besides = parameterCharge(context, limits, cost);
    const of = (uses: readonly LimitUse[]): Charge =>
      besides === null ? { subject, uses } : { subject, uses, besides };
    if (anonymous.length === 0) return of(groupUses(context.endpoint.class, website));
    const uses = anonymous
      .filter(({ rule }) => counts(rule, cost))
      .map((named) => limitUse(named, cost, '', named.rule.limit));
    return of(replacesPublic ? uses : [...groupUses(context.endpoint.class, website), ...uses]);
  }

  function refusedCharge(context: RequestContext, group: PublicGroup): Charge {
    return { subject: addressSubject(context.address), uses: groupUses(group, null) };
  }

  function chargeOf(
    principal: Principal,
    context: RequestContext,
    limits: EndpointLimits,
    cost: RequestCost,
    website: WebsiteLimit | null,
  ): Charge {
    return principal.caller.organizationId === null
      ? nobodysCharge(context, limits, cost, website)
      : knownCharge(principal, context, limits, cost);
  }

  return function limitUses(context, limits, things, website, unreadBytes = 0) {
    const { principal } = context;
    if (principal === null) {
      const kind = context.refusal?.kind;
      const isWrong = kind === 'INVALID_API_KEY' || kind === 'INVALID_TOKEN';
      return refusedCharge(context, isWrong ? 'failed-credentials' : 'other');
    }
    if (things === 1 && !limits.countsBytes) return chargeOf(principal, context, limits, LEAST, website);
    const cost = { things, bytes: limits.countsBytes ? bytesOf(context, unreadBytes) : 1 };
    const charge = chargeOf(principal, context, limits, cost, website);
    const tooSmall = usesOf(charge).find((use) => use.cost > use.limit && !use.shadow);
    if (tooSmall === undefined) return charge;
    // Reported once the body is read: until then its own faults come first.
    if (unreadBytes === 0) context.refuse(aboveWholeLimit(tooSmall, limits));
    return chargeOf(principal, context, limits, LEAST, website);
  };
}

/** The counters of the parameter in the path. It may be a secret, and of any length: the store gets its hash. */
function parameterCharge(
  context: RequestContext,
  { perParameter }: EndpointLimits,
  cost: RequestCost,
): NonNullable<Charge['besides']> | null {
  const { countedSegment } = context.endpoint;
  if (perParameter.length === 0 || countedSegment === undefined || context.refusal !== null) return null;
  return {
    subject: `parameter:${hash('sha256', context.pathSegment(countedSegment), 'base64url')}`,
    uses: perParameter
      .filter(({ rule }) => counts(rule, cost))
      .map((named) => limitUse(named, cost, '', named.rule.limit)),
  };
}

/** A foreign origin, and a body that needs no preflight. */
function isOfForeignPages(refusal: ApiError | null): boolean {
  return refusal?.kind === 'ACCESS_DENIED' || refusal?.kind === 'UNSUPPORTED_MEDIA_TYPE';
}

/** A batch that no window could ever admit: waiting would not help, so this is not a 429. */
function aboveWholeLimit(use: LimitUse, limits: EndpointLimits) {
  const { cost, limit } = use;
  const counted = costOfUse(limits, use);
  const [came, advice] =
    counted === 'bytes'
      ? [`This request sends ${cost} bytes`, 'Send less at a time.']
      : [`This batch holds ${cost} ${counted}`, 'Send smaller batches.'];
  const message = `${came}; the whole limit is ${limit} per ${windowText(use)}. ${advice}`;
  return validationError([{ field: 'body', message }]);
}
