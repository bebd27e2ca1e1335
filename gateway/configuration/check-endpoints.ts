/** Checks apiEndpoints one by one: paths, methods, and the rule who may ask, which every endpoint must state. */
import { SCOPES, type Scope } from '../../services/shared/access/scopes.ts';
import { ROLES, type Role } from '../../services/shared/model/user.ts';
import { ENDPOINT_CLASSES, type EndpointClass } from '../../services/shared/plugin/endpoint.ts';
import { checkParameterPattern } from './check-parameter-pattern.ts';
import { checkPath, checkRegex } from './check-paths.ts';
import { checkScopesUnder } from './check-scopes-under.ts';
import { type ApiEndpoint, METHODS, type Method } from './configuration.ts';
import type { Cursor } from './cursor.ts';
import { shown } from './faults.ts';

/** An endpoint whose pipeline and limits are not known yet, and where it stands. */
export interface DeclaredEndpoint extends Omit<ApiEndpoint, 'pipeline' | 'limits' | 'cost'> {
  readonly cursor: Cursor;
  /** Whether every part of it was right, so that checks across endpoints may judge it. */
  readonly sound: boolean;
}

const KEYS = [
  'paths',
  'parameterPattern',
  'methods',
  'scopes',
  'scopesUnder',
  'access',
  'roles',
  'class',
  'limits',
  'cost',
  'cors',
  'endedSession',
  'host',
  'hostRegex',
  'pathRegex',
];
const REFUSED = {
  path: 'write "paths"',
  customId: 'nothing reads it',
};
const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/** Reports a name that cannot stand in the files; names are keys of maps and parts of log lines. */
export function checkName(cursor: Cursor, name: string): boolean {
  if (name in {}) {
    cursor.report(`${shown(name)} is a reserved name`, { came: name, candidates: [] });
    return false;
  }
  if (NAME.test(name)) return true;
  cursor.report(`${shown(name)} is no name`, {
    came: name,
    allowed: ['a letter, then up to 63 letters, digits, "-" or "_"'],
    candidates: [],
  });
  return false;
}

/** Every endpoint of the file, in its order, faulty ones too. */
export function checkEndpoints(cursor: Cursor): DeclaredEndpoint[] {
  const names = cursor.keys('map of endpoints by name') ?? [];
  return names.map((name) => checkEndpoint(cursor.at(name), name));
}

function checkEndpoint(cursor: Cursor, name: string): DeclaredEndpoint {
  const nameSound = checkName(cursor, name);
  const isMap = cursor.map('map of one endpoint', KEYS, REFUSED);
  const paths = isMap ? checkPaths(cursor) : null;
  const methods = isMap ? checkMethods(cursor.at('methods')) : undefined;
  const rule = isMap ? checkRule(cursor) : null;
  const place = isMap ? checkPlace(cursor) : null;
  const kind = isMap ? checkClass(cursor.at('class')) : null;
  const access = rule?.access ?? 'public';
  const cors = isMap && checkWord(cursor.at('cors'), 'open');
  if (cors && place && (place.host ?? place.hostRegex ?? place.pathRegex) !== null) {
    cursor
      .at('cors')
      .report('stands beside host, hostRegex or pathRegex, where preflights cannot tell the endpoint', {
        candidates: [],
      });
  }
  const pattern =
    isMap && paths && place
      ? checkParameterPattern(cursor.at('parameterPattern'), {
          paths,
          namesMethods: methods !== null,
          runsOnExpress: (place.host ?? place.hostRegex ?? place.pathRegex) !== null,
        })
      : undefined;
  const scopesUnder = isMap && rule ? checkScopesUnder(cursor.at('scopesUnder'), rule.access) : undefined;
  const ended = isMap && checkWord(cursor.at('endedSession'), 'accepted', access, 'session');
  return {
    name,
    paths: paths ?? [],
    ...(pattern !== undefined && { parameterPattern: pattern }),
    methods: methods ?? null,
    access,
    scopes: rule?.scopes ?? [],
    ...(scopesUnder && { scopesUnder }),
    roles: rule?.roles ?? [],
    class: kind ?? 'other',
    cors: cors ? 'open' : 'own',
    endedSession: ended ? 'accepted' : 'refused',
    host: place?.host ?? null,
    hostRegex: place?.hostRegex ?? null,
    pathRegex: place?.pathRegex ?? null,
    cursor,
    sound: nameSound && paths !== null && methods !== undefined && rule !== null && place !== null,
  };
}

function checkPaths(cursor: Cursor): string[] | null {
  const paths = cursor.at('paths');
  const pathRegex = cursor.at('pathRegex');
  if (pathRegex.value !== undefined) {
    if (paths.value === undefined) return [];
    paths.report('stands beside pathRegex, which express-gateway would use alone', {
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

function checkRule(cursor: Cursor): Pick<ApiEndpoint, 'access' | 'scopes' | 'roles'> | null {
  const access = cursor.at('access');
  const scopes = cursor.at('scopes');
  if (access.value === undefined && scopes.value === undefined) {
    cursor.report('declares neither scopes nor access: a route without a rule is no open door', {
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
    const needed = checkScopes(scopes);
    return needed && { access: 'keyless', scopes: needed, roles: [] };
  }
  if (access.value !== undefined && scopes.value !== undefined) {
    access.report('stands beside scopes; declare one of them', {
      allowed: ['scopes', 'access', 'access: keyless with scopes'],
      candidates: [],
    });
    return null;
  }
  if (access.value !== undefined) {
    if (access.value === 'session') return checkRoles(cursor.at('roles'));
    refuseRoles(cursor.at('roles'));
    if (access.value === 'public' || access.value === 'optional')
      return { access: access.value, scopes: [], roles: [] };
    access.report(`${shown(access.value)} is no access`, {
      allowed: ['keyless', 'session', 'public', 'optional'],
    });
    return null;
  }
  refuseRoles(cursor.at('roles'));
  const needed = checkScopes(scopes);
  return needed && { access: 'scoped', scopes: needed, roles: [] };
}

function checkScopes(scopes: Cursor): Scope[] | null {
  const items = scopes.list('a list of scopes');
  if (!items) return null;
  if (items.length === 0) {
    scopes.report('is an empty list, which would let everybody in; say access: public for that', {
      allowed: SCOPES,
      candidates: [],
    });
    return null;
  }
  const known = items.map((item) => memberAt<Scope>(item, SCOPES, 'scope'));
  return reportTwice(items, known) ? allOf(known) : null;
}

function checkRoles(cursor: Cursor): Pick<ApiEndpoint, 'access' | 'scopes' | 'roles'> | null {
  const items = cursor.list('a list of roles');
  if (!items) return null;
  if (items.length === 0)
    cursor.report('is an empty list, which would let nobody in', { allowed: ROLES, candidates: [] });
  const known = items.map((item) => memberAt<Role>(item, ROLES, 'role'));
  const all = reportTwice(items, known) ? allOf(known) : null;
  return items.length === 0 ? null : all && { access: 'session', scopes: [], roles: all };
}

function refuseRoles(cursor: Cursor): void {
  if (cursor.value !== undefined)
    cursor.report('stands without access: session, which alone asks for roles', { candidates: [] });
}

function checkPlace(cursor: Cursor): Pick<ApiEndpoint, 'host' | 'hostRegex' | 'pathRegex'> | null {
  const host = cursor.at('host');
  const hostRegex = cursor.at('hostRegex');
  const pathRegex = cursor.at('pathRegex');
  let sound = true;
  if (host.value !== undefined && (typeof host.value !== 'string' || !isHost(host.value))) {
    host.report(`${shown(host.value)} is no host`, {
      allowed: ['a host name without port, such as api.example.com'],
      candidates: [],
    });
    sound = false;
  }
  if (host.value !== undefined && hostRegex.value !== undefined) {
    host.report('stands beside hostRegex, which express-gateway would use alone', {
      allowed: ['host', 'hostRegex'],
      candidates: [],
    });
    sound = false;
  }
  const hostSource = hostRegex.value === undefined ? null : checkRegex(hostRegex);
  const pathSource = pathRegex.value === undefined ? null : checkRegex(pathRegex);
  if (hostRegex.value !== undefined && hostSource === null) sound = false;
  if (pathRegex.value !== undefined && pathSource === null) sound = false;
  if (!sound) return null;
  return { host: (host.value as string | undefined) ?? null, hostRegex: hostSource, pathRegex: pathSource };
}

/** A name, `*` for one or more of its labels (vhost's rule). */
function isHost(text: string): boolean {
  return text !== '*' && /^[A-Za-z0-9*]([A-Za-z0-9.*-]*[A-Za-z0-9])?$/.test(text);
}

function checkClass(cursor: Cursor): EndpointClass | null {
  if (cursor.value === undefined) return 'other';
  return memberAt<EndpointClass>(cursor, ENDPOINT_CLASSES, 'class');
}

/** Whether a key with one possible value stands here; with `needed`, it may only beside that access. */
function checkWord(cursor: Cursor, word: string, access?: string, needed?: string): boolean {
  if (cursor.value === undefined) return false;
  memberAt(cursor, [word], 'value');
  if (access !== needed) cursor.report(`stands without access: ${needed}`, { candidates: [] });
  return cursor.value === word;
}

/** The value at `cursor` when it is one of `members`, or null after a fault. */
export function memberAt<T extends string>(cursor: Cursor, members: readonly T[], what: string): T | null {
  const found = members.find((member) => member === cursor.value);
  if (found !== undefined) return found;
  cursor.report(`${shown(cursor.value)} is no ${what}`, { allowed: members });
  return null;
}

/** Reports each item that stands in the list before; false when there was one. */
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
      cursors[index]?.report(`${shown(value)} stands twice in this list`, { candidates: [] });
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
