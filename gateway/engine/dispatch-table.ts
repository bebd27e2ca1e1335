/** Routes requests by a table compiled from the configuration: exact paths in a map, parameters in a radix tree, the rest behind. */
import findMyWay from 'find-my-way';
import type { Endpoint } from '../../services/shared/plugin/endpoint.ts';
import type { PolicyHandler } from '../../services/shared/plugin/request-context.ts';
import type { ApiEndpoint } from '../configuration/configuration.ts';

/** An endpoint with the policies that its requests pass, in order. */
export interface Chain {
  readonly endpoint: Endpoint;
  readonly handlers: readonly PolicyHandler[];
}

/** What answers one path. */
interface PathEntry {
  readonly byMethod: Map<string, Chain>;
  /** For methods not named: the endpoint of all methods, else the answer 405, or null for an unknown path. */
  otherwise: Chain | null;
  /** What the parameters match whole; with it, methods not named are an unknown path. */
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
  /** What answers everything else: its policies count and answer 404. */
  readonly unmatched: Chain;
}

/** The rule of an endpoint, as policies see it. */
export function endpointRule(endpoint: ApiEndpoint): Endpoint {
  return {
    name: endpoint.name,
    access: endpoint.access,
    roles: endpoint.roles,
    scopes: endpoint.scopes,
    ...(endpoint.scopesUnder && { scopesUnder: endpoint.scopesUnder }),
    class: endpoint.class,
    limits: endpoint.limits,
    cost: endpoint.cost,
    cors: endpoint.cors,
    endedSession: endpoint.endedSession,
    allow: null,
  };
}

/** Compiles the table; the last input is the catch-all. The configuration check has judged order and overlaps. */
export function compileDispatchTable(inputs: readonly DispatchInput[]): DispatchTable {
  const catchAll = inputs.at(-1);
  if (!catchAll?.endpoint.paths.includes('/*')) throw new Error('the last endpoint must be the catch-all');
  const unmatched: Chain = { endpoint: endpointRule(catchAll.endpoint), handlers: catchAll.handlers };

  const entries = new Map<string, PathEntry>();
  for (const { endpoint, handlers } of inputs.slice(0, -1)) {
    const chain: Chain = { endpoint: endpointRule(endpoint), handlers };
    for (const path of endpoint.paths) {
      const entry = entries.get(path) ?? newEntry(endpoint);
      entries.set(path, entry);
      if (endpoint.methods === null) entry.otherwise ??= chain;
      for (const method of endpoint.methods ?? []) setFirst(entry.byMethod, method, chain);
    }
  }

  const exact = new Map<string, PathEntry>();
  const tree = findMyWay({ caseSensitive: true, ignoreTrailingSlash: false, maxParamLength: 1024 });
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

  return {
    unmatched,
    match(method, path) {
      let entry = exact.get(path);
      if (entry === undefined && patterns > 0) {
        const found = tree.find('GET', path);
        if (found !== null && !hasEmptyParameter(path, found.params)) entry = found.store as PathEntry;
        if (entry !== undefined && !hasForm(entry, found?.params)) return null;
      }
      if (entry === undefined) return null;
      return entry.byMethod.get(method) ?? entry.otherwise;
    },
  };
}

function newEntry({ parameterPattern }: ApiEndpoint): PathEntry {
  const pattern = parameterPattern === undefined ? null : new RegExp(`^(?:${parameterPattern})$`);
  return { byMethod: new Map(), otherwise: null, parameterPattern: pattern };
}

function hasForm({ parameterPattern }: PathEntry, params: Record<string, string | undefined> = {}): boolean {
  if (parameterPattern === null) return true;
  return Object.values(params).every((value) => parameterPattern.test(value ?? ''));
}

/** The tree lets `:id` stand for nothing (`/links/`); express and the configuration check do not. */
function hasEmptyParameter(path: string, params: Record<string, string | undefined>): boolean {
  if (!path.endsWith('/') && !path.includes('//')) return false;
  return Object.entries(params).some(([name, value]) => name !== '*' && value === '');
}

function setFirst(map: Map<string, Chain>, method: string, chain: Chain): void {
  if (!map.has(method)) map.set(method, chain);
}

/** What lets nobody in particular ask, the most open first. */
const OPEN_ACCESS = ['public', 'optional', 'keyless'] as const;

/** A wrong method on a known path: judged like the path's own endpoints, then answered 405 by the catch-all's policies. */
function methodNotAllowed(entry: PathEntry, unmatched: Chain): Chain {
  const chains = [...entry.byMethod.values()];
  return {
    endpoint: {
      name: unmatched.endpoint.name,
      access: OPEN_ACCESS.find((open) => chains.some(({ endpoint }) => endpoint.access === open)) ?? 'scoped',
      scopes: [],
      roles: [],
      class: chains[0]?.endpoint.class ?? 'other',
      limits: [],
      cost: 'request',
      cors: chains.some((chain) => chain.endpoint.cors === 'open') ? 'open' : 'own',
      endedSession: 'refused',
      allow: [...entry.byMethod.keys()],
    },
    handlers: unmatched.handlers,
  };
}
