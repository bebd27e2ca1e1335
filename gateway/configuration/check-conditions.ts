/** Which conditions a step may have: express-gateway's synchronous ones, since it mounts a policy late when its condition is a promise. */
import { memberAt } from './check-endpoints.ts';
import { checkRegex } from './check-paths.ts';
import { type Condition, METHODS } from './configuration.ts';
import { type Cursor, isMap } from './cursor.ts';
import { shown } from './faults.ts';

type ParameterCheck = (cursor: Cursor) => void;

/** Parameters of each condition, by key; all are required. */
const CONDITIONS: Readonly<Record<string, Readonly<Record<string, ParameterCheck>>>> = {
  always: {},
  never: {},
  allOf: { conditions: checkList },
  oneOf: { conditions: checkList },
  not: { condition: (cursor) => void checkCondition(cursor) },
  pathExact: { path: checkUrl },
  pathMatch: { pattern: (cursor) => void checkRegex(cursor) },
  method: { methods: checkMethodList },
  authenticated: {},
  anonymous: {},
};
const NAMES = Object.keys(CONDITIONS);

const REFUSED: Readonly<Record<string, string>> = {
  'json-schema': 'it is asynchronous, and the policy would run after later ones',
  expression: 'it runs code from the configuration',
  hostMatch: 'set host on the endpoint instead',
  tlsClientAuthenticated: 'the gateway does not end TLS',
};

/** The condition at `cursor`; null after a fault inside it. */
export function checkCondition(cursor: Cursor): Condition | null {
  if (!isMap(cursor.value)) {
    cursor.report(cursor.value === undefined ? 'is missing' : `${shown(cursor.value)} is no condition`, {
      allowed: ['a map with name'],
      candidates: [],
    });
    return null;
  }
  const place = cursor.at('name');
  const name = place.value;
  const parameters =
    typeof name === 'string' && Object.hasOwn(CONDITIONS, name) ? CONDITIONS[name] : undefined;
  if (!parameters || typeof name !== 'string') {
    const reason = typeof name === 'string' && Object.hasOwn(REFUSED, name) ? REFUSED[name] : undefined;
    if (reason)
      place.report(`the condition "${name}" is not offered: ${reason}`, { allowed: NAMES, candidates: [] });
    else
      place.report(name === undefined ? 'is missing' : `${shown(name)} is no condition`, { allowed: NAMES });
    return null;
  }
  cursor.map('map with name', ['name', ...Object.keys(parameters)]);
  for (const [key, check] of Object.entries(parameters)) check(cursor.at(key));
  return { ...cursor.value, name };
}

function checkList(cursor: Cursor): void {
  const items = cursor.list('a list of conditions');
  if (items?.length === 0)
    cursor.report('is an empty list', { allowed: ['at least one condition'], candidates: [] });
  for (const item of items ?? []) checkCondition(item);
}

/** EG compares it with path and query string as they came. */
function checkUrl(cursor: Cursor): void {
  if (typeof cursor.value === 'string' && cursor.value.startsWith('/')) return;
  cursor.report(`${shown(cursor.value)} is no path`, {
    allowed: ['a path that begins with "/"'],
    candidates: [],
  });
}

function checkMethodList(cursor: Cursor): void {
  const items = cursor.oneOrMore('a method or a list of methods');
  if (items?.length === 0) cursor.report('is an empty list', { allowed: METHODS, candidates: [] });
  for (const item of items ?? []) memberAt(item, METHODS, 'method');
}
