/** Checks system.config.yml, plans.yml and the models: what express-gateway needs to start, and to open no store of its own. */
import {
  COSTS,
  OVERRIDE_COSTS,
  type PlansFile,
  PUBLIC_LIMIT,
  plansFileSchema,
} from '../../services/shared/plugin/plans.ts';
import { type Cursor, isMap } from './cursor.ts';
import { shown } from './faults.ts';
import { parseAt } from './schema-faults.ts';

const OWN_CREDENTIALS = 'express-gateway issues no credentials here';
const REFUSED = {
  crypto: OWN_CREDENTIALS,
  session: OWN_CREDENTIALS,
  accessTokens: OWN_CREDENTIALS,
  refreshTokens: OWN_CREDENTIALS,
  authorizationCodes: OWN_CREDENTIALS,
};

/** Settings of `db.redis` that keep express-gateway off Redis, with what another value would do. */
const REDIS = [
  {
    key: 'emulate',
    needed: false,
    otherwise: 'express-gateway would load an emulation that is not installed',
  },
  { key: 'lazyConnect', needed: true, otherwise: 'express-gateway would open a connection' },
] as const;

/** Keys and `db`; the plugins were checked as they were loaded. */
export function checkSystem(cursor: Cursor): void {
  if (!cursor.map('map with plugins and db', ['plugins', 'db'], REFUSED)) return;
  const db = cursor.at('db');
  if (!db.map('map with redis', ['redis'])) return;
  const redis = db.at('redis');
  if (!redis.map('map with emulate, lazyConnect and namespace', ['emulate', 'lazyConnect', 'namespace']))
    return;
  for (const { key, needed, otherwise } of REDIS) {
    const place = redis.at(key);
    if (place.value === needed) continue;
    const came = place.value === undefined ? 'is missing' : `${shown(place.value)} is not allowed`;
    place.report(`${came}: ${otherwise}`, { allowed: [String(needed)], candidates: [] });
  }
  const namespace = redis.at('namespace');
  if (typeof namespace.value !== 'string' || namespace.value === '') {
    namespace.report(
      namespace.value === undefined ? 'is missing' : `${shown(namespace.value)} is no namespace`,
      {
        allowed: ['text, such as EG'],
        candidates: [],
      },
    );
  }
}

/** The plan of organizations that name none (contract.md section 8). */
const DEFAULT_PLAN = 'free';
/** What the counters of the plan windows are called. */
const PLAN_LIMIT = 'plan';

export function checkPlans(cursor: Cursor): PlansFile | undefined {
  const plans = parseAt(cursor, plansFileSchema);
  const names = cursor.at('plans');
  if (isMap(names.value) && !Object.hasOwn(names.value, DEFAULT_PLAN)) {
    names.report(`the plan "${DEFAULT_PLAN}" is missing; new organizations have it`, { candidates: [] });
  }
  checkLimitRules(cursor.at('limits'));
  return plans;
}

const LIMIT_NAME = /^[a-z][a-z0-9-]{0,31}$/;

/** What the schema of a limit cannot say: its name, and the organization's number in its place, which is per minute. */
function checkLimitRules(limits: Cursor): void {
  if (!isMap(limits.value)) return;
  for (const [name, rule] of Object.entries(limits.value)) {
    const place = limits.at(name);
    if (name === PLAN_LIMIT) {
      place.report(`"${name}" is the name of the windows of the plans`, { came: name, candidates: [] });
    } else if (!LIMIT_NAME.test(name)) {
      const allowed = [`text matching ${LIMIT_NAME.source}`];
      place.report(`${shown(name)} is no name for this`, { came: name, allowed, candidates: [] });
    }
    if (!isMap(rule)) continue;
    if (rule.callers === 'anonymous' && rule.per !== 'address') {
      const text = `"anonymous" stands beside per: ${rule.per ?? 'organization'}, which only a credential has`;
      place.at('callers').report(text, { allowed: ['per: address'], candidates: [] });
    }
    if (rule.override !== undefined) checkOverride(place.at('override'), rule, name === PUBLIC_LIMIT);
  }
}

/** Whether the number of an organization can stand in place of this limit. */
function checkOverride(place: Cursor, rule: Readonly<Record<string, unknown>>, isPublic: boolean): void {
  const { windowSeconds, cost = 'request', callers } = rule;
  if (windowSeconds !== 60) {
    place.report(`stands beside windowSeconds: ${shown(windowSeconds)}; it counts per minute`, {
      allowed: ['windowSeconds: 60'],
      candidates: [],
    });
  }
  if (isPublic) return;
  if (callers === 'anonymous') {
    place.report('stands beside callers: anonymous, whose organization nobody knows', { candidates: [] });
  }
  const counted = Object.entries(OVERRIDE_COSTS).find(([name]) => name === place.value)?.[1];
  if (counted === undefined || counted === cost || !COSTS.some((known) => known === cost)) return;
  place.report(`${shown(place.value)} counts ${nounOf(counted)}, and this limit ${nounOf(`${cost}`)}`, {
    allowed: Object.keys(OVERRIDE_COSTS).filter((name) => OVERRIDE_COSTS[name as OverrideName] === cost),
    candidates: [],
  });
}

type OverrideName = keyof typeof OVERRIDE_COSTS;

function nounOf(cost: string): string {
  return cost === 'request' ? 'requests' : cost;
}

/** A model is a JSON schema; Tidegate keeps no users in express-gateway, but it does not start without. */
export function checkModel(cursor: Cursor): Readonly<Record<string, unknown>> {
  if (!isMap(cursor.value)) {
    cursor.report(`${shown(cursor.value)} is no map`, {
      allowed: ['a JSON schema with $id'],
      candidates: [],
    });
    return {};
  }
  const id = cursor.at('$id');
  if (typeof id.value !== 'string' || id.value === '') {
    id.report(id.value === undefined ? 'is missing' : `${shown(id.value)} is no $id`, {
      allowed: ['a URI'],
      candidates: [],
    });
  }
  return cursor.value;
}
