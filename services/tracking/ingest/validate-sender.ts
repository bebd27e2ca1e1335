/** The first step of ingest: who sends, a key, or nobody for a website that lets them (contract.md section 6, Keyless). */
import type { Caller } from '../../shared/access/caller.ts';
import { namedWebsite } from '../../shared/access/named-website.ts';
import type { Website } from '../../shared/model/website.ts';
import type { WebsiteSelector } from '../record/website-selector.ts';
import { IngestRefusal } from './ingest-refusal.ts';
import type { KeylessSites } from './keyless-sites.ts';
import { isSiteOrigin } from './site-origin.ts';

/** `keyed`: a key or session, with its own reach; `keyless`: nobody, for the one website that the request names. */
export type Sender =
  | { readonly kind: 'keyed'; readonly caller: Caller }
  | { readonly kind: 'keyless'; readonly site: Website };

export interface SenderInput {
  readonly caller: Caller;
  readonly query: WebsiteSelector;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * The sender. A request without `Origin` comes from no page of another site, so it passes.
 * @throws IngestRefusal AUTH_REQUIRED when neither key nor website is named, ACCESS_DENIED when the website is unknown,
 * takes no events without a key, or the page is none of its own
 */
export async function validateSender(input: SenderInput, sites: KeylessSites): Promise<Sender> {
  const { caller, query, headers } = input;
  if (caller.kind !== 'public') return { kind: 'keyed', caller };
  const id = namedWebsite(query, headers);
  if (id === null) {
    throw new IngestRefusal(
      'site_unnamed',
      'AUTH_REQUIRED',
      'Send an API key, or name the website: client_id in the query string or the header databuddy-client-id.',
    );
  }
  const site = await sites(id);
  if (site === null) throw closed('site_unknown', id);
  if (site.settings.keylessTracking === false) throw closed('keyless_off', id);
  const { origin } = headers;
  if (origin !== undefined && !(typeof origin === 'string' && isSiteOrigin(origin, site))) {
    throw new IngestRefusal(
      'origin_foreign',
      'ACCESS_DENIED',
      `The website "${id}" takes no events from pages of this origin: they must stand on the website's domain, a subdomain of it, or ` +
        'one of its settings.allowedOrigins. Add the origin there (PATCH /v1/websites/<id>, or a file named by PROVISION_FILE), or send an API key.',
    );
  }
  return { kind: 'keyless', site };
}

/** Unknown websites and those that want a key look alike. */
function closed(reason: 'site_unknown' | 'keyless_off', id: string): IngestRefusal {
  return new IngestRefusal(
    reason,
    'ACCESS_DENIED',
    `The website "${id}" takes no events without an API key.`,
  );
}
