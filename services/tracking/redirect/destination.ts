/** Decides where a short link leads somebody: by its expiry, then by the system of the client. */
import type { KnownLink } from './known-links.ts';

/** `expired`: it leads nowhere any more. */
export type Destination =
  | { readonly kind: 'target'; readonly url: string }
  | { readonly kind: 'replacement'; readonly url: string }
  | { readonly kind: 'expired' };

/** Where it leads at `now` (milliseconds) on a system such as `iOS`; null: the client does not tell. A link ends at the instant of its expiry. */
export function destinationOf(
  { link, expiresAtMs }: KnownLink,
  now: number,
  system: string | null,
): Destination {
  if (now >= expiresAtMs) {
    const { expiredRedirectUrl } = link;
    return expiredRedirectUrl === null
      ? { kind: 'expired' }
      : { kind: 'replacement', url: expiredRedirectUrl };
  }
  return { kind: 'target', url: urlFor(link, system) };
}

function urlFor({ targetUrl, iosUrl, androidUrl }: KnownLink['link'], system: string | null): string {
  if (system === 'iOS') return iosUrl ?? targetUrl;
  if (system === 'Android') return androidUrl ?? targetUrl;
  return targetUrl;
}
