/** Lists the limits of an endpoint for each kind of caller, for `explain` and the API description. */
import {
  type LimitRule,
  type LimitSubject,
  limitRule,
  type PlansFile,
  PUBLIC_LIMIT,
  type PublicLimitRule,
} from '../../services/shared/plans/plans.ts';
import type { ApiEndpoint } from './configuration.ts';

/** A limit that applies, with its rule. */
export interface NamedLimit {
  readonly name: string;
  readonly rule: LimitRule | PublicLimitRule;
  /** The group of the public limit; null for another limit. */
  readonly group: string | null;
}

/** Limits of an endpoint by caller. */
export interface EndpointLimits {
  /** Whether requests with a valid credential count in the windows of the plan too. */
  readonly countsInPlan: boolean;
  /** Limits of callers with a valid credential, besides the windows of the plan; null where no credential is read. */
  readonly known: readonly NamedLimit[] | null;
  /** Limits of anonymous callers; where a credential is required, of requests refused for lack of one. */
  readonly nobody: readonly NamedLimit[];
  /** Limits of requests with a refused credential; null where no credential is read. */
  readonly refused: NamedLimit | null;
}

/** Who has a budget where no caller is identified, besides an address. */
const OF_PUBLIC: readonly LimitSubject[] = ['session', 'account', 'parameter'];
/** Of those, whose budget replaces none of the address. */
const BESIDES_PUBLIC: readonly LimitSubject[] = ['account', 'parameter'];

/** The limits of `endpoint` (contract.md section 4). */
export function endpointLimits(plans: PlansFile, endpoint: ApiEndpoint): EndpointLimits {
  const own = endpoint.limits.flatMap((name) => {
    const rule = limitRule(plans, name);
    return rule ? [{ name, rule, group: null }] : [];
  });
  const { access } = endpoint;
  const countsNobody = ({ rule }: { rule: LimitRule }): boolean =>
    rule.per === 'address' || (OF_PUBLIC.includes(rule.per) && access === 'public');
  const letsNobodyIn = access === 'public' || access === 'keyless' || access === 'optional';
  const anonymous = letsNobodyIn ? own.filter(countsNobody) : [];
  const isReplaced = anonymous.some(
    ({ rule }) => rule.cost === 'request' && !BESIDES_PUBLIC.includes(rule.per) && rule.enforce,
  );
  const group = letsNobodyIn ? endpoint.class : 'other';
  const nobody = [...(isReplaced ? [] : [publicLimit(plans, group)]), ...anonymous];
  if (access === 'public') return { countsInPlan: false, known: null, nobody, refused: null };
  return {
    countsInPlan: endpoint.plan !== 'none',
    known: own.filter(({ rule }) => rule.callers === 'all'),
    nobody,
    refused: publicLimit(plans, 'failed-credentials'),
  };
}

function publicLimit({ limits }: PlansFile, group: string): NamedLimit {
  return { name: PUBLIC_LIMIT, rule: limits.public, group };
}

/** The organization's setting that may replace this limit; null if none may. */
export function overrideOf({ rule, group }: NamedLimit): string | null {
  // The organization is unknown unless the request names one of its websites.
  if (group === 'other' || group === 'failed-credentials') return null;
  return rule.override ?? null;
}

/** The unit that a limit counts. */
export function costOf({ rule }: NamedLimit): LimitRule['cost'] {
  return 'cost' in rule ? rule.cost : 'request';
}

/** Whether the limit refuses anybody; one in shadow only says that it would. */
export function isEnforced({ rule }: NamedLimit): boolean {
  return !('enforce' in rule) || rule.enforce;
}

/** Who has a budget of their own, in words: of a header and a claim also which. */
export function subjectOf({ rule }: NamedLimit): string {
  if (rule.per === 'header') return `header ${rule.header} (${rule.total} for all values of an organization)`;
  return rule.per === 'claim' ? `claim ${rule.claim}` : rule.per;
}
