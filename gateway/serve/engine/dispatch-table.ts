/** Routes requests by a table compiled from the configuration: exact paths in a map, parameters in a radix tree, then the catch-all. */
import findMyWay from 'find-my-way';
import { type CorsRule, corsRuleOf } from '../../../plugins/kit/cors-rule.ts';
import type { PolicyHandler } from '../../../plugins/kit/request-context.ts';
import type { Endpoint } from '../../../services/shared/plans/endpoint.ts';
import type { ApiEndpoint } from '../../configuration/configuration.ts';
import { countedSegment } from '../../configuration/counted-segment.ts';

/** An endpoint with the policies that its requests pass, in order. */
export interface Chain {
  readonly endpoint: Endpoint;
  readonly handlers: readonly PolicyHandler[];
  /** Which pages may read its answers, where a policy says it; null: `cors` of the endpoint. */
  readonly cors: CorsRule | null;
}

const NO_QUERY = {};

/** The chains that answer one path. */
interface PathEntry {
  readonly template: string;
  readonly byMethod: Map<string, Chain>;
  /** For methods not named: the endpoint of all methods, else the answer 405, or null for an unknown path. */
  otherwise: Chain | null;
  /** The pattern of whole parameters; if set, any method not named makes the path unknown. */
  parameterPattern: RegExp | null;
}

/** Endpoints of the table, in the order of the file, the catch-all last. */
export interface DispatchInput {
  readonly endpoint: ApiEndpoint;
  readonly handlers: readonly PolicyHandler[];
}

export interface DispatchTable {
  /** The chain of a method and path; null when no endpoint of the table has this path. */
  match(method: string, path: string): Chain | null;
  /** The path as the configuration writes it, such as `/v1/links/:id`; null when it has none. */
  templateOf(path: string): string | null;
  /** The chain for everything else: its policies count and answer 404. */
  readonly unmatched: Chain;
}

/** The rule of an endpoint as policies see it. */
export function endpointRule(endpoint: ApiEndpoint): Endpoint {
  return {
    name: endpoint.name,
    access: endpoint.access,
    roles: endpoint.roles,
    ...(endpoint.operators && { operators: true as const }),
    scopes: endpoint.scopes,
    ...(endpoint.scopesUnder && { scopesUnder: endpoint.scopesUnder }),
    class: endpoint.class,
    countedSegment: countedSegment(endpoint.paths),
    limits: endpoint.limits,
    ...(endpoint.plan && { plan: endpoint.plan }),
    cost: endpoint.cost,
    countedList: endpoint.countedList,
    cors: endpoint.cors,
    endedSession: endpoint.endedSession,
    ...(endpoint.origin && { origin: endpoint.origin }),
    routes: endpoint.routes,
    allow: null,
  };
}

/** Compiles the table; the last input is the catch-all. The configuration check has validated order and overlaps. */
export function compileDispatchTable(inputs: readonly DispatchInput[]): DispatchTable {
  const catchAll = inputs.at(-1);
  if (!catchAll?.endpoint.paths.includes('/*')) throw new Error('the last endpoint must be the catch-all');
  const unmatched = chainOf(catchAll);

  const entries = new Map<string, PathEntry>();
  for (const input of inputs.slice(0, -1)) {
    const { endpoint } = input;
    const chain = chainOf(input);
    for (const path of endpoint.paths) {
      const entry = entries.get(path) ?? newEntry(endpoint, path);
      entries.set(path, entry);
      if (endpoint.methods === null) entry.otherwise ??= chain;
      for (const method of endpoint.methods ?? []) setFirst(entry.byMethod, method, chain);
    }
  }

  const exact = new Map<string, PathEntry>();
  const tree = findMyWay({
    caseSensitive: true,
    ignoreTrailingSlash: false,
    maxParamLength: 1024,
    // It only sees paths: query strings are parsed elsewhere, in one place.
    querystringParser: () => NO_QUERY,
  });
  let patterns = 0;
  for (const [path, entry] of entries) {
    const get = entry.byMethod.get('GET');
    if (get) setFirst(entry.byMethod, 'HEAD', get);
    if (entry.parameterPattern === null) entry.otherwise ??= methodNotAllowed(entry, unmatched);
    if (!path.includes(':') && !path.endsWith('/*')) {
      exact.set(path, entry);
      continue;
    }
    patterns++;
    tree.on('GET', path, () => undefined, entry);
  }

  function find(path: string): PathEntry | null {
    const entry = exact.get(path);
    if (entry !== undefined || patterns === 0) return entry ?? null;
    const found = tree.find('GET', path);
    if (found === null || hasEmptyParameter(path, found.params)) return null;
    const pattern = found.store as PathEntry;
    return hasForm(pattern, found.params) ? pattern : null;
  }

  return {
    unmatched,
    match(method, path) {
      const entry = find(path);
      return entry === null ? null : (entry.byMethod.get(method) ?? entry.otherwise);
    },
    templateOf: (path) => find(path)?.template ?? null,
  };
}

/** A policy that is a rule about pages is no step of the chain. */
function chainOf({ endpoint, handlers }: DispatchInput): Chain {
  return {
    endpoint: endpointRule(endpoint),
    handlers: handlers.filter((handler) => corsRuleOf(handler) === null),
    cors: handlers.map(corsRuleOf).find((rule) => rule !== null) ?? null,
  };
}

function newEntry({ parameterPattern }: ApiEndpoint, template: string): PathEntry {
  const pattern = parameterPattern === undefined ? null : new RegExp(`^(?:${parameterPattern})$`);
  return { template, byMethod: new Map(), otherwise: null, parameterPattern: pattern };
}

function hasForm({ parameterPattern }: PathEntry, params: Record<string, string | undefined> = {}): boolean {
  if (parameterPattern === null) return true;
  return Object.values(params).every((value) => parameterPattern.test(value ?? ''));
}

/** In the tree `:id` may match nothing (`/links/`); in express and the configuration check it may not. */
function hasEmptyParameter(path: string, params: Record<string, string | undefined>): boolean {
  if (!path.endsWith('/') && !path.includes('//')) return false;
  return Object.entries(params).some(([name, value]) => name !== '*' && value === '');
}

function setFirst(map: Map<string, Chain>, method: string, chain: Chain): void {
  if (!map.has(method)) map.set(method, chain);
}

/** Access that admits anonymous callers, the most open first. */
const OPEN_ACCESS = ['public', 'optional', 'keyless'] as const;

/**
 * A wrong method on a known path: judged like the requests of the path's own endpoints, by the policy that says who calls, the
 * first of each chain; then answered 405 by the catch-all's policies.
 */
function methodNotAllowed(entry: PathEntry, unmatched: Chain): Chain {
  const chains = [...entry.byMethod.values()];
  const access = OPEN_ACCESS.find((open) => chains.some(({ endpoint }) => endpoint.access === open));
  const judged = chains.find(({ endpoint }) => access === undefined || endpoint.access === access);
  return {
    endpoint: {
      name: unmatched.endpoint.name,
      access: access ?? 'scoped',
      scopes: [],
      roles: [],
      class: chains[0]?.endpoint.class ?? 'other',
      limits: [],
      cost: 'request',
      countedList: null,
      cors: chains.some((chain) => chain.endpoint.cors === 'open') ? 'open' : 'own',
      endedSession: 'refused',
      allow: [...entry.byMethod.keys()],
    },
    handlers: [
      ...(judged?.handlers.slice(0, 1) ?? []),
      ...unmatched.handlers.slice(judged === undefined ? 0 : 1),
    ],
    cors: chains.find((chain) => chain.cors !== null)?.cors ?? unmatched.cors,
  };
}
