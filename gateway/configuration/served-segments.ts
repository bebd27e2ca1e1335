/** The first segment of every served path, so that no short link takes a name the service uses; and which names are taken from links. */
import { isSlug } from '../../services/shared/links/slug.ts';
import { OWN_PATHS } from './check-paths.ts';
import type { Configuration } from './configuration.ts';

/** Each segment once, without parameters such as `:slug`. The matches of a `pathRegex` are unknown here. */
export function servedSegments({ endpoints }: Pick<Configuration, 'endpoints'>): string[] {
  const paths = [...OWN_PATHS, ...endpoints.flatMap((endpoint) => endpoint.paths)];
  const segments = paths.map((path) => path.split('/')[1] ?? '');
  return [...new Set(segments)].filter((segment) => segment !== '' && !/^[:*]/.test(segment));
}

/**
 * Slugs at which something other than a short link answers, each with what that is. A slug that is reserved because a longer
 * path begins with it still works where a link has it.
 */
export function takenSlugs({ endpoints }: Pick<Configuration, 'endpoints'>): ReadonlyMap<string, string> {
  const taken = new Map<string, string>();
  const add = (path: string, answeredBy: string): void => {
    const slug = path.slice(1);
    if (isSlug(slug) && !taken.has(slug)) taken.set(slug, answeredBy);
  };
  for (const path of OWN_PATHS) add(path, 'the gateway itself');
  for (const { name, paths, host, hostRegex } of endpoints) {
    if (host !== null || hostRegex !== null) continue;
    for (const path of paths) add(path, `the endpoint "${name}"`);
  }
  return taken;
}
