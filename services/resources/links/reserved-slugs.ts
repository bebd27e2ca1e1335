/** The words that no short link may have as its slug, for the service itself answers there (contract.md section 3). */

/** Paths that are kept free for the service, besides those that it serves. */
const KEPT_FREE = ['admin', 'api', 'static', 'assets', 'metrics', 'robots', 'favicon'];

/** Whether a slug is reserved, in any case of its letters. */
export type IsReservedSlug = (slug: string) => boolean;

/** `servedSegments`: the first segment of every path that is served, as the gateway's configuration has them. */
export function createIsReservedSlug(servedSegments: () => readonly string[]): IsReservedSlug {
  return (slug) => {
    const word = slug.toLowerCase();
    return [...KEPT_FREE, ...servedSegments()].some((reserved) => reserved.toLowerCase() === word);
  };
}
