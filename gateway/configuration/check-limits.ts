/** Checks which limits the endpoints name and what their requests cost: a limit that could not count is a fault, not a surprise. */
import {
  type LimitRule,
  limitRule,
  type PlansFile,
  PUBLIC_LIMIT,
} from '../../services/shared/plugin/plans.ts';
import { type DeclaredEndpoint, memberAt, reportTwice } from './check-endpoints.ts';
import type { ApiEndpoint } from './configuration.ts';
import type { Cursor } from './cursor.ts';
import { shown } from './faults.ts';

/** What an endpoint says about counting. */
export type EndpointCounting = Pick<ApiEndpoint, 'limits' | 'cost'>;

/** A limit that an endpoint names, and where. */
interface PlacedLimit {
  readonly name: string;
  readonly rule: LimitRule;
  readonly cursor: Cursor;
}

/** What each endpoint says, by its name. `plans` is undefined when plans.yml has faults: names are not judged then. */
export function checkLimits(
  endpoints: readonly DeclaredEndpoint[],
  plans: PlansFile | undefined,
): ReadonlyMap<string, EndpointCounting> {
  return new Map(endpoints.map((endpoint) => [endpoint.name, checkCounting(endpoint, plans)]));
}

function checkCounting(endpoint: DeclaredEndpoint, plans: PlansFile | undefined): EndpointCounting {
  const { cursor } = endpoint;
  const cost = cursor.at('cost');
  if (cost.value !== undefined) memberAt(cost, ['body'], 'cost');
  const counting = { cost: cost.value === 'body' ? 'body' : 'request' } as const;
  const limits = cursor.at('limits');
  if (limits.value === undefined) return { ...counting, limits: [] };
  const items = limits.list('a list of limits');
  if (items?.length === 0)
    limits.report('is an empty list; leave it out', { allowed: ['at least one limit'], candidates: [] });
  if (!items || !plans) return { ...counting, limits: [] };
  if (endpoint.paths.includes('/*') && endpoint.access === 'optional') {
    limits.report('stands at the endpoint of /*, whose requests count in the plan and public limits alone', {
      candidates: [],
    });
  }
  const names = items.map((item) => checkLimitName(item, plans));
  reportTwice(items, names);
  const placed = items.flatMap((item, index) => {
    const name = names[index];
    const rule = name == null ? undefined : limitRule(plans, name);
    return name != null && rule ? [{ name, rule, cursor: item }] : [];
  });
  for (const limit of placed) checkUse(limit, endpoint, counting.cost);
  checkTogether(placed, endpoint);
  return { ...counting, limits: placed.map(({ name }) => name) };
}

function checkLimitName(item: Cursor, plans: PlansFile): string | null {
  const allowed = Object.keys(plans.limits).filter((name) => name !== PUBLIC_LIMIT);
  const name = item.value;
  if (name === PUBLIC_LIMIT) {
    item.report('"public" holds wherever nobody is known; it is not named', { allowed, candidates: [] });
    return null;
  }
  if (typeof name === 'string' && allowed.includes(name)) return name;
  item.report(`${shown(name)} is no limit of plans.yml`, { allowed });
  return null;
}

/** Whether a limit can count at this endpoint. */
function checkUse(
  { name, rule, cursor }: PlacedLimit,
  { access }: DeclaredEndpoint,
  cost: ApiEndpoint['cost'],
): void {
  if (rule.cost !== 'request' && cost !== 'body') {
    cursor.report(`"${name}" counts the ${rule.cost} of a body, which nobody reads here; add cost: body`, {
      candidates: [],
    });
  }
  if (rule.callers === 'anonymous' && (access === 'scoped' || access === 'session')) {
    cursor.report(`"${name}" counts callers without a credential, and none is let in here`, {
      allowed: ['limits with callers: all'],
      candidates: [],
    });
  }
  if (access === 'public' && (rule.per === 'organization' || rule.per === 'key')) {
    cursor.report(`"${name}" counts per ${rule.per}, and nobody is known where access is public`, {
      allowed: ['limits per address', 'limits per session (of the refresh token)'],
      candidates: [],
    });
  }
}

/** Whether the limits of an endpoint can count one request. */
function checkTogether(placed: readonly PlacedLimit[], { access }: DeclaredEndpoint): void {
  const [body] = placed.filter(({ rule }) => rule.cost !== 'request');
  const [bySession] = placed.filter(({ rule }) => rule.per === 'session');
  for (const { name, rule, cursor } of placed) {
    if (body && rule.cost !== 'request' && rule.cost !== body.rule.cost) {
      const text = `"${name}" counts ${rule.cost} and "${body.name}" ${body.rule.cost}; a body is counted by one of them`;
      cursor.report(text, { candidates: [] });
    }
    if (access === 'public' && bySession && rule.per === 'address') {
      const text = `"${name}" counts per address and "${bySession.name}" per session; a request counts under one of them`;
      cursor.report(text, { candidates: [] });
    }
  }
}
