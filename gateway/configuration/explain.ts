/** Explains what the configuration does with a request: endpoint, pipeline, rule, policies, limits and service. */
import { isAmbiguous } from '../../services/shared/http/ambiguous-path.ts';
import { pathOf } from '../../services/shared/http/query-string.ts';
import type { ServiceEndpoint } from '../../services/shared/plans/service-endpoint.ts';
import type { ApiEndpoint, Configuration, PipelineStep } from './configuration.ts';
import { explainLimits } from './explain-limits.ts';
import { type Admission, admissionsOf, WRONG_METHOD_ADMISSIONS } from './explained-rule.ts';
import { type LimitedCaller, type LimitNumber, limitNumbers } from './limit-numbers.ts';
import { comparePrecedence, matches, type PathPattern, parsePath } from './path-patterns.ts';
import type { FileLine } from './place.ts';
import { sessionOf } from './session-rule.ts';

/** One line of the route table, with where its endpoint stands. */
export interface RouteRow extends FileLine {
  /** `*` for every method. */
  readonly method: string;
  /** Path, or `regex …`, preceded by the host if there is one. */
  readonly path: string;
  readonly endpoint: string;
  /** `public`, `optional`, or the required scopes, with `or keyless` where that is allowed. */
  readonly rule: string;
  readonly pipeline: string;
  readonly policies: readonly string[];
  /** The serviceEndpoint that answers; null when the gateway answers. */
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
        ...endpoint.place,
      })),
    );
  });
}

/** The upstream of a request. */
export interface ExplainedService extends Omit<ServiceEndpoint, 'urls'> {
  readonly name: string;
  /** Null when they are known only at startup. */
  readonly urls: readonly string[] | null;
}

/** A policy that the request passes. */
export interface ExplainedPolicy extends Pick<PipelineStep, 'policy' | 'parameters' | 'condition'> {
  /** What it does with this path, where its parameters alone do not say it. */
  readonly does?: string;
}

/** What happens to a request, with where its endpoint stands. */
export interface Explanation extends FileLine {
  readonly method: string;
  readonly path: string;
  /** The outcome, in a sentence. */
  readonly verdict: string;
  /** 200: answered when rule and limits allow; else the status of the refusal that everybody gets: 400, 404 or 405. */
  readonly status: 200 | 400 | 404 | 405;
  /** The methods of the path, where it has not the one asked with; else empty. */
  readonly allow: readonly string[];
  /** The path as declared; null when only the catch-all matches. */
  readonly pattern: string | null;
  readonly endpoint: string;
  readonly rule: string;
  /** The rule as data. */
  readonly admissions: readonly Admission[];
  readonly pipeline: string;
  /** Policies in order, each with its parameters and condition. */
  readonly policies: readonly ExplainedPolicy[];
  readonly limits: readonly string[];
  /** The limits as data. */
  readonly numbers: readonly LimitNumber[];
  /** How many further ones of single organizations and keys may bind. */
  readonly moreNumbers: number;
  readonly service: ExplainedService | null;
}

/** Access that admits anonymous callers, the most open first. */
const OPEN_ACCESS = ['public', 'optional', 'keyless'] as const;

/** The callers who get 405 for a wrong method. */
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
 * Explains what the gateway does with `method` and `target` (a path; its query string is ignored) on any host. A path belongs
 * to the most specific pattern that matches it; a method that no endpoint of that pattern names gets 405.
 * Of who is `asking`, limits of others are left out.
 */
export function explainRequest(
  configuration: Configuration,
  method: string,
  target: string,
  asking: LimitedCaller | null = null,
): Explanation {
  const path = pathOf(target);
  const asked = method.toUpperCase();
  const catchAll = configuration.endpoints.at(-1);
  if (!catchAll) throw new Error('a checked configuration has a catch-all endpoint');
  const make = (endpoint: ApiEndpoint, pattern: string | null, status: 200 | 400 | 404, verdict: string) =>
    explanation(configuration, {
      ...{ method: asked, path, endpoint, pattern, verdict },
      ...{ status, allow: [], asking },
    });

  // Refused before anything of the configuration is asked: no policy sees it, and no limit counts it.
  if (target.includes('#')) {
    const unseen = make(catchAll, null, 400, '400: a target has no "#"; write %23');
    return { ...unseen, policies: [], limits: [], numbers: [], moreNumbers: 0, service: null };
  }
  if (isAmbiguous(path)) {
    return make(catchAll, null, 404, '404: dot segments, encoded slashes and backslashes match no endpoint');
  }
  const { peers, answering } = peersAt(configuration, { path, method: asked }, catchAll);
  const [best] = peers;
  if (!best) return make(catchAll, null, 404, '404: no endpoint has this path');
  if (answering)
    return make(answering.endpoint, answering.pattern.path, 200, 'answered when its rule and limits allow');
  const allow = [...new Set(peers.flatMap((one) => one.endpoint.methods ?? []))];
  if (allow.includes('GET') && !allow.includes('HEAD')) allow.push('HEAD');
  // The path's own endpoints decide who may see the 405, and in which group it counts; the catch-all's policies answer.
  const access: keyof typeof WRONG_METHOD_RULES =
    OPEN_ACCESS.find((open) => peers.some(({ endpoint }) => endpoint.access === open)) ?? 'scoped';
  const judged: ApiEndpoint = { ...catchAll, class: best.endpoint.class, access };
  const own = peers.find(({ endpoint }) => endpoint.access === access) ?? best;
  const answer = explanation(
    configuration,
    {
      ...{ method: asked, path, endpoint: judged, pattern: best.pattern.path },
      ...{ verdict: `405: this path answers ${allow.join(', ')}`, status: 405, allow, asking },
    },
    own.endpoint,
  );
  return { ...answer, rule: WRONG_METHOD_RULES[access], admissions: WRONG_METHOD_ADMISSIONS[access] };
}

/** The endpoint that answers a request on any host; null: none does, or not this method. */
export function answeringEndpoint(
  configuration: Pick<Configuration, 'endpoints'>,
  method: string,
  path: string,
): ApiEndpoint | null {
  const catchAll = configuration.endpoints.at(-1);
  if (catchAll === undefined || isAmbiguous(path)) return null;
  return peersAt(configuration, { path, method }, catchAll).answering?.endpoint ?? null;
}

/** The endpoints at the pattern that a path belongs to, and the one of them that answers the method. */
function peersAt(
  configuration: Pick<Configuration, 'endpoints'>,
  asked: { readonly path: string; readonly method: string },
  catchAll: ApiEndpoint,
): { readonly peers: readonly Candidate[]; readonly answering: Candidate | undefined } {
  const candidates = candidatesOf(configuration, asked, catchAll);
  const [best] = candidates;
  if (best === undefined) return { peers: [], answering: undefined };
  const peers = candidates.filter((one) => comparePrecedence(one.pattern, best.pattern) === 0);
  return { peers, answering: peers.find((one) => answers(one.endpoint, asked.method, peers)) };
}

/** Endpoints that match the path, the most specific first; express tries regular expressions in the order of the file. */
function candidatesOf(
  { endpoints }: Pick<Configuration, 'endpoints'>,
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

/** With a `parameterPattern`, any other form or method is an unknown path. */
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

/** GET endpoints answer HEAD unless another endpoint names it. */
function answers(endpoint: ApiEndpoint, method: string, peers: readonly Candidate[]): boolean {
  const names = (one: ApiEndpoint, wanted: string) => one.methods?.some((known) => known === wanted) ?? true;
  if (names(endpoint, method)) return true;
  return method === 'HEAD' && !peers.some((peer) => names(peer.endpoint, 'HEAD')) && names(endpoint, 'GET');
}

function explanation(
  configuration: Configuration,
  found: Pick<Explanation, 'method' | 'path' | 'pattern' | 'verdict' | 'status' | 'allow'> & {
    readonly endpoint: ApiEndpoint;
    readonly asking: LimitedCaller | null;
  },
  /** Whose policy says who calls. */
  judgedBy: ApiEndpoint = found.endpoint,
): Explanation {
  const { endpoint, asking, ...rest } = found;
  const steps = [
    ...stepsOf(configuration, judgedBy).slice(0, 1),
    ...stepsOf(configuration, endpoint).slice(1),
  ];
  const name = serviceNameOf(steps);
  const service = name === null ? undefined : configuration.serviceEndpoints[name];
  return {
    ...rest,
    endpoint: endpoint.name,
    ...endpoint.place,
    rule: ruleOf(endpoint),
    admissions: admissionsOf(endpoint),
    pipeline: endpoint.pipeline,
    policies: steps.map(({ policy, parameters, condition }) =>
      configuration.secrets.conceal({
        policy,
        // An endpoint that counts bodies reads them whole, whatever the step says.
        parameters:
          policy === 'body' && endpoint.cost === 'body' ? { ...parameters, read: 'whole' } : parameters,
        condition,
        ...does(configuration, policy, parameters, rest.path),
      }),
    ),
    limits: explainLimits(configuration.plans, endpoint, steps[0]?.policy, asking),
    ...limitNumbers(configuration.plans, endpoint, asking),
    service: name !== null && service ? { name, ...service } : null,
  };
}

function does(
  { explainers }: Configuration,
  policy: string,
  parameters: PipelineStep['parameters'],
  path: string,
): Pick<ExplainedPolicy, 'does'> {
  const explain = explainers.get(policy);
  return explain === undefined ? {} : { does: explain(parameters, path) };
}

/** The policies that requests to the endpoint pass. */
export function stepsOf({ pipelines }: Configuration, endpoint: ApiEndpoint): readonly PipelineStep[] {
  return pipelines.find((pipeline) => pipeline.name === endpoint.pipeline)?.steps ?? [];
}

function serviceNameOf(steps: readonly PipelineStep[]): string | null {
  const target = steps.find((step) => step.policy === 'proxy')?.parameters.serviceEndpoint;
  return typeof target === 'string' ? target : null;
}

/** Who may ask, in words. */
export function ruleOf(endpoint: ApiEndpoint): string {
  if (endpoint.access === 'session') return sessionOf(endpoint);
  if (endpoint.access === 'keyless') return `${endpoint.scopes.join(' + ')}, or keyless`;
  if (endpoint.origin === 'own') return `${endpoint.access}, for pages of the own domains`;
  if (endpoint.access !== 'scoped') return endpoint.access;
  const others = Object.entries(endpoint.scopesUnder ?? {}).map(
    ([selector, scopes]) => `${scopes.join(' + ')} under ${selector}`,
  );
  return [endpoint.scopes.join(' + '), ...others].join(', or ');
}
