/** Says which limits an endpoint has, and for whom: what `explain` prints and the API description tells. */
import {
  type LimitRule,
  limitRule,
  type PlansFile,
  PUBLIC_LIMIT,
  type PublicLimitRule,
} from '../../services/shared/plugin/plans.ts';
import type { ApiEndpoint } from './configuration.ts';

/** A limit that applies, with what it admits. */
export interface NamedLimit {
  readonly name: string;
  readonly rule: LimitRule | PublicLimitRule;
  /** The group of the public limit; null for another limit. */
  readonly group: string | null;
}

/** Limits of an endpoint by caller. */
export interface EndpointLimits {
  /** Of a valid credential, besides the windows of the plan; null where no credential is read. */
  readonly known: readonly NamedLimit[] | null;
  /** Of nobody in particular; where a credential is needed, of those who are refused for want of one. */
  readonly nobody: readonly NamedLimit[];
  /** Of a credential that is refused; null where none is read. */
  readonly refused: NamedLimit | null;
}

/** The limits of `endpoint` (contract.md section 4). */
export function endpointLimits(plans: PlansFile, endpoint: ApiEndpoint): EndpointLimits {
  const own = endpoint.limits.flatMap((name) => {
    const rule = limitRule(plans, name);
    return rule ? [{ name, rule, group: null }] : [];
  });
  const { access } = endpoint;
  const countsNobody = ({ rule }: { rule: LimitRule }): boolean =>
    rule.per === 'address' || (rule.per === 'session' && access === 'public');
  const letsNobodyIn = access === 'public' || access === 'keyless' || access === 'optional';
  const anonymous = letsNobodyIn ? own.filter(countsNobody) : [];
  const isReplaced = anonymous.some(({ rule }) => rule.cost === 'request');
  const group = letsNobodyIn ? endpoint.class : 'other';
  const nobody = [...(isReplaced ? [] : [publicLimit(plans, group)]), ...anonymous];
  if (access === 'public') return { known: null, nobody, refused: null };
  return {
    known: own.filter(({ rule }) => rule.callers === 'all'),
    nobody,
    refused: publicLimit(plans, 'failed-credentials'),
  };
}

function publicLimit({ limits }: PlansFile, group: string): NamedLimit {
  return { name: PUBLIC_LIMIT, rule: limits.public, group };
}

/** The number of an organization that may stand in place of a limit here; null when none may. */
export function overrideOf({ rule, group }: NamedLimit): string | null {
  // Nobody's organization is known, unless the request names one of its websites.
  if (group === 'other' || group === 'failed-credentials') return null;
  return rule.override ?? null;
}

/** What a limit counts. */
export function costOf({ rule }: NamedLimit): LimitRule['cost'] {
  return 'cost' in rule ? rule.cost : 'request';
}
