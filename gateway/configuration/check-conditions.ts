/** The conditions a step may have: express-gateway's synchronous ones, since it mounts a policy late when its condition is a promise. */
import { memberAt } from './check-endpoints.ts';
import { checkRegex } from './check-paths.ts';
import { type Condition, METHODS } from './configuration.ts';
import { type Cursor, isMap } from './cursor.ts';
import { shown } from './faults.ts';
import type { OfferedCondition } from './loaded-plugins.ts';

/** Conditions of plugins, by name. */
type Offered = ReadonlyMap<string, OfferedCondition>;

type ParameterCheck = (cursor: Cursor, offered: Offered) => void;

/** Parameters of each condition, by key; all are required. */
const CONDITIONS: Readonly<Record<string, Readonly<Record<string, ParameterCheck>>>> = {
  always: {},
  never: {},
  allOf: { conditions: checkList },
  oneOf: { conditions: checkList },
  not: { condition: (cursor, offered) => void checkCondition(cursor, offered) },
  pathExact: { path: checkUrl },
  pathMatch: { pattern: (cursor) => void checkRegex(cursor) },
  method: { methods: checkMethodList },
};
export const CONDITION_NAMES = Object.keys(CONDITIONS);

const REFUSED: Readonly<Record<string, string>> = {
  'json-schema': 'it is asynchronous, so the policy would run after later ones',
  expression: 'it runs code from the configuration',
  hostMatch: 'set host on the endpoint instead',
  authenticated:
    'it relies on passport, which does not authenticate here; set scopes on the endpoint instead',
  anonymous: 'it relies on passport, which does not authenticate here; set access on the endpoint instead',
  tlsClientAuthenticated: 'the gateway asks clients for no certificate',
};

/** The condition at `cursor`; null after a fault inside it. */
export function checkCondition(cursor: Cursor, offered: Offered): Condition | null {
  if (!isMap(cursor.value)) {
    cursor.report(
      cursor.value === undefined ? 'is missing' : `${shown(cursor.value)} is not a valid condition`,
      {
        allowed: ['a map with name'],
        candidates: [],
      },
    );
    return null;
  }
  const place = cursor.at('name');
  const name = place.value;
  const foreign = typeof name === 'string' ? offered.get(name) : undefined;
  if (typeof name === 'string' && foreign !== undefined) {
    const fault = foreign.fault(cursor.value);
    if (fault === null) return { ...cursor.value, name };
    cursor.report(`the condition "${name}" cannot be used so: ${fault}`, { candidates: [] });
    return null;
  }
  const allowed = [...CONDITION_NAMES, ...offered.keys()];
  const parameters =
    typeof name === 'string' && Object.hasOwn(CONDITIONS, name) ? CONDITIONS[name] : undefined;
  if (!parameters || typeof name !== 'string') {
    const reason = typeof name === 'string' && Object.hasOwn(REFUSED, name) ? REFUSED[name] : undefined;
    if (reason)
      place.report(`the condition "${name}" is not supported: ${reason}`, { allowed, candidates: [] });
    else
      place.report(name === undefined ? 'is missing' : `${shown(name)} is not a valid condition`, {
        allowed,
      });
    return null;
  }
  cursor.map('map with name', ['name', ...Object.keys(parameters)]);
  for (const [key, check] of Object.entries(parameters)) check(cursor.at(key), offered);
  return { ...cursor.value, name };
}

function checkList(cursor: Cursor, offered: Offered): void {
  const items = cursor.list('a list of conditions');
  if (items?.length === 0)
    cursor.report('is an empty list', { allowed: ['at least one condition'], candidates: [] });
  for (const item of items ?? []) checkCondition(item, offered);
}

/** EG compares it with the path and query string as received. */
function checkUrl(cursor: Cursor): void {
  if (typeof cursor.value === 'string' && cursor.value.startsWith('/')) return;
  cursor.report(`${shown(cursor.value)} is not a valid path`, {
    allowed: ['a path that begins with "/"'],
    candidates: [],
  });
}

function checkMethodList(cursor: Cursor): void {
  const items = cursor.oneOrMore('a method or a list of methods');
  if (items?.length === 0) cursor.report('is an empty list', { allowed: METHODS, candidates: [] });
  for (const item of items ?? []) memberAt(item, METHODS, 'method');
}
