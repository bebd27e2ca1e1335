/** Finds the paths that express decides: those of every endpoint that the dispatch table cannot hold, so that the table never hides one. */
import type { ApiEndpoint } from '../../configuration/configuration.ts';

/**
 * The endpoints of `endpoints` (those that run on express) that may answer a path on some host. Express decides about
 * such a path alone, by the order of the file among all endpoints; otherwise a public endpoint in the table could answer
 * in place of one with scopes. As on express, case and a trailing slash do not matter.
 */
export function createExpressPaths(
  endpoints: readonly ApiEndpoint[],
): (path: string) => readonly ApiEndpoint[] {
  const patterns = endpoints.flatMap((endpoint) => {
    const { pathRegex, paths } = endpoint;
    const own = pathRegex === null ? paths.map(toRegex) : [new RegExp(pathRegex)];
    return own.map((pattern) => ({ pattern, endpoint }));
  });
  return (path) => patterns.filter(({ pattern }) => pattern.test(path)).map(({ endpoint }) => endpoint);
}

/** Except for dots, a checked path has no special characters of regular expressions. */
function toRegex(path: string): RegExp {
  const source = path
    .split('/')
    .map((segment) =>
      segment.startsWith(':') ? '[^/]+' : segment === '*' ? '.*' : segment.replaceAll('.', '\\.'),
    )
    .join('/');
  return new RegExp(`^${source}/?$`, 'i');
}
