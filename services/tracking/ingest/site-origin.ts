/** Judges whether a page of some origin may send events to a website without a key (contract.md section 6, Keyless). */
import { domainToASCII } from 'node:url';
import type { Website } from '../../shared/model/website.ts';
import { parseUrl } from '../../shared/text/parse-url.ts';

/** An origin as browsers write it (RFC 6454, 6.2): no user, path or trailing dot; `null` and lists are none. */
const ORIGIN = /^https?:\/\/([a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/**
 * Whether `origin` is the website's domain or below it, on http or https and any port, or one of its `allowedOrigins`
 * to the letter.
 */
export function isSiteOrigin(origin: string, { domain, settings }: Website): boolean {
  const host = ORIGIN.exec(origin)?.[1]?.toLowerCase();
  if (host === undefined || parseUrl(origin) === null) return false;
  const own = domainToASCII(domain) || domain;
  if (host === own || host.endsWith(`.${own}`)) return !host.includes('..');
  return (settings.allowedOrigins ?? []).includes(new URL(origin).origin);
}
