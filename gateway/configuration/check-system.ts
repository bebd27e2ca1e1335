/** Checks system.config.yml, plans.yml and the models: what express-gateway needs to start without opening a store of its own. */
import { type PlansFile, plansFileSchema } from '../../services/shared/plans/plans.ts';
import { checkLimitRules } from './check-limit-rules.ts';
import { checkOverrides } from './check-overrides.ts';
import { type Cursor, isMap } from './cursor.ts';
import { shown } from './faults.ts';
import { SYSTEM_SECTIONS } from './file-shapes.ts';
import { parseAt } from './schema-faults.ts';

const OWN_CREDENTIALS = 'express-gateway issues no credentials here';
const REFUSED = {
  crypto: OWN_CREDENTIALS,
  session: OWN_CREDENTIALS,
  accessTokens: OWN_CREDENTIALS,
  refreshTokens: OWN_CREDENTIALS,
  authorizationCodes: OWN_CREDENTIALS,
};

/** Settings of `db.redis` that keep express-gateway from using Redis, with the effect of any other value. */
const REDIS = [
  {
    key: 'emulate',
    needed: false,
    otherwise: 'express-gateway would load an emulation that is not installed',
  },
  { key: 'lazyConnect', needed: true, otherwise: 'express-gateway would open a connection' },
] as const;

/** Checks the keys and `db`; the plugins were checked when they were loaded. */
export function checkSystem(cursor: Cursor): void {
  if (!cursor.map('map with plugins and db', SYSTEM_SECTIONS, REFUSED)) return;
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
      namespace.value === undefined ? 'is missing' : `${shown(namespace.value)} is not a valid namespace`,
      {
        allowed: ['text, such as EG'],
        candidates: [],
      },
    );
  }
}

/** The plan of organizations that name none (contract.md section 8). */
const DEFAULT_PLAN = 'free';

export function checkPlans(cursor: Cursor): PlansFile | undefined {
  const plans = parseAt(cursor, plansFileSchema);
  const names = cursor.at('plans');
  if (isMap(names.value) && !Object.hasOwn(names.value, DEFAULT_PLAN)) {
    names.report(`the plan "${DEFAULT_PLAN}" is missing; new organizations get it`, { candidates: [] });
  }
  checkLimitRules(cursor.at('limits'));
  checkOverrides(cursor.at('overrides'), cursor.at('limits'));
  return plans;
}

/** A model is a JSON schema; Tidegate keeps no users in express-gateway, which still does not start without the models. */
export function checkModel(cursor: Cursor): Readonly<Record<string, unknown>> {
  if (!isMap(cursor.value)) {
    cursor.report(`${shown(cursor.value)} is not a map`, {
      allowed: ['a JSON schema with $id'],
      candidates: [],
    });
    return {};
  }
  const id = cursor.at('$id');
  if (typeof id.value !== 'string' || id.value === '') {
    id.report(id.value === undefined ? 'is missing' : `${shown(id.value)} is not a valid $id`, {
      allowed: ['a URI'],
      candidates: [],
    });
  }
  return cursor.value;
}
