/** Answers what the configuration does with a request: which endpoint and pipeline, which rule, policies, limits and service. */
import type { ServiceEndpoint } from '../../services/shared/plugin/service-endpoint.ts';
import { isAmbiguous, pathOf } from '../http/request-target.ts';
import type { ApiEndpoint, Configuration, PipelineStep } from './configuration.ts';
import { explainLimits } from './explain-limits.ts';
import { comparePrecedence, matches, type PathPattern, parsePath } from './path-patterns.ts';

/** One line of the route table. */
export interface RouteRow {
  /** `*` for every method. */
  readonly method: string;
  /** Path, or `regex …`, with the host before it when it has one. */
  readonly path: string;
  readonly endpoint: string;
  /** `public`, `optional`, the scopes that are needed, or those and `or keyless`. */
  readonly rule: string;
  readonly pipeline: string;
  readonly policies: readonly string[];
  /** The serviceEndpoint that answers; null when the gateway does. */
  readonly service: string | null;
}

/** Every method and path, in the order of the file. */
export function listRoutes(configuration: Configuration): RouteRow[] {
  return configuration.endpoints.flatMap((endpoint) => {
    const steps = stepsOf(configuration, endpoint);
    const host = endpoint.host ?? (endpoint.hostRegex === null ? '' : `regex ${endpoint.hostRegex} `);
    const paths = endpoint.pathRegex === null ? endpoint.paths : [`regex ${endpoint.pathRegex}`];
    return paths.flatMap((path) =>
      (endpoint.methods ?? ['*']).map((method) => ({
        method,
        path: `${host}${path}`,
        endpoint: endpoint.name,
        rule: ruleOf(endpoint),
        pipeline: endpoint.pipeline,
        policies: steps.map((step) => step.policy),
        service: serviceNameOf(steps),
      })),
    );
  });
}

/** The upstream of a request. */
export interface ExplainedService extends Omit<ServiceEndpoint, 'urls'> {
  readonly name: string;
  /** Null when they are known at the start only. */
  readonly urls: readonly string[] | null;
}

/** What happens to a request. */
export interface Explanation {
  readonly method: string;
  readonly path: string;
  /** What comes of it, in a sentence. */
  readonly verdict: string;
  /** The path as declared; null when no endpoint but the catch-all has it. */
  readonly pattern: string | null;
  readonly endpoint: string;
  readonly rule: string;
  readonly pipeline: string;
  /** Policies in order, with what each works with. */
  readonly policies: readonly Pick<PipelineStep, 'policy' | 'parameters' | 'condition'>[];
  readonly limits: readonly string[];
  readonly service: ExplainedService | null;
}

/** What lets nobody in particular ask, the most open first. */
const OPEN_ACCESS = ['public', 'optional', 'keyless'] as const;

/** Who is told that a method is wrong. */
const WRONG_METHOD_RULES = {
  public: 'public',
  optional: 'optional',
  keyless: 'any valid key, or keyless',
  scoped: 'any valid credential',
} as const;

interface Candidate {
  readonly endpoint: ApiEndpoint;
  readonly pattern: PathPattern;
}

/**
 * What the gateway does with `method` and `target` (a path, its query string ignored) on any host. A path belongs to the
 * most specific pattern that matches it; methods that no endpoint of that pattern names are 405.
 */
export function explainRequest(configuration: Configuration, method: string, target: string): Explanation {
  const path = pathOf(target);
  const asked = method.toUpperCase();
  const catchAll = configuration.endpoints.at(-1);
  if (!catchAll) throw new Error('a checked configuration has a catch-all endpoint');
  const make = (endpoint: ApiEndpoint, pattern: string | null, verdict: string) =>
    explanation(configuration, { method: asked, path, endpoint, pattern, verdict });

  if (isAmbiguous(path)) {
    return make(catchAll, null, '404: dot segments, encoded slashes and backslashes match no endpoint');
  }
  const candidates = candidatesOf(configuration, { path, method: asked }, catchAll);
  const [best] = candidates;
  if (!best) return make(catchAll, null, '404: no endpoint has this path');
  const peers = candidates.filter((one) => comparePrecedence(one.pattern, best.pattern) === 0);
  const answering = peers.find((one) => answers(one.endpoint, asked, peers));
  if (answering)
    return make(answering.endpoint, answering.pattern.path, 'answered when its rule and limits allow');
  const allow = [...new Set(peers.flatMap((one) => one.endpoint.methods ?? []))];
  if (allow.includes('GET') && !allow.includes('HEAD')) allow.push('HEAD');
  // The path's own endpoints say who may learn that, and in which group it counts; the catch-all's policies answer.
  const access: keyof typeof WRONG_METHOD_RULES =
    OPEN_ACCESS.find((open) => peers.some(({ endpoint }) => endpoint.access === open)) ?? 'scoped';
  const judged: ApiEndpoint = { ...catchAll, class: best.endpoint.class, access };
  const answer = make(judged, best.pattern.path, `405: this path answers ${allow.join(', ')}`);
  return { ...answer, rule: WRONG_METHOD_RULES[access] };
}

/** Endpoints that have the path, the most specific first; express decides about regular expressions in the order of the file. */
function candidatesOf(
  { endpoints }: Configuration,
  { path, method }: { readonly path: string; readonly method: string },
  catchAll: ApiEndpoint,
): Candidate[] {
  const found: Candidate[] = [];
  for (const endpoint of endpoints) {
    if (endpoint === catchAll || endpoint.host !== null || endpoint.hostRegex !== null) continue;
    if (endpoint.pathRegex !== null && new RegExp(endpoint.pathRegex).test(path)) {
      found.push({ endpoint, pattern: { path: `regex ${endpoint.pathRegex}`, segments: [], open: true } });
    }
    const patterns = endpoint.paths
      .map(parsePath)
      .filter((pattern) => matches(pattern, path) && hasForm(endpoint, pattern, path, method));
    found.push(...patterns.map((pattern) => ({ endpoint, pattern })));
  }
  return found.sort((a, b) => comparePrecedence(a.pattern, b.pattern));
}

/** With a `parameterPattern`, what has another form or method is an unknown path. */
function hasForm(endpoint: ApiEndpoint, pattern: PathPattern, path: string, method: string): boolean {
  if (endpoint.parameterPattern === undefined) return true;
  const form = new RegExp(`^(?:${endpoint.parameterPattern})$`);
  const parts = path.slice(1).split('/');
  const isOfForm = pattern.segments.every(
    ({ kind }, index) => kind === 'text' || form.test(parts[index] ?? ''),
  );
  return (
    isOfForm && (endpoint.methods?.some((known) => known === (method === 'HEAD' ? 'GET' : method)) ?? false)
  );
}

/** HEAD is answered by GET where nothing else names it. */
function answers(endpoint: ApiEndpoint, method: string, peers: readonly Candidate[]): boolean {
  const names = (one: ApiEndpoint, wanted: string) => one.methods?.some((known) => known === wanted) ?? true;
  if (names(endpoint, method)) return true;
  return method === 'HEAD' && !peers.some((peer) => names(peer.endpoint, 'HEAD')) && names(endpoint, 'GET');
}

function explanation(
  configuration: Configuration,
  found: Pick<Explanation, 'method' | 'path' | 'pattern' | 'verdict'> & { readonly endpoint: ApiEndpoint },
): Explanation {
  const { endpoint, ...rest } = found;
  const steps = stepsOf(configuration, endpoint);
  const name = serviceNameOf(steps);
  const service = name === null ? undefined : configuration.serviceEndpoints[name];
  return {
    ...rest,
    endpoint: endpoint.name,
    rule: ruleOf(endpoint),
    pipeline: endpoint.pipeline,
    policies: steps.map(({ policy, parameters, condition }) => ({
      policy,
      // An endpoint that counts bodies has them read whole, whatever the step says.
      parameters:
        policy === 'body' && endpoint.cost === 'body' ? { ...parameters, read: 'whole' } : parameters,
      condition,
    })),
    limits: explainLimits(configuration.plans, endpoint),
    service: name !== null && service ? { name, ...service } : null,
  };
}

function stepsOf({ pipelines }: Configuration, endpoint: ApiEndpoint): readonly PipelineStep[] {
  return pipelines.find((pipeline) => pipeline.name === endpoint.pipeline)?.steps ?? [];
}

function serviceNameOf(steps: readonly PipelineStep[]): string | null {
  const target = steps.find((step) => step.policy === 'proxy')?.parameters.serviceEndpoint;
  return typeof target === 'string' ? target : null;
}

function ruleOf(endpoint: ApiEndpoint): string {
  if (endpoint.access === 'session') return `session of ${endpoint.roles.join(' or ')}`;
  if (endpoint.access === 'keyless') return `${endpoint.scopes.join(' + ')}, or keyless`;
  if (endpoint.access !== 'scoped') return endpoint.access;
  const others = Object.entries(endpoint.scopesUnder ?? {}).map(
    ([name, scopes]) => `${scopes.join(' + ')} with ${name}`,
  );
  return [endpoint.scopes.join(' + '), ...others].join(', or ');
}
