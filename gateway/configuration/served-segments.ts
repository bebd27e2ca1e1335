/** The first segment of every path that is served, so that no short link takes a name that the service answers to. */
import { OWN_PATHS } from './check-paths.ts';
import type { Configuration } from './configuration.ts';

/** Each once; a segment that stands for many, such as `:slug`, is none. What a `pathRegex` matches is not known here. */
export function servedSegments({ endpoints }: Pick<Configuration, 'endpoints'>): string[] {
  const paths = [...OWN_PATHS, ...endpoints.flatMap((endpoint) => endpoint.paths)];
  const segments = paths.map((path) => path.split('/')[1] ?? '');
  return [...new Set(segments)].filter((segment) => segment !== '' && !/^[:*]/.test(segment));
}
