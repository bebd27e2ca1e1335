/** The limits that an endpoint names, resolved once, and each of them as the counter of one caller. */
import type { GatewayCaller } from '../../services/shared/access/caller.ts';
import type { Endpoint } from '../../services/shared/plans/endpoint.ts';
import { windowOf } from '../../services/shared/plans/limit-window.ts';
import {
  type LimitCost,
  type LimitRule,
  type LimitSubject,
  limitRule,
  type PlansFile,
} from '../../services/shared/plans/plans.ts';
import { addressSubject } from '../../services/shared/plans/public-limit.ts';
import type { LimitUse } from '../../services/shared/ports/counter-store.ts';
import type { RequestCost } from './body-cost.ts';

export interface NamedLimit {
  readonly name: string;
  readonly rule: LimitRule;
}

/** What an endpoint adds to the plan windows, or what replaces the public limit. */
export interface EndpointLimits {
  /** Those that count for a known caller. */
  readonly known: readonly NamedLimit[];
  /** Those that count for an anonymous caller. */
  readonly anonymous: readonly NamedLimit[];
  /** Those that count the parameter of the path, under a subject of its own, beside the public limit. */
  readonly perParameter: readonly NamedLimit[];
  /** Whether one of these replaces the public limit; those of batches and those in shadow do not. */
  readonly replacesPublic: boolean;
  /** Whether some of these are charged when the work is over. */
  readonly chargesAfterwards: boolean;
  /** Whether a known caller's charge differs between requests: by address, by header, or by bytes. */
  readonly varies: boolean;
  /** Whether some limit counts bytes. */
  readonly countsBytes: boolean;
  /** Whether some limit is in shadow. */
  readonly hasShadow: boolean;
}

export type LimitsOf = (endpoint: Endpoint) => EndpointLimits;

/** The limits of each endpoint, computed at its first request. */
export function createEndpointLimits(plans: PlansFile): LimitsOf {
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
  const named = endpoint.limits.map((name) => {
    const rule = limitRule(plans, name);
    if (!rule) throw new Error(`endpoint ${endpoint.name} names the unknown limit "${name}"`);
    return { name, rule };
  });
  // The account is named in the body: the login itself asks for that budget.
  const limits = named.filter(({ rule }) => rule.per !== 'account' && rule.per !== 'parameter');
  const countsNobody = ({ rule }: NamedLimit): boolean =>
    rule.per === 'address' || (rule.per === 'session' && endpoint.access === 'public');
  const known = limits.filter(({ rule }) => rule.callers === 'all');
  const anonymous = limits.filter(countsNobody);
  return {
    known,
    anonymous,
    perParameter: named.filter(({ rule }) => rule.per === 'parameter'),
    replacesPublic: anonymous.some(({ rule }) => rule.cost === 'request' && rule.enforce),
    chargesAfterwards: limits.some(({ rule }) => rule.cost === 'seconds'),
    varies: known.some(
      ({ rule: { per, cost } }) => per === 'address' || per === 'header' || cost === 'bytes',
    ),
    countsBytes: limits.some(({ rule }) => rule.cost === 'bytes'),
    hasShadow: named.some(({ rule }) => !rule.enforce),
  };
}

/** Whether it counts the elements of a list in the body. */
function countsThings(cost: LimitCost): boolean {
  return cost !== 'request' && cost !== 'bytes' && cost !== 'seconds';
}

/** Whether a request of this cost counts in the limit: a batch of one is not a batch. */
export function counts(rule: LimitRule, { things }: RequestCost): boolean {
  return !countsThings(rule.cost) || things > 1;
}

/** What the limit of this use counts, whatever else its name says; `request` for limits that no endpoint names. */
export function costOfUse({ known, anonymous, perParameter }: EndpointLimits, { name }: LimitUse): LimitCost {
  const own = name.split('@')[0];
  return (
    [...known, ...anonymous, ...perParameter].find((limit) => limit.name === own)?.rule.cost ?? 'request'
  );
}

/** The counter of a limit under the caller's own subject, with this number. */
export function limitUse(
  { name, rule }: NamedLimit,
  cost: RequestCost,
  counterName: string,
  limit: number,
): LimitUse {
  return {
    name: counterName === '' ? name : `${name}@${counterName}`,
    limit,
    ...windowOf(rule),
    cost: takenOf(rule.cost, cost),
    algorithm: rule.algorithm,
    onStoreFailure: rule.onStoreFailure,
    // Something must be left in advance; how much it takes is known afterwards.
    ...(rule.cost === 'seconds' ? { cost: 0, needs: 1 } : {}),
    ...(rule.enforce ? {} : { shadow: true }),
  };
}

function takenOf(of: LimitCost, { things, bytes }: RequestCost): number {
  if (of === 'bytes') return bytes;
  return countsThings(of) ? things : 1;
}

/** What separates the counters within one organization: nothing, the credential, or the address. */
export function ownerWithin(per: LimitSubject, caller: GatewayCaller, address: () => string): string {
  switch (per) {
    case 'organization':
      return '';
    case 'address':
      return addressSubject(address());
    default:
      return `${caller.kind}:${caller.id}`;
  }
}
