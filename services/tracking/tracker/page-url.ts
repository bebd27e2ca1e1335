/** The reported address of the page. */

/** The longest address that the API accepts, in characters. */
export const LONGEST_URL = 2_048;

/**
 * The address without fragment; with `usesHash`, the fragment is appended to the path, because it holds the page's
 * routes.
 */
export function pageUrl(usesHash: boolean): string {
  const { origin, pathname, search, hash } = location;
  if (!usesHash || hash.length < 2) return (origin + pathname + search).slice(0, LONGEST_URL);
  const folder = pathname.replace(/\/(?:index\.html?)?$/, '');
  const route = hash.replace(/^#!?\/?/, '/');
  return (origin + folder + route + (route.includes('?') ? '' : search)).slice(0, LONGEST_URL);
}

/** What distinguishes two pages; not the query string, which pages rewrite for filters and the like. */
export function pageKey(url: string): string | undefined {
  return url.split('?')[0];
}
