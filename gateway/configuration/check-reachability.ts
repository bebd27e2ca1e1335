/** Checks that each endpoint is reachable, and that the dispatch table and the order of the file choose the same one. */
import type { DeclaredEndpoint } from './check-endpoints.ts';
import { comparePrecedence, covers, overlaps, type PathPattern, parsePath } from './path-patterns.ts';

interface Route {
  readonly endpoint: DeclaredEndpoint;
  readonly pattern: PathPattern;
}

/** Checks the valid endpoints; those with a fault of their own are skipped until it is fixed. */
export function checkReachability(endpoints: readonly DeclaredEndpoint[]): void {
  const sound = endpoints.filter((endpoint) => endpoint.sound);
  for (const group of hostGroups(sound)) checkGroup(group);
  checkHostsFirst(sound);
  checkPathRegexes(sound);
}

/** Endpoints that express-gateway mounts together: one host, or none. */
function hostGroups(endpoints: readonly DeclaredEndpoint[]): DeclaredEndpoint[][] {
  const groups = new Map<string, DeclaredEndpoint[]>();
  for (const endpoint of endpoints) {
    const key = `${endpoint.hostRegex !== null} ${endpoint.hostRegex ?? endpoint.host ?? ''}`;
    const group = groups.get(key) ?? [];
    group.push(endpoint);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function checkGroup(endpoints: readonly DeclaredEndpoint[]): void {
  const before = new EarlierRoutes();
  for (const endpoint of endpoints) {
    const routes = endpoint.paths.map((path) => ({ endpoint, pattern: parsePath(path) }));
    const earlier = before.near(routes);
    if (!reportUnreachable(endpoint, routes, earlier)) {
      for (const route of routes) reportShadowed(route, earlier);
      reportOrder(endpoint, routes, earlier);
    }
    before.add(routes);
  }
}

/** The text of a segment, as express compares it; null for a parameter, for what `/*` matches, and behind the end. */
type SegmentText = string | null;
type Beginning = readonly [first: SegmentText, second: SegmentText];

/** Routes by their first two segments: those that begin with different texts share no request, and are not compared. */
class EarlierRoutes {
  readonly #all: Route[] = [];
  /** Places in `all`, by the texts of both segments. */
  readonly #places = new Map<SegmentText, Map<SegmentText, number[]>>();

  add(routes: readonly Route[]): void {
    for (const route of routes) {
      const [first, second] = beginningOf(route);
      const bySecond = this.#places.get(first) ?? new Map<SegmentText, number[]>();
      this.#places.set(first, bySecond);
      const places = bySecond.get(second) ?? [];
      bySecond.set(second, places);
      places.push(this.#all.push(route) - 1);
    }
  }

  /** Those that may share a request with one of `routes`, in the order of the file. */
  near(routes: readonly Route[]): readonly Route[] {
    const beginnings = routes.map(beginningOf);
    if (beginnings.some(([first]) => first === null)) return this.#all.slice();
    const places = new Set<number>();
    for (const [first, second] of beginnings) {
      for (const bySecond of [this.#places.get(first), this.#places.get(null)]) {
        const near =
          second === null ? [...(bySecond?.values() ?? [])] : [bySecond?.get(second), bySecond?.get(null)];
        for (const place of near.flatMap((each) => each ?? [])) places.add(place);
      }
    }
    return [...places].sort((a, b) => a - b).flatMap((place) => this.#all[place] ?? []);
  }
}

function beginningOf({ pattern }: Route): Beginning {
  const [first, second] = pattern.segments;
  return [first?.kind === 'text' ? first.folded : null, second?.kind === 'text' ? second.folded : null];
}

/** Earlier endpoints answer all its paths and methods. */
function reportUnreachable(
  endpoint: DeclaredEndpoint,
  routes: readonly Route[],
  earlier: readonly Route[],
): boolean {
  if (routes.length === 0) return false;
  const answering = new Set<Route>();
  for (const route of routes) {
    const before = earlier.filter((other) => covers(other.pattern, route.pattern));
    const all = before.find((other) => other.endpoint.methods === null);
    if (all) {
      answering.add(all);
      continue;
    }
    if (endpoint.methods === null) return false;
    for (const method of endpoint.methods) {
      const one = before.find((other) => other.endpoint.methods?.includes(method));
      if (!one) return false;
      answering.add(one);
    }
  }
  const names = [...new Set([...answering].map((route) => route.endpoint.name))];
  const general = [...answering].some((other) =>
    routes.some(
      (route) =>
        overlaps(route.pattern, other.pattern) && comparePrecedence(route.pattern, other.pattern) < 0,
    ),
  );
  const list = [
    ...new Set([...answering].map((route) => `"${route.endpoint.name}" (${route.pattern.path})`)),
  ];
  const advice = general
    ? `; declare "${endpoint.name}" before ${names.map((name) => `"${name}"`).join(' and ')}`
    : '';
  endpoint.cursor.report(
    `no request reaches it: ${list.join(' and ')} ${list.length > 1 ? 'answer' : 'answers'} before it${advice}`,
    {
      came: endpoint.name,
    },
  );
  return true;
}

/** An earlier endpoint has one of its paths, for some of its methods or in another spelling. */
function reportShadowed(route: Route, earlier: readonly Route[]): void {
  const { endpoint, pattern } = route;
  for (const other of earlier) {
    if (!overlaps(pattern, other.pattern) || comparePrecedence(pattern, other.pattern) !== 0) continue;
    const shared = sharedMethods(endpoint, other.endpoint);
    const { name } = other.endpoint;
    if (shared !== null) {
      endpoint.cursor.report(`${shared} ${pattern.path} is already answered by "${name}"`, {
        came: pattern.path,
      });
    } else if (pattern.path !== other.pattern.path) {
      const text = `${pattern.path} is ${other.pattern.path} of "${name}" in another spelling; write both alike`;
      endpoint.cursor.report(text, { came: pattern.path });
    }
  }
}

/** An earlier endpoint answers requests that the table would give to this one: one fault per pair of endpoints. */
function reportOrder(endpoint: DeclaredEndpoint, routes: readonly Route[], earlier: readonly Route[]): void {
  const told = new Set<string>();
  for (const route of routes) {
    for (const other of earlier) {
      const name = other.endpoint.name;
      if (!overlaps(route.pattern, other.pattern)) continue;
      if (comparePrecedence(route.pattern, other.pattern) >= 0) continue;
      if (told.has(name) || sharedMethods(endpoint, other.endpoint) === null) continue;
      told.add(name);
      endpoint.cursor.report(
        `${route.pattern.path} is more specific than ${other.pattern.path} of "${name}", which comes first; declare "${endpoint.name}" before "${name}"`,
        { came: endpoint.name },
      );
    }
  }
}

/** The methods that both answer, as text; null if there are none. */
function sharedMethods(a: DeclaredEndpoint, b: DeclaredEndpoint): string | null {
  if (a.methods === null && b.methods === null) return 'every method of';
  if (a.methods === null) return b.methods?.join(', ') ?? null;
  const shared = a.methods.filter((method) => b.methods?.includes(method) ?? true);
  return shared.length === 0 ? null : shared.join(', ');
}

/** Express-gateway tries hosts in the order of their first appearance; endpoints without a host answer for all. */
function checkHostsFirst(endpoints: readonly DeclaredEndpoint[]): void {
  const firstOpen = endpoints.findIndex((endpoint) => !hasHost(endpoint));
  if (firstOpen === -1) return;
  for (const endpoint of endpoints.slice(firstOpen).filter(hasHost)) {
    const before = endpoints[firstOpen]?.name;
    endpoint.cursor.report(
      `no request reaches it: endpoints without a host answer before it; declare "${endpoint.name}" before "${before}"`,
      { came: endpoint.name },
    );
  }
}

function hasHost(endpoint: DeclaredEndpoint): boolean {
  return endpoint.host !== null || endpoint.hostRegex !== null;
}

/** A pathRegex runs on express, behind the table: where it matches an exact path of another endpoint, the order is unclear. */
function checkPathRegexes(endpoints: readonly DeclaredEndpoint[]): void {
  for (const endpoint of endpoints) {
    if (endpoint.pathRegex === null) continue;
    const regex = new RegExp(endpoint.pathRegex);
    for (const other of endpoints) {
      if (hasHost(other) !== hasHost(endpoint) || sharedMethods(endpoint, other) === null) continue;
      const path = other.paths.find((candidate) => !/[:*]/.test(candidate) && regex.test(candidate));
      if (path === undefined) continue;
      endpoint.cursor
        .at('pathRegex')
        .report(`matches ${path} of "${other.name}"; one path has one endpoint`, {
          candidates: [],
        });
    }
  }
}
