/** Warns of paths that are open to anybody and lie over guarded ones of the same backend, which no rule of ours guards twice. */
import type { ServiceEndpoint } from '../../services/shared/plans/service-endpoint.ts';
import type { ApiEndpoint, Pipeline } from './configuration.ts';
import type { Cursor } from './cursor.ts';
import { covers, parsePath } from './path-patterns.ts';

type Endpoint = Pick<ApiEndpoint, 'name' | 'paths' | 'methods' | 'access' | 'host' | 'hostRegex'>;

/** How many guarded paths a warning names. */
const MOST_NAMED = 3;

/**
 * Reports, at the endpoints below `place`, each path `/*` that asks for nothing and covers a path that does, where both lead to
 * one foreign backend: what the backend takes for the guarded path, and the gateway does not, is open. Services of our own
 * decide by the rule of the route.
 */
export function warnOfOpenPaths(
  place: Cursor,
  endpoints: readonly Endpoint[],
  pipelines: readonly Pipeline[],
  services: Readonly<Record<string, Pick<ServiceEndpoint, 'audience'>>>,
): void {
  const byName = new Map(endpoints.map((endpoint) => [endpoint.name, endpoint]));
  for (const [backend, names] of endpointsByBackend(pipelines, services)) {
    const behind = names.flatMap((name) => byName.get(name) ?? []);
    const guarded = behind.filter((endpoint) => !isOpen(endpoint));
    for (const open of behind.filter(isOpen)) {
      for (const path of open.paths.filter((each) => each.endsWith('/*'))) {
        const under = guarded.flatMap((other) => guardedUnder(path, open, other));
        if (under.length === 0) continue;
        const more = under.length > MOST_NAMED ? ` and ${under.length - MOST_NAMED} more` : '';
        const text = `${path} is open to anybody over ${under.slice(0, MOST_NAMED).join(', ')}${more}, at the same backend "${backend}": another spelling of such a path, as in capitals, is open if the backend takes it for the same`;
        place.at(open.name).report(text, { came: path, candidates: [] });
      }
    }
  }
}

const isOpen = ({ access }: Endpoint): boolean => access === 'public' || access === 'optional';

/** The paths of `other` that `path` of `open` covers, for some methods of both. */
function guardedUnder(path: string, open: Endpoint, other: Endpoint): string[] {
  if (open.host !== other.host || open.hostRegex !== other.hostRegex) return [];
  const { methods } = other;
  if (open.methods && methods && !open.methods.some((method) => methods.includes(method))) return [];
  return other.paths.flatMap((each) =>
    covers(parsePath(path), parsePath(each)) ? `${each} of "${other.name}"` : [],
  );
}

/** The endpoints whose requests each foreign backend answers. */
function endpointsByBackend(
  pipelines: readonly Pipeline[],
  services: Readonly<Record<string, Pick<ServiceEndpoint, 'audience'>>>,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { steps, endpoints } of pipelines) {
    const proxies = steps.filter(({ policy }) => policy === 'proxy');
    for (const name of new Set(proxies.map(({ parameters }) => String(parameters.serviceEndpoint))))
      if (services[name]?.audience === null) found.set(name, [...(found.get(name) ?? []), ...endpoints]);
  }
  return found;
}
