/** Checks the limits of plans.yml for what their schema cannot say. */
import { CREDENTIALS, plainName } from '../../plugins/kit/header-names.ts';
import { COSTS, LIMIT_CLAIMS, OVERRIDE_COSTS, PUBLIC_LIMIT } from '../../services/shared/plans/plans.ts';
import { type Cursor, isMap } from './cursor.ts';
import { shown } from './faults.ts';

/** Names of the counters of the plan windows. */
const PLAN_LIMIT = 'plan';
const LIMIT_NAME = /^[a-z][a-z0-9-]{0,31}$/;

/** Checks names, windows, callers and the organization's override, which is per minute. */
export function checkLimitRules(limits: Cursor): void {
  if (!isMap(limits.value)) return;
  for (const [name, rule] of Object.entries(limits.value)) {
    const place = limits.at(name);
    if (name === PLAN_LIMIT) {
      place.report(`"${name}" is reserved for the windows of the plans`, { came: name, candidates: [] });
    } else if (!LIMIT_NAME.test(name)) {
      const allowed = [`text matching ${LIMIT_NAME.source}`];
      place.report(`${shown(name)} is not a valid name here`, { came: name, allowed, candidates: [] });
    }
    if (!isMap(rule)) continue;
    if (name !== PUBLIC_LIMIT) {
      checkWindow(place, rule);
      checkSubject(place, rule);
    }
    if (rule.callers === 'anonymous' && rule.per !== 'address') {
      const text = `"anonymous" cannot be combined with per: ${rule.per ?? 'organization'}, which needs a credential`;
      place.at('callers').report(text, { allowed: ['per: address'], candidates: [] });
    }
    if (rule.override !== undefined) checkOverride(place.at('override'), rule, name === PUBLIC_LIMIT);
  }
}

/** Checks that a limit has one window, by the clock or by the calendar, and counts in a way that fits it. */
function checkWindow(
  place: Cursor,
  { window, windowSeconds, algorithm }: Readonly<Record<string, unknown>>,
): void {
  if (window === undefined) {
    if (windowSeconds !== undefined) return;
    const allowed = ['an integer from 1 to 86400', 'window: day or month in its place'];
    place.at('windowSeconds').report('is missing', { allowed, candidates: [] });
    return;
  }
  if (windowSeconds !== undefined) {
    place
      .at('window')
      .report('cannot be combined with windowSeconds; a limit has one window', { candidates: [] });
  }
  if (algorithm === 'sliding') {
    place
      .at('algorithm')
      .report(`"sliding" cannot be combined with window: ${shown(window)}, which is of the calendar`, {
        allowed: ['fixed'],
        candidates: [],
      });
  }
}

/** What stands beside `per`, and for which subject alone. */
const BESIDE_PER = [
  { key: 'header', per: 'header', example: 'the name of a request header, such as x-customer' },
  { key: 'claim', per: 'claim', example: LIMIT_CLAIMS.join(', ') },
  { key: 'total', per: 'header', example: 'an integer, at least the limit' },
] as const;

/** Checks that a budget per header or claim says which, and that values of a header share a total. */
function checkSubject(place: Cursor, rule: Readonly<Record<string, unknown>>): void {
  for (const { key, per, example } of BESIDE_PER) {
    const isNeeded = rule.per === per;
    if (isNeeded === (rule[key] !== undefined)) continue;
    if (isNeeded)
      place.at(key).report(`is missing; per: ${per} needs it`, { allowed: [example], candidates: [] });
    else place.at(key).report(`is for per: ${per} alone`, { candidates: [] });
  }
  const { total, limit, header } = rule;
  if (typeof total === 'number' && typeof limit === 'number' && total < limit) {
    place.at('total').report(`${total} is less than the limit ${limit}, which nobody could reach`, {
      candidates: [],
    });
  }
  if (typeof header === 'string' && NOT_COUNTED.test(plainName(header))) {
    place.at('header').report(`${shown(header)} is a credential, or a header that the gateway sets itself`, {
      allowed: ['another request header'],
      candidates: [],
    });
  }
}

/** Headers that prove who calls, and those that no client may send. */
const NOT_COUNTED = new RegExp(`^(?:${CREDENTIALS.join('|')}|x-gateway-.*|x-consumer-.*)$`);

/** Checks whether an organization's own number can replace this limit. */
function checkOverride(place: Cursor, rule: Readonly<Record<string, unknown>>, isPublic: boolean): void {
  const { windowSeconds, window, cost = 'request', callers } = rule;
  if (window !== undefined) {
    place.report(`cannot be combined with window: ${shown(window)}; it counts per minute`, {
      allowed: ['windowSeconds: 60'],
      candidates: [],
    });
  } else if (windowSeconds !== undefined && windowSeconds !== 60) {
    place.report(`cannot be combined with windowSeconds: ${shown(windowSeconds)}; it counts per minute`, {
      allowed: ['windowSeconds: 60'],
      candidates: [],
    });
  }
  if (isPublic) return;
  if (callers === 'anonymous') {
    place.report('cannot be combined with callers: anonymous, whose organization is unknown', {
      candidates: [],
    });
  }
  const counted = Object.entries(OVERRIDE_COSTS).find(([name]) => name === place.value)?.[1];
  if (counted === undefined || counted === cost || !COSTS.some((known) => known === cost)) return;
  place.report(
    `${shown(place.value)} counts ${nounOf(counted)}, but this limit counts ${nounOf(`${cost}`)}`,
    {
      allowed: Object.keys(OVERRIDE_COSTS).filter((name) => OVERRIDE_COSTS[name as OverrideName] === cost),
      candidates: [],
    },
  );
}

type OverrideName = keyof typeof OVERRIDE_COSTS;

function nounOf(cost: string): string {
  return cost === 'request' ? 'requests' : cost;
}
