/** The first step of ingest: authorizes the sender, by key or keyless for a website that allows it (contract.md section 6, Keyless). */

import { domainToASCII } from 'node:url';
import type { Caller } from '../../shared/access/caller.ts';
import { namedWebsite } from '../../shared/access/named-website.ts';
import type { Website } from '../../shared/model/website.ts';
import type { Disk } from '../../shared/storage/disk-watch.ts';
import { parseUrl } from '../../shared/text/parse-url.ts';
import type { WebsiteSelector } from '../record/website-selector.ts';
import { IngestRefusal } from './ingest-refusal.ts';
import type { KnownWebsites } from './known-websites.ts';

/** `keyed`: a key or session, with its own access; `keyless`: no credential, for the one website that the request names. */
export type Sender =
  | { readonly kind: 'keyed'; readonly caller: Caller }
  | { readonly kind: 'keyless'; readonly website: Website };

export interface SenderPorts {
  readonly websites: KnownWebsites;
  readonly disk: Disk;
}

/** When a client refused because of a low disk may retry. */
const LOW_DISK_RETRY_SECONDS = 60;

export interface SenderInput {
  readonly caller: Caller;
  readonly query: WebsiteSelector;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * The sender. A request without `Origin` does not come from a page of another site, so it passes.
 * @throws IngestRefusal AUTH_REQUIRED when neither key nor website is named, ACCESS_DENIED when the website is unknown,
 * takes no events without a key, or the page is not one of its own; SERVICE_UNAVAILABLE while the disk is low
 */
export async function validateSender(input: SenderInput, { websites, disk }: SenderPorts): Promise<Sender> {
  const { caller, query, headers } = input;
  if (caller.kind !== 'public') return { kind: 'keyed', caller };
  const id = namedWebsite(query, headers);
  if (id === null) {
    throw new IngestRefusal(
      'website_unnamed',
      'AUTH_REQUIRED',
      'Send an API key, or name the website: client_id in the query string or the header databuddy-client-id.',
    );
  }
  if (disk.isLow()) throw low();
  const website = await websites(id);
  if (website === null) throw closed('website_unknown', id);
  if (website.settings.keylessTracking === false) throw closed('keyless_off', id, website);
  const { origin } = headers;
  if (origin !== undefined && !(typeof origin === 'string' && isWebsiteOrigin(origin, website))) {
    throw new IngestRefusal(
      'origin_foreign',
      'ACCESS_DENIED',
      `The website "${id}" takes no events from pages of this origin: they must stand on the website's domain, a subdomain of it, or ` +
        'one of its settings.allowedOrigins. Add the origin there (PATCH /v1/websites/<id>, or a file named by PROVISION_FILE), or send an API key.',
      website,
    );
  }
  return { kind: 'keyless', website };
}

/** On a low disk, events without a key make room for those with one. */
function low(): IngestRefusal {
  return new IngestRefusal('disk_low', 'SERVICE_UNAVAILABLE', {
    text: 'The server is short of disk space and takes no events without an API key at the moment.',
    headers: { 'Retry-After': `${LOW_DISK_RETRY_SECONDS}` },
  });
}

/** Unknown websites and those that require a key look alike. */
function closed(
  reason: 'website_unknown' | 'keyless_off',
  id: string,
  website: Website | null = null,
): IngestRefusal {
  return new IngestRefusal(
    reason,
    'ACCESS_DENIED',
    `The website "${id}" takes no events without an API key.`,
    website,
  );
}

/** An origin as browsers write it (RFC 6454, 6.2): no user, path or trailing dot; `null` and lists are not origins. */
const ORIGIN = /^https?:\/\/([a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/**
 * Whether `origin` is the website's domain or a subdomain, on http or https and any port, or exactly one of its
 * `allowedOrigins`.
 */
function isWebsiteOrigin(origin: string, { domain, settings }: Website): boolean {
  const host = ORIGIN.exec(origin)?.[1]?.toLowerCase();
  if (host === undefined || parseUrl(origin) === null) return false;
  const own = domainToASCII(domain) || domain;
  if (host === own || host.endsWith(`.${own}`)) return !host.includes('..');
  return (settings.allowedOrigins ?? []).includes(new URL(origin).origin);
}
