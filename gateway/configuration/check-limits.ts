/** Checks which limits the endpoints name and what their requests cost: a limit that cannot count here is a fault. */
import {
  type LimitRule,
  type LimitSubject,
  limitRule,
  type PlansFile,
  PUBLIC_LIMIT,
} from '../../services/shared/plans/plans.ts';
import { checkCost, countedList, countsList } from './check-cost.ts';
import { type DeclaredEndpoint, type EndpointCounting, reportTwice } from './check-endpoints.ts';
import type { ApiEndpoint } from './configuration.ts';
import { countedSegment } from './counted-segment.ts';
import type { Cursor } from './cursor.ts';
import { shown } from './faults.ts';

/** The path where a request names an email before its caller is authenticated. */
const LOGIN_PATH = '/v1/auth/login';

/** Budgets that only a caller with a credential has. */
const NEED_CALLER: readonly LimitSubject[] = ['organization', 'key', 'header', 'claim'];

/** A limit that an endpoint names, and its place in the file. */
interface PlacedLimit {
  readonly name: string;
  readonly rule: LimitRule;
  readonly cursor: Cursor;
}

/**
 * The counting of each endpoint, by name. `plans` is undefined when plans.yml has faults: limit names are not
 * checked then. `timed`: endpoints that one of our own services answers, which reports how long its work ran.
 */
export function checkLimits(
  endpoints: readonly DeclaredEndpoint[],
  plans: PlansFile | undefined,
  timed: ReadonlySet<string>,
): ReadonlyMap<string, EndpointCounting> {
  return new Map(endpoints.map((endpoint) => [endpoint.name, checkCounting(endpoint, plans, timed)]));
}

function checkCounting(
  endpoint: DeclaredEndpoint,
  plans: PlansFile | undefined,
  timed: ReadonlySet<string>,
): EndpointCounting {
  const { cursor } = endpoint;
  const declared = checkCost(cursor.at('cost'));
  const { cost } = declared;
  const limits = cursor.at('limits');
  if (limits.value === undefined) {
    if (endpoint.plan === 'none') reportUncounted(cursor);
    return { cost, countedList: countedList(declared, [], cursor.at('cost')), limits: [] };
  }
  const items = limits.list('a list of limits');
  if (items?.length === 0)
    limits.report('is an empty list; leave it out', { allowed: ['at least one limit'], candidates: [] });
  if (!items || !plans) return { cost, countedList: null, limits: [] };
  if (endpoint.paths.includes('/*') && endpoint.access === 'optional') {
    limits.report(
      'is not allowed at the endpoint of /*, whose requests count in the plan and public limits alone',
      {
        candidates: [],
      },
    );
  }
  const names = items.map((item) => checkLimitName(item, plans));
  reportTwice(items, names);
  const placed = items.flatMap((item, index) => {
    const name = names[index];
    const rule = name == null ? undefined : limitRule(plans, name);
    return name != null && rule ? [{ name, rule, cursor: item }] : [];
  });
  if (endpoint.plan === 'none' && names.length === placed.length && !placed.some(boundsCallers))
    reportUncounted(cursor);
  for (const limit of placed) checkUse(limit, endpoint, cost, timed);
  checkTogether(placed, endpoint);
  // An unknown limit is reported itself; faults derived from it are not.
  const rules = placed.map(({ rule }) => rule);
  const list = placed.length === items.length ? countedList(declared, rules, cursor.at('cost')) : null;
  return { cost, countedList: list, limits: placed.map(({ name }) => name) };
}

/** Whether it holds back whoever calls, whatever a request holds. */
function boundsCallers({ rule }: PlacedLimit): boolean {
  return rule.cost === 'request' && rule.enforce && ['organization', 'session'].includes(rule.per);
}

function reportUncounted(cursor: Cursor): void {
  cursor.at('plan').report('leaves the requests of this endpoint without a limit', {
    allowed: ['"limits" with one that counts requests per session or organization'],
    candidates: [],
  });
}

function checkLimitName(item: Cursor, plans: PlansFile): string | null {
  const allowed = Object.keys(plans.limits).filter((name) => name !== PUBLIC_LIMIT);
  const name = item.value;
  if (name === PUBLIC_LIMIT) {
    item.report('"public" applies to every anonymous request; endpoints do not name it', {
      allowed,
      candidates: [],
    });
    return null;
  }
  if (typeof name === 'string' && allowed.includes(name)) return name;
  item.report(`${shown(name)} is not a limit in plans.yml`, { allowed });
  return null;
}

/** Whether a limit can count at this endpoint. */
function checkUse(
  { name, rule, cursor }: PlacedLimit,
  endpoint: DeclaredEndpoint,
  cost: ApiEndpoint['cost'],
  timed: ReadonlySet<string>,
): void {
  const { access, hasRule } = endpoint;
  if (rule.cost === 'seconds' && !timed.has(endpoint.name)) {
    cursor.report(
      `"${name}" counts how long the work of a request ran, which only Tidegate's own services report`,
      {
        allowed: ['endpoints whose pipeline ends in a proxy to a serviceEndpoint with an audience'],
        candidates: [],
      },
    );
  }
  if (rule.cost !== 'request' && rule.cost !== 'seconds' && cost !== 'body') {
    cursor.report(`"${name}" counts the ${rule.cost} of a body, which is not read here; add cost: body`, {
      candidates: [],
    });
  }
  // An invalid access rule is reported itself; faults derived from it are not.
  if (!hasRule) return;
  if (rule.callers === 'anonymous' && (access === 'scoped' || access === 'session')) {
    cursor.report(`"${name}" counts callers without a credential, and this endpoint admits none`, {
      allowed: ['limits with callers: all'],
      candidates: [],
    });
  }
  if (rule.per === 'account' && endpoint.paths.join() !== LOGIN_PATH) {
    cursor.report(`"${name}" counts per account, and only a login names one`, {
      allowed: [`the endpoint of ${LOGIN_PATH} alone`],
      candidates: [],
    });
  }
  if (rule.per === 'parameter' && (access !== 'public' || countedSegment(endpoint.paths) === undefined)) {
    cursor.report(
      `"${name}" counts per parameter, which takes public access and one parameter in every path`,
      {
        allowed: ['endpoints with access: public whose paths have one parameter, at the same place'],
        candidates: [],
      },
    );
  }
  if (access === 'public' && NEED_CALLER.includes(rule.per)) {
    cursor.report(`"${name}" counts per ${rule.per}, and no caller is identified where access is public`, {
      allowed: ['limits per address', 'limits per session (of the refresh token)'],
      candidates: [],
    });
  }
}

/** Whether the limits of an endpoint can count one request. */
function checkTogether(placed: readonly PlacedLimit[], { access, hasRule }: DeclaredEndpoint): void {
  // Bytes may be counted along with what the body holds.
  const ofBody = placed.filter(({ rule }) => countsList(rule));
  const [body] = ofBody;
  const [bySession] = placed.filter(({ rule }) => rule.per === 'session');
  for (const { name, rule, cursor } of placed) {
    if (body && ofBody.some((limit) => limit.cursor === cursor) && rule.cost !== body.rule.cost) {
      const text = `"${name}" counts ${rule.cost} and "${body.name}" ${body.rule.cost}; a body is counted by one of them`;
      cursor.report(text, { candidates: [] });
    }
    if (hasRule && access === 'public' && bySession && rule.per === 'address') {
      const text = `"${name}" counts per address and "${bySession.name}" per session; a request counts under one of them`;
      cursor.report(text, { candidates: [] });
    }
  }
}
