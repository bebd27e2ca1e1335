/** Which routes a search and filters find: as data, without the page. */
import type { PlatformData } from '../../api/wire.ts';

type Route = PlatformData<'configuration'>['routes'][number];

/** What a filter says of routes that no backend answers; no serviceEndpoint may have this name. */
export const HERE = '-';

interface Wanted {
  readonly search?: string | undefined;
  readonly backend?: string | undefined;
  readonly limit?: string | undefined;
}

/** Those that have every word of the search in anything that is shown of them. */
export function matchingRoutes(
  routes: readonly Route[],
  { search = '', backend, limit }: Wanted,
): readonly Route[] {
  const words = search.toLowerCase().split(/\s+/);
  return routes.filter((route) => {
    const text = textOf(route);
    return (
      words.every((word) => text.includes(word)) &&
      (!backend || (route.service ?? HERE) === backend) &&
      (!limit || route.limits.includes(limit))
    );
  });
}

/** What may be chosen, in the order of the alphabet. */
export function choicesOf(routes: readonly Route[], filter: 'backend' | 'limit'): string[] {
  const all = routes.flatMap(({ service, limits }) => (filter === 'limit' ? limits : [service ?? HERE]));
  return [...new Set(all)].sort();
}

/** As `tidegate routes` writes it. */
export function placeOf({ file, line }: Pick<Route, 'file' | 'line'>): string {
  return line === null ? file : `${file}:${line}`;
}

function textOf(route: Route): string {
  const { method, path, endpoint, rule, pipeline, policies, limits, service } = route;
  const parts = [method, path, endpoint, rule, pipeline, ...policies, ...limits, service ?? ''];
  return [...parts, placeOf(route)].join(' ').toLowerCase();
}
