/** Checks that endpoints of our own services lead to routes of theirs, and tells routes to which no endpoint leads. */

import { type RouteDescription, routeName } from '../../services/shared/http/route.ts';
import type { DeclaredEndpoint } from './check-endpoints.ts';
import type { Cursor } from './cursor.ts';
import { type Answerer, OWN_ROUTES, openedRoutes } from './own-routes.ts';
import { comparePrecedence, covers, parsePath } from './path-patterns.ts';

/** What endpoints of ours lead to. */
export interface OwnRoutesChecked {
  /** The routes that each endpoint of ours opens, by its name. */
  readonly opened: ReadonlyMap<string, readonly string[]>;
  /** Reports, as warnings below `place`, paths without a route beside others, and routes without an endpoint. */
  warn(place: Cursor): void;
}

/** An endpoint of ours that opens no route at all is a fault. */
export function checkOwnRoutes(
  endpoints: readonly DeclaredEndpoint[],
  answererOf: ReadonlyMap<string, Answerer>,
): OwnRoutesChecked {
  const opened = new Map<string, readonly string[]>();
  const lost = new Map<string, readonly string[]>();
  for (const endpoint of endpoints) {
    const answerer = answererOf.get(endpoint.name);
    if (answerer === undefined) continue;
    if (endpoint.pathRegex !== null) {
      const text = `cannot lead to ${nameOf(answerer)}, which answers named paths alone`;
      const allowed = ['paths', 'an endpoint of a foreign backend'];
      endpoint.cursor.at('pathRegex').report(text, { allowed, candidates: [] });
      continue;
    }
    const { routes, withoutRoute } = openedRoutes(endpoint, answerer);
    opened.set(endpoint.name, routes);
    reportKeysAtSessions(endpoint, routes, answerer, endpoints);
    if (routes.length > 0) lost.set(endpoint.name, withoutRoute);
    else for (const path of withoutRoute) reportLost(endpoint.cursor, endpoint, path, answerer);
  }
  return {
    opened,
    warn(place) {
      for (const endpoint of endpoints) {
        const answerer = answererOf.get(endpoint.name);
        if (answerer === undefined) continue;
        for (const path of lost.get(endpoint.name) ?? [])
          reportLost(place.at(endpoint.name), endpoint, path, answerer);
      }
      warnOfClosed(place, opened, new Set(answererOf.values()));
    },
  };
}

/** A route that needs a session is open to sessions alone. What a more specific endpoint answers is that one's concern. */
function reportKeysAtSessions(
  endpoint: DeclaredEndpoint,
  routes: readonly string[],
  answerer: Answerer,
  endpoints: readonly DeclaredEndpoint[],
): void {
  const { access, cursor } = endpoint;
  if (access === 'session') return;
  const held = OWN_ROUTES[answerer]
    .filter((route) => route.needs === 'session' && routes.includes(routeName(route)))
    .filter((route) => !endpoints.some((other) => answersBefore(other, endpoint, route)))
    .map(routeName);
  const named = routes.filter((route) => held.includes(route));
  if (named.length === 0) return;
  cursor.report(
    `${named.join(', ')}: answered to sessions alone, because keys may not give, take or audit access`,
    {
      came: access,
      allowed: ['access: session with roles'],
      candidates: [],
    },
  );
}

/** Whether every request for the route goes to `other`, whose path is more specific than those of `endpoint`. */
function answersBefore(
  other: DeclaredEndpoint,
  endpoint: DeclaredEndpoint,
  route: RouteDescription,
): boolean {
  if (other.host !== endpoint.host || other.hostRegex !== endpoint.hostRegex) return false;
  if (other.methods !== null && !other.methods.some((method) => method === route.method)) return false;
  const asked = parsePath(route.path);
  const reaching = (paths: readonly string[]) =>
    paths.map(parsePath).filter((pattern) => covers(pattern, asked));
  const general = reaching(endpoint.paths);
  return reaching(other.paths).some((pattern) => general.every((one) => comparePrecedence(pattern, one) < 0));
}

function reportLost(cursor: Cursor, { methods }: DeclaredEndpoint, path: string, answerer: Answerer): void {
  const asked = methods === null ? path : `${methods.join(', ')} ${path}`;
  cursor.at('paths').report(`${asked}: ${nameOf(answerer)} has no such route`, {
    came: asked,
    candidates: OWN_ROUTES[answerer].map(routeName),
  });
}

/** Of each answerer that some endpoint names: nobody can call the routes to which none leads. */
function warnOfClosed(
  place: Cursor,
  opened: ReadonlyMap<string, readonly string[]>,
  answerers: ReadonlySet<Answerer>,
): void {
  const open = new Set([...opened.values()].flat());
  for (const answerer of answerers) {
    const closed = OWN_ROUTES[answerer].map(routeName).filter((name) => !open.has(name));
    if (closed.length === 0) continue;
    const them = closed.length === 1 ? 'it' : 'them';
    place.report(
      `no endpoint leads to ${closed.join(', ')} of ${nameOf(answerer)}, so nobody can call ${them}`,
      { came: closed[0], candidates: [] },
    );
  }
}

function nameOf(answerer: Answerer): string {
  return answerer === 'session' ? 'the policy session' : `the ${answerer} service`;
}
