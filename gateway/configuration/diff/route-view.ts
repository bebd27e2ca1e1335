/** What a method and path meets under a configuration: everything about it that a caller or a backend could notice. */

import { ROLES } from '../../../services/shared/model/user.ts';
import type { ApiEndpoint, Configuration, Method, PipelineStep } from '../configuration.ts';
import { METHODS } from '../configuration.ts';
import { answeringEndpoint, ruleOf, stepsOf } from '../explain.ts';
import { parsePath } from '../path-patterns.ts';
import { canonical, type Parts, shown } from './change.ts';

/** An endpoint with its steps and the backend that answers. */
export interface RouteView {
  readonly endpoint: ApiEndpoint;
  readonly steps: readonly PipelineStep[];
  /** The backend, by all that is set for it; null: the gateway answers. */
  readonly upstream: string | null;
  readonly parts: Parts;
}

/** A route that one of two configurations declares, by which it is looked up in both. */
export interface DeclaredRoute {
  readonly method: Method;
  /** As declared, after the host if there is one. */
  readonly path: string;
  /** A path that a request could have; null: the route is found by its declaration alone. */
  readonly sample: string | null;
}

/** Texts for parameters; one of them has most forms that a `parameterPattern` asks for. */
const FILLERS = ['a1b2c3d4', 'abcdefgh', '12345678', '1', 'a', '2e9f0c1a-1111-4222-8333-444455556666'];
const ANY_REST = 'a1b2c3d4/e5f6';

/** Every route, each under the key by which the other configuration may have it too: parameters by place, not by name. */
export function declaredRoutes({ endpoints }: Configuration): Map<string, DeclaredRoute> {
  const routes = new Map<string, DeclaredRoute>();
  for (const endpoint of endpoints) {
    for (const path of pathsOf(endpoint)) {
      for (const method of endpoint.methods ?? METHODS) {
        const key = `${method} ${path.replace(/\/:[^/]*/g, '/:')}`;
        if (!routes.has(key)) routes.set(key, { method, path, sample: sampleOf(endpoint, path) });
      }
    }
  }
  return routes;
}

/** What a route meets; null: nothing answers it. */
export function viewOf(
  configuration: Configuration,
  key: string,
  { method, sample }: DeclaredRoute,
  declared: ReadonlyMap<string, DeclaredRoute>,
): RouteView | null {
  const endpoint =
    sample === null
      ? declared.has(key)
        ? declarer(configuration, key)
        : null
      : answeringEndpoint(configuration, method, sample);
  return endpoint === null ? null : viewOfEndpoint(configuration, endpoint);
}

/** The view of the endpoint that answers whatever no other does. */
export function viewOfRest(configuration: Configuration): RouteView | null {
  const rest = configuration.endpoints.at(-1);
  return rest === undefined ? null : viewOfEndpoint(configuration, rest);
}

function viewOfEndpoint(configuration: Configuration, endpoint: ApiEndpoint): RouteView {
  const steps = stepsOf(configuration, endpoint);
  const upstream = upstreamOf(configuration, steps);
  const policies = steps.map((step) => [step.policy, policyText(step, configuration.directory)] as const);
  const parts: Record<string, string | null> = {
    rule: `${ruleOf(inOrder(endpoint))}${endpoint.endedSession === 'accepted' ? ', or of an ended session' : ''}`,
    limits: [...endpoint.limits].sort().join(', ') || null,
    plan: endpoint.plan ?? null,
    'public group': endpoint.class,
    cost: endpoint.countedList === null ? endpoint.cost : `list ${endpoint.countedList.join('.') || 'body'}`,
    cors: endpoint.cors,
    'order of policies': steps.map(({ policy }) => policy).join(', '),
    upstream: upstream?.name ?? null,
  };
  for (const [policy, text] of policies) {
    const name = `policy ${policy}`;
    parts[name] = parts[name] === undefined ? text : `${parts[name]}; ${text}`;
  }
  return {
    endpoint,
    steps,
    upstream: upstream?.content ?? null,
    parts,
  };
}

/** The same rule whatever the order of its names. */
function inOrder(endpoint: ApiEndpoint): ApiEndpoint {
  const { scopes, roles, scopesUnder = {} } = endpoint;
  const under = Object.entries(scopesUnder).map(
    ([selector, these]) => [selector, [...these].sort()] as const,
  );
  return {
    ...endpoint,
    scopes: [...scopes].sort(),
    roles: ROLES.filter((role) => roles.includes(role)),
    scopesUnder: Object.fromEntries(under.sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** Files below the folder of the configuration are the same file in another copy of it. */
function policyText({ policy, parameters, condition }: PipelineStep, directory: string): string {
  const { serviceEndpoint: _, ...others } = parameters;
  const settings = policy === 'proxy' ? others : parameters;
  const text = canonical(settings).replaceAll(directory, '.');
  return `${text}${condition === null ? '' : ` when ${canonical(condition)}`}`;
}

function upstreamOf(
  { serviceEndpoints }: Configuration,
  steps: readonly PipelineStep[],
): { readonly name: string; readonly content: string } | null {
  const name = steps.find(({ policy }) => policy === 'proxy')?.parameters.serviceEndpoint;
  if (typeof name !== 'string') return null;
  return { name, content: shown(serviceEndpoints[name]) ?? name };
}

/** The endpoint with this very path and method; where a host or a regular expression decides, no sample would do. */
function declarer(configuration: Configuration, key: string): ApiEndpoint | null {
  return (
    configuration.endpoints.find((endpoint) =>
      pathsOf(endpoint).some((path) =>
        (endpoint.methods ?? METHODS).some(
          (method) => `${method} ${path.replace(/\/:[^/]*/g, '/:')}` === key,
        ),
      ),
    ) ?? null
  );
}

function pathsOf({ host, hostRegex, pathRegex, paths }: ApiEndpoint): string[] {
  const before = host ?? (hostRegex === null ? '' : `regex ${hostRegex} `);
  return pathRegex === null ? paths.map((path) => `${before}${path}`) : [`${before}regex ${pathRegex}`];
}

function sampleOf(
  { host, hostRegex, pathRegex, parameterPattern }: ApiEndpoint,
  path: string,
): string | null {
  if (host !== null || hostRegex !== null || pathRegex !== null) return null;
  const form = new RegExp(`^(?:${parameterPattern ?? '.*'})$`);
  const filler = FILLERS.find((text) => form.test(text));
  if (filler === undefined) return null;
  const { segments, open } = parsePath(path);
  const parts = segments.map((segment) => (segment.kind === 'text' ? segment.text : filler));
  return `/${[...parts, ...(open ? [ANY_REST] : [])].join('/')}`;
}
