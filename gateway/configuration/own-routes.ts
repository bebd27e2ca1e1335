/** The routes of Tidegate's own services and of its session policy, and which of them an endpoint opens. */
import { authRoutes } from '../../plugins/auth/session/routes.ts';
import { queryRoutes } from '../../services/query/routes.ts';
import { resourcesRoutes } from '../../services/resources/routes.ts';
import type { RouteDescription } from '../../services/shared/http/route.ts';
import { routeName } from '../../services/shared/http/route.ts';
import type { ServiceName } from '../../services/shared/identity/identity-token.ts';
import { trackingRoutes } from '../../services/tracking/routes.ts';
import type { ApiEndpoint } from './configuration.ts';
import { comparePrecedence, type PathPattern, parsePath } from './path-patterns.ts';

/** Who answers routes: a service of our own, or the gateway by its policy `session`. */
export type Answerer = ServiceName | 'session';

/** The routes of each, as code declares them. */
export const OWN_ROUTES: Readonly<Record<Answerer, readonly RouteDescription[]>> = {
  tracking: trackingRoutes,
  query: queryRoutes,
  resources: resourcesRoutes,
  session: authRoutes,
};

/** A route with its path parsed once. */
interface KnownRoute {
  readonly name: string;
  readonly method: string;
  readonly pattern: PathPattern;
}

const known = new Map<Answerer, readonly KnownRoute[]>();

function knownRoutes(answerer: Answerer): readonly KnownRoute[] {
  const found =
    known.get(answerer) ??
    OWN_ROUTES[answerer].map((route) => ({
      name: routeName(route),
      method: route.method,
      pattern: parsePath(route.path),
    }));
  known.set(answerer, found);
  return found;
}

/** What the paths of an endpoint lead to. */
export interface OpenedRoutes {
  /** Names of the routes that it opens, each once. */
  readonly routes: readonly string[];
  /** Paths of the endpoint at which there is no route for any of its methods. */
  readonly withoutRoute: readonly string[];
}

/**
 * The routes of `answerer` that an endpoint opens: those at its paths, for its methods. A parameter of an endpoint stands for
 * parameters of routes alone, so that `/:slug` does not open `/tracker.js`; `/*` opens all below it.
 */
export function openedRoutes(
  { paths, methods }: Pick<ApiEndpoint, 'paths' | 'methods'>,
  answerer: Answerer,
): OpenedRoutes {
  const routes = new Set<string>();
  const withoutRoute: string[] = [];
  for (const path of paths) {
    const pattern = parsePath(path);
    const reached = closest(
      knownRoutes(answerer).filter((route) => leadsTo(pattern, route.pattern)),
      pattern,
    ).filter(({ method }) => methods === null || methods.some((one) => answersMethod(one, method)));
    if (reached.length === 0) withoutRoute.push(path);
    for (const { name } of reached) routes.add(name);
  }
  return { routes: [...routes], withoutRoute };
}

/** HEAD is answered by the route of GET. */
function answersMethod(asked: string, method: string): boolean {
  return (asked === 'HEAD' ? 'GET' : asked) === method;
}

function leadsTo(endpoint: PathPattern, route: PathPattern): boolean {
  const { length } = endpoint.segments;
  if (endpoint.open ? route.segments.length <= length : route.segments.length !== length) return false;
  return endpoint.segments.every((segment, index) => {
    const other = route.segments[index];
    if (other === undefined) return false;
    if (other.kind === 'param') return segment.kind === 'param' || segment.text !== '';
    return segment.kind === 'text' && segment.text === other.text;
  });
}

/** Of routes that share a path of the endpoint, the service answers by the most specific one; `/*` has many paths. */
function closest(routes: readonly KnownRoute[], { open }: PathPattern): readonly KnownRoute[] {
  if (open) return routes;
  const [best] = [...routes].sort((a, b) => comparePrecedence(a.pattern, b.pattern));
  return routes.filter((route) => best && comparePrecedence(route.pattern, best.pattern) === 0);
}
