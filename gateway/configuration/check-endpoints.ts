/** Checks apiEndpoints one by one: paths, methods, and the access rule, which every endpoint must state. */
import type { Scope } from '../../services/shared/access/scopes.ts';
import { ROLES, type Role } from '../../services/shared/model/user.ts';
import { ENDPOINT_CLASSES, type EndpointClass } from '../../services/shared/plans/endpoint.ts';
import { checkPlace } from './check-endpoint-place.ts';
import { checkParameterPattern } from './check-parameter-pattern.ts';
import { checkPath } from './check-paths.ts';
import { checkScopesUnder } from './check-scopes-under.ts';
import { type ApiEndpoint, METHODS, type Method } from './configuration.ts';
import type { Cursor } from './cursor.ts';
import { shown } from './faults.ts';
import { endpointShape, NAME } from './file-shapes.ts';

/** How the requests of an endpoint are counted. */
export type EndpointCounting = Pick<ApiEndpoint, 'limits' | 'cost' | 'countedList'>;

/** An endpoint whose pipeline and limits are not known yet, and its place in the file. */
export interface DeclaredEndpoint
  extends Omit<ApiEndpoint, 'place' | 'pipeline' | 'routes' | keyof EndpointCounting> {
  readonly cursor: Cursor;
  /** Whether every part of it is valid, so that checks across endpoints may use it. */
  readonly sound: boolean;
  /** Whether its access rule is valid; if not, `access` means nothing, and no other fault is derived from it. */
  readonly hasRule: boolean;
}

const KEYS = Object.keys(endpointShape.shape);
const REFUSED = {
  path: 'write "paths"',
  customId: 'it has no effect',
};

/** Reports an invalid name; names are keys of maps and parts of log lines. */
export function checkName(cursor: Cursor, name: string): boolean {
  if (name in {}) {
    cursor.report(`${shown(name)} is a reserved name`, { came: name, candidates: [] });
    return false;
  }
  if (NAME.test(name)) return true;
  cursor.report(`${shown(name)} is not a valid name`, {
    came: name,
    allowed: ['a letter, then up to 63 letters, digits, "-" or "_"'],
    candidates: [],
  });
  return false;
}

/** Every endpoint of the file, in file order, faulty ones included; `known` are the scopes that they may name. */
export function checkEndpoints(cursor: Cursor, known: readonly Scope[]): DeclaredEndpoint[] {
  const names = cursor.keys('map of endpoints by name') ?? [];
  return names.map((name) => checkEndpoint(cursor.at(name), name, known));
}

function checkEndpoint(cursor: Cursor, name: string, known: readonly Scope[]): DeclaredEndpoint {
  const nameSound = checkName(cursor, name);
  const isMap = cursor.map('map of one endpoint', KEYS, REFUSED);
  const paths = isMap ? checkPaths(cursor) : null;
  const methods = isMap ? checkMethods(cursor.at('methods')) : undefined;
  const rule = isMap ? checkRule(cursor, known) : null;
  const place = isMap ? checkPlace(cursor) : null;
  const kind = isMap ? checkClass(cursor.at('class')) : null;
  const access = rule?.access ?? 'public';
  const cors = isMap && checkWord(cursor.at('cors'), 'open');
  if (cors && place && (place.host ?? place.hostRegex ?? place.pathRegex) !== null) {
    cursor
      .at('cors')
      .report(
        'cannot be combined with host, hostRegex or pathRegex: a preflight does not identify such an endpoint',
        {
          candidates: [],
        },
      );
  }
  const pattern =
    isMap && paths && place
      ? checkParameterPattern(cursor.at('parameterPattern'), {
          paths,
          namesMethods: methods !== null,
          runsOnExpress: (place.host ?? place.hostRegex ?? place.pathRegex) !== null,
        })
      : undefined;
  const scopesUnder =
    isMap && rule ? checkScopesUnder(cursor.at('scopesUnder'), rule.access, known) : undefined;
  const ended = rule !== null && checkWord(cursor.at('endedSession'), 'accepted', access, 'session');
  const apart = rule !== null && checkWord(cursor.at('plan'), 'none', access, 'session');
  const ownOrigin = rule !== null && checkWord(cursor.at('origin'), 'own', access, 'public');
  return {
    name,
    paths: paths ?? [],
    ...(pattern !== undefined && { parameterPattern: pattern }),
    methods: methods ?? null,
    access,
    scopes: rule?.scopes ?? [],
    ...(scopesUnder && { scopesUnder }),
    roles: rule?.roles ?? [],
    ...(rule?.operators && { operators: true as const }),
    class: kind ?? 'other',
    cors: cors ? 'open' : 'own',
    ...(apart && access === 'session' && { plan: 'none' as const }),
    endedSession: ended ? 'accepted' : 'refused',
    ...(ownOrigin && { origin: 'own' as const }),
    host: place?.host ?? null,
    hostRegex: place?.hostRegex ?? null,
    pathRegex: place?.pathRegex ?? null,
    cursor,
    hasRule: rule !== null,
    sound: nameSound && paths !== null && methods !== undefined && rule !== null && place !== null,
  };
}

function checkPaths(cursor: Cursor): string[] | null {
  const paths = cursor.at('paths');
  const pathRegex = cursor.at('pathRegex');
  if (pathRegex.value !== undefined) {
    if (paths.value === undefined) return [];
    paths.report('cannot be combined with pathRegex: express-gateway would ignore paths', {
      allowed: ['paths', 'pathRegex'],
      candidates: [],
    });
    return null;
  }
  if (paths.value === undefined || paths.value === null) {
    paths.report('is missing; express-gateway would answer every path', {
      allowed: ['a path', 'a list of paths'],
      candidates: [],
    });
    return null;
  }
  const items = paths.oneOrMore('a path or a list of paths');
  if (!items) return null;
  if (items.length === 0)
    paths.report('is an empty list', { allowed: ['at least one path'], candidates: [] });
  const sound = items.map(checkPath);
  const unique = reportTwice(items, sound, (path) => path.toLowerCase());
  return items.length > 0 && unique ? allOf(sound) : null;
}

/** Undefined after a fault; null for every method. */
function checkMethods(cursor: Cursor): Method[] | null | undefined {
  if (cursor.value === undefined) return null;
  const items = cursor.oneOrMore('a method or a list of methods');
  if (!items) return undefined;
  if (items.length === 0) {
    cursor.report('is an empty list; leave it out for every method', { allowed: METHODS, candidates: [] });
    return undefined;
  }
  const methods = items.map((item) => memberAt(item, METHODS, 'method'));
  return reportTwice(items, methods) ? (allOf(methods) ?? undefined) : undefined;
}

function checkRule(
  cursor: Cursor,
  known: readonly Scope[],
): Pick<ApiEndpoint, 'access' | 'scopes' | 'roles' | 'operators'> | null {
  const access = cursor.at('access');
  if (access.value !== 'session' && cursor.at('operators').value !== undefined)
    cursor.at('operators').report('needs access: session', { candidates: [] });
  const scopes = cursor.at('scopes');
  if (access.value === undefined && scopes.value === undefined) {
    cursor.report('declares neither scopes nor access: every endpoint needs an access rule', {
      came: undefined,
      allowed: [
        'scopes: [a scope, …]',
        'access: keyless with scopes',
        'access: session',
        'access: public',
        'access: optional',
      ],
    });
    return null;
  }
  if (access.value === 'keyless') {
    refuseRoles(cursor.at('roles'));
    const needed = checkScopes(scopes, known);
    return needed && { access: 'keyless', scopes: needed, roles: [] };
  }
  if (access.value !== undefined && scopes.value !== undefined) {
    access.report('cannot be combined with scopes; declare one of them', {
      allowed: ['scopes', 'access', 'access: keyless with scopes'],
      candidates: [],
    });
    return null;
  }
  if (access.value !== undefined) {
    if (access.value === 'session') return checkSession(cursor);
    refuseRoles(cursor.at('roles'));
    if (access.value === 'public' || access.value === 'optional')
      return { access: access.value, scopes: [], roles: [] };
    access.report(`${shown(access.value)} is not a valid access`, {
      allowed: ['keyless', 'session', 'public', 'optional'],
    });
    return null;
  }
  refuseRoles(cursor.at('roles'));
  const needed = checkScopes(scopes, known);
  return needed && { access: 'scoped', scopes: needed, roles: [] };
}

function checkScopes(scopes: Cursor, known: readonly Scope[]): Scope[] | null {
  const items = scopes.list('a list of scopes');
  if (!items) return null;
  if (items.length === 0) {
    scopes.report('is an empty list, which would admit every caller; write access: public for that', {
      allowed: known,
      candidates: [],
    });
    return null;
  }
  const named = items.map((item) => memberAt<Scope>(item, known, 'scope'));
  return reportTwice(items, named) ? allOf(named) : null;
}

/** Operators belong to any organization, in any role. */
function checkSession(cursor: Cursor): Pick<ApiEndpoint, 'access' | 'scopes' | 'roles' | 'operators'> | null {
  const operators = cursor.at('operators');
  const roles = cursor.at('roles');
  if (operators.value === undefined) return checkRoles(roles);
  if (operators.value !== true) {
    operators.report(`${shown(operators.value)} is not a valid value`, { allowed: ['true'] });
    return null;
  }
  const rule =
    roles.value === undefined
      ? { access: 'session' as const, scopes: [], roles: [...ROLES] }
      : checkRoles(roles);
  return rule && { ...rule, operators: true };
}

function checkRoles(cursor: Cursor): Pick<ApiEndpoint, 'access' | 'scopes' | 'roles'> | null {
  const items = cursor.list('a list of roles');
  if (!items) return null;
  if (items.length === 0)
    cursor.report('is an empty list, which would admit no caller', { allowed: ROLES, candidates: [] });
  const known = items.map((item) => memberAt<Role>(item, ROLES, 'role'));
  const all = reportTwice(items, known) ? allOf(known) : null;
  return items.length === 0 ? null : all && { access: 'session', scopes: [], roles: all };
}

function refuseRoles(cursor: Cursor): void {
  if (cursor.value !== undefined)
    cursor.report('needs access: session; no other access checks roles', { candidates: [] });
}

function checkClass(cursor: Cursor): EndpointClass | null {
  if (cursor.value === undefined) return 'other';
  return memberAt<EndpointClass>(cursor, ENDPOINT_CLASSES, 'class');
}

/** Whether a key with a single allowed value is present; with `needed`, it is allowed only with that access. */
function checkWord(cursor: Cursor, word: string, access?: string, needed?: string): boolean {
  if (cursor.value === undefined) return false;
  memberAt(cursor, [word], 'value');
  if (access !== needed) cursor.report(`needs access: ${needed}`, { candidates: [] });
  return cursor.value === word;
}

/** The value at `cursor` if it is one of `members`, else null after a fault. */
export function memberAt<T extends string>(cursor: Cursor, members: readonly T[], what: string): T | null {
  const found = members.find((member) => member === cursor.value);
  if (found !== undefined) return found;
  cursor.report(`${shown(cursor.value)} is not a valid ${what}`, { allowed: members });
  return null;
}

/** Reports each duplicate in the list; false when there was one. */
export function reportTwice<T>(
  cursors: readonly Cursor[],
  values: readonly (T | null)[],
  key: (value: T) => unknown = (value) => value,
): boolean {
  const seen = new Set<unknown>();
  let unique = true;
  values.forEach((value, index) => {
    if (value === null) return;
    if (seen.has(key(value))) {
      cursors[index]?.report(`${shown(value)} appears twice in this list`, { candidates: [] });
      unique = false;
    }
    seen.add(key(value));
  });
  return unique;
}

function allOf<T>(values: readonly (T | null)[]): T[] | null {
  const known = values.filter((value) => value !== null);
  return known.length === values.length ? known : null;
}
