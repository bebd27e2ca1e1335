/** How the configuration serves a route: the description states limits and errors as configured. */
import type { ScopesUnder } from '../../services/shared/access/scope-rule.ts';
import { type RouteDescription, type RouteRule, routeName } from '../../services/shared/http/route.ts';
import type { PlansFile } from '../../services/shared/plans/plans.ts';
import type { ApiEndpoint, Configuration } from '../configuration/configuration.ts';
import { type EndpointLimits, endpointLimits } from '../configuration/endpoint-limits.ts';
import { OWN_ROUTES } from '../configuration/own-routes.ts';

/** What the description needs to know about the route's configuration. */
export interface Serving {
  /** Null for what is never counted: the health paths. */
  readonly limits: EndpointLimits | null;
  readonly plans: PlansFile;
  /** Whether a service behind the gateway answers. */
  readonly isProxied: boolean;
  /** Whether size and type of a body are checked, whether or not the route declares one. */
  readonly judgesBody: boolean;
  /** Who may ask. */
  readonly rule: RouteRule;
  /** The identity provider whose tokens say who calls; null: keys and sessions do. */
  readonly tokensOf: string | null;
  /** Largest body that is let through, in bytes; null where the configuration bounds none. */
  readonly maxBytes: number | null;
  /** Selectors under which other scopes suffice too; null where there are none. */
  readonly scopesUnder: ScopesUnder | null;
}

/** How `configuration` serves `route` on every host; null when it does not. */
export function servedBy(configuration: Configuration, route: RouteDescription): Serving | null {
  const endpoint = configuration.endpoints.find(
    (one) => one.host === null && one.hostRegex === null && serves(one, route),
  );
  return endpoint === undefined ? null : servingOf(configuration, endpoint, route.method);
}

/** How `endpoint` serves requests of this method. */
export function servingOf(configuration: Configuration, endpoint: ApiEndpoint, method: string): Serving {
  const { pipelines, plans } = configuration;
  const steps = pipelines.find(({ name }) => name === endpoint.pipeline)?.steps ?? [];
  const uses = (policy: string): boolean => steps.some((step) => step.policy === policy);
  const issuer = steps.find(({ policy }) => policy === 'jwt')?.parameters.issuer;
  const bound = steps.find(({ policy }) => policy === 'body')?.parameters.maxBytes;
  return {
    limits: endpointLimits(plans, endpoint),
    plans,
    isProxied: uses('proxy'),
    judgesBody: method !== 'GET' && method !== 'HEAD' && uses('body'),
    rule: ruleOf(endpoint),
    tokensOf: typeof issuer === 'string' ? issuer : null,
    maxBytes: typeof bound === 'number' ? bound : null,
    scopesUnder: endpoint.scopesUnder ?? null,
  };
}

/** Routes of services are opened by name; what the gateway answers itself is found by its path. */
function serves({ paths, methods, routes }: ApiEndpoint, route: RouteDescription): boolean {
  if (ROUTE_NAMES.has(routeName(route))) return routes.includes(routeName(route));
  return paths.includes(route.path) && (methods?.some((method) => method === route.method) ?? true);
}

const ROUTE_NAMES: ReadonlySet<string> = new Set(
  Object.values(OWN_ROUTES).flatMap((all) => all.map(routeName)),
);

function ruleOf({ access, scopes, roles, operators }: ApiEndpoint): RouteRule {
  if (access === 'session') return { roles, ...(operators && { operators }) };
  if (access === 'scoped') return { scopes };
  return access === 'keyless' ? { scopes, keyless: true } : 'public';
}

/** For what the gateway answers before any endpoint: neither limits nor a service. */
export function uncounted({ plans }: Configuration): Serving {
  return {
    limits: null,
    plans,
    isProxied: false,
    judgesBody: false,
    rule: 'public',
    tokensOf: null,
    maxBytes: null,
    scopesUnder: null,
  };
}
