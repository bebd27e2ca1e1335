/** What state a link is in by what the API tells of it, and which of its addresses may be followed. */
import type { LinkView } from '../../api/wire.ts';

const DAY_MS = 86_400_000;
/** A link that ends within so many days is marked, so that what carries it is renewed in time. */
const ENDING_DAYS = 7;

/** `moved`: it has ended, and leads elsewhere since. */
export type LinkState = 'active' | 'ending' | 'ended' | 'moved';

export function stateOf(
  { expiresAt, expiredRedirectUrl }: Pick<LinkView, 'expiresAt' | 'expiredRedirectUrl'>,
  now: number,
): LinkState {
  const left = expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt) - now;
  if (left <= 0) return expiredRedirectUrl === null ? 'ended' : 'moved';
  return left <= ENDING_DAYS * DAY_MS ? 'ending' : 'active';
}

/** The address of a page of the web, for a link to it; undefined for everything else that a text may be. */
export function webAddress(text: string): string | undefined {
  try {
    const { protocol, href } = new URL(text);
    return /^https?:$/.test(protocol) ? href : undefined;
  } catch {
    return undefined;
  }
}
