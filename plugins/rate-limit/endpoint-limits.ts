/** The limits that an endpoint names, resolved once, and each as the counter of one caller. */
import type { Caller } from '../../services/shared/access/caller.ts';
import type { OrganizationLimits } from '../../services/shared/model/organization.ts';
import type { Endpoint } from '../../services/shared/plugin/endpoint.ts';
import {
  type LimitRule,
  type LimitSubject,
  limitRule,
  type PlansFile,
} from '../../services/shared/plugin/plans.ts';
import type { LimitUse } from '../../services/shared/ports/counter-store.ts';
import { addressSubject } from '../../services/shared/rate-limit/public-limit.ts';
import type { BodyCost } from './body-cost.ts';

export interface NamedLimit {
  readonly name: string;
  readonly rule: LimitRule;
}

/** What an endpoint adds to the plan windows, or puts in place of the public limit. */
export interface EndpointLimits {
  /** Those that count for a known caller. */
  readonly known: readonly NamedLimit[];
  /** What the body is counted by; the configuration check lets no endpoint count two things. */
  readonly kind: BodyCost | null;
  /** Those that count where nobody is known. */
  readonly anonymous: readonly NamedLimit[];
  /** Whether one of these stands in place of the public limit: those of batches do not. */
  readonly replacesPublic: boolean;
  /** Whether a counter of a known caller depends on the address too. */
  readonly namesAddress: boolean;
}

/** The limits of each endpoint, worked out at its first request. */
export function createEndpointLimits(plans: PlansFile): (endpoint: Endpoint) => EndpointLimits {
  const known = new WeakMap<Endpoint, EndpointLimits>();
  return function endpointLimits(endpoint) {
    let found = known.get(endpoint);
    if (found === undefined) {
      found = resolve(endpoint, plans);
      known.set(endpoint, found);
    }
    return found;
  };
}

function resolve(endpoint: Endpoint, plans: PlansFile): EndpointLimits {
  const limits = endpoint.limits.map((name) => {
    const rule = limitRule(plans, name);
    if (!rule) throw new Error(`endpoint ${endpoint.name} names the unknown limit "${name}"`);
    return { name, rule };
  });
  const counted = limits.map(({ rule }) => rule.cost).find((cost) => cost !== 'request');
  const countsNobody = ({ rule }: NamedLimit): boolean =>
    rule.per === 'address' || (rule.per === 'session' && endpoint.access === 'public');
  const known = limits.filter(({ rule }) => rule.callers === 'all');
  const anonymous = limits.filter(countsNobody);
  return {
    known,
    kind: counted ?? null,
    anonymous,
    replacesPublic: anonymous.some(({ rule }) => rule.cost === 'request'),
    namesAddress: known.some(({ rule }) => rule.per === 'address'),
  };
}

/** Whether a request of this cost counts in the limit: a batch of one is none. */
export function counts(rule: LimitRule, cost: number): boolean {
  return rule.cost === 'request' || cost > 1;
}

/** The counter of a limit under the caller's own subject. `limits`: the numbers of its organization. */
export function limitUse(
  { name, rule }: NamedLimit,
  cost: number,
  counterName: string,
  limits: OrganizationLimits,
): LimitUse {
  return {
    name: counterName === '' ? name : `${name}@${counterName}`,
    limit: (rule.override === undefined ? undefined : limits[rule.override]) ?? rule.limit,
    windowMs: rule.windowSeconds * 1000,
    cost: rule.cost === 'request' ? 1 : cost,
    algorithm: rule.algorithm,
    onStoreFailure: rule.onStoreFailure,
  };
}

/** What tells the counters of one organization apart: nothing, the credential, or the address. */
export function ownerWithin(per: LimitSubject, caller: Caller, address: () => string): string {
  switch (per) {
    case 'organization':
      return '';
    case 'address':
      return addressSubject(address());
    default:
      return `${caller.kind}:${caller.id}`;
  }
}
