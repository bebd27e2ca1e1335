/** Finds the route of a request by method and path: the first of the list whose path matches, case and slashes exactly. */
import { type Route, routeName } from './route.ts';

/** A path that matches, and what it has for a method. */
export interface RouteMatch<Ports> {
  /** As declared. */
  readonly path: string;
  /** Null: the path has no such method. */
  readonly route: Route<Ports> | null;
  readonly params: Readonly<Record<string, string>>;
  /** The methods of the path, for `Allow`. */
  readonly allow: string;
}

/** Null: no path matches. */
export type MatchRoute<Ports> = (method: string, path: string) => RouteMatch<Ports> | null;

/** One declared path. */
interface DeclaredPath<Ports> {
  readonly path: string;
  readonly segments: readonly string[];
  readonly routes: ReadonlyMap<string, Route<Ports>>;
  readonly allow: string;
  /** A path that is only a parameter has no methods of its own: with another method it is an unknown path. */
  readonly isOnlyParameter: boolean;
}

const NO_PARAMS = {};

/** @throws TypeError for two routes of one method and path */
export function createMatchRoute<Ports>(routes: readonly Route<Ports>[]): MatchRoute<Ports> {
  const declared = [...new Set(routes.map(({ path }) => path))].map((path) => declaredPath(path, routes));
  const bySegments = new Map<number, DeclaredPath<Ports>[]>();
  for (const each of declared) {
    const { length } = each.segments;
    bySegments.set(length, [...(bySegments.get(length) ?? []), each]);
  }
  /** Paths without parameters that no path before them matches. */
  const exact = new Map<string, DeclaredPath<Ports>>();
  for (const each of declared) {
    const isFirst = declared.find(({ segments }) => paramsOf(segments, each.segments) !== null) === each;
    if (isFirst && !each.path.includes(':')) exact.set(each.path, each);
  }

  return function matchRoute(method, path) {
    const known = exact.get(path);
    if (known !== undefined) return matchOf(known, method, NO_PARAMS);
    const segments = path.split('/');
    for (const each of bySegments.get(segments.length) ?? []) {
      const params = paramsOf(each.segments, segments);
      if (params === null) continue;
      const match = matchOf(each, method, params);
      if (match.route !== null || !each.isOnlyParameter) return match;
    }
    return null;
  };
}

function declaredPath<Ports>(path: string, routes: readonly Route<Ports>[]): DeclaredPath<Ports> {
  const siblings = routes.filter((route) => route.path === path);
  const byMethod = new Map(siblings.map((route) => [route.method as string, route]));
  const [first] = siblings;
  if (byMethod.size < siblings.length && first !== undefined)
    throw new TypeError(`${routeName(first)}: two routes of one method and path`);
  const get = byMethod.get('GET');
  if (get !== undefined) byMethod.set('HEAD', get);
  return {
    path,
    segments: path.split('/'),
    routes: byMethod,
    allow: siblings.map(({ method }) => (method === 'GET' ? 'GET, HEAD' : method)).join(', '),
    isOnlyParameter: /^\/:[^/]+$/.test(path),
  };
}

function matchOf<Ports>(
  { path, routes, allow }: DeclaredPath<Ports>,
  method: string,
  params: Readonly<Record<string, string>>,
): RouteMatch<Ports> {
  return { path, route: routes.get(method) ?? null, params, allow };
}

/** The parameters of a path that matches; null for another one, and for text that is not percent-encoded. */
function paramsOf(declared: readonly string[], came: readonly string[]): Record<string, string> | null {
  if (declared.length !== came.length) return null;
  const params: Record<string, string> = {};
  for (let index = 0; index < declared.length; index++) {
    const name = declared[index] as string;
    const text = came[index] as string;
    if (name[0] !== ':') {
      if (name !== text) return null;
    } else if (text === '') return null;
    else {
      const value = decoded(text);
      if (value === null) return null;
      params[name.slice(1)] = value;
    }
  }
  return params;
}

function decoded(text: string): string | null {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
