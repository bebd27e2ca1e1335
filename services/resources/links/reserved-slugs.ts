/** The words that cannot be slugs, because the service itself answers at these paths (contract.md section 3). */

/** Paths reserved for the service, besides those that it serves. */
const KEPT_FREE = ['admin', 'api', 'static', 'assets', 'metrics', 'robots', 'favicon'];

/** Whether a slug is reserved, ignoring case. */
export type IsReservedSlug = (slug: string) => boolean;

/** `servedSegments`: the first segment of every served path, from the gateway's configuration. */
export function createIsReservedSlug(servedSegments: () => readonly string[]): IsReservedSlug {
  return (slug) => {
    const word = slug.toLowerCase();
    return [...KEPT_FREE, ...servedSegments()].some((reserved) => reserved.toLowerCase() === word);
  };
}
