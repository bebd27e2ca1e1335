/** Finds where a visit came from: the host of its referrer and its traffic group (datasets.md). */
import { hostOf } from './put-page.ts';
import { groupOfHost } from './referrer-hosts.ts';

/** Traffic groups. */
export type ReferrerGroup = 'direct' | 'search' | 'social' | 'email' | 'referral' | 'campaign';

const WITH_SCHEME = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i;
/** A host without scheme, as some clients send it. */
const BARE_HOST = /^([a-z0-9-]+(?:\.[a-z0-9-]+)+)(?=$|[/:?#])/i;

export interface ReferrerInput {
  readonly referrer: string | null | undefined;
  readonly utmSource: string | null;
  /** Hosts of the website itself: its domain and the host of the page. */
  readonly ownHosts: readonly (string | null)[];
}

export interface Referrer {
  readonly referrer: string | null;
  /** Without a leading `www.`; null if the visit came from the website itself or has no referrer. */
  readonly referrer_host: string | null;
  readonly referrer_group: ReferrerGroup;
}

/** The columns of the referrer. A utm_source makes it a campaign, whatever the referrer. */
export function putReferrer({ referrer, utmSource, ownHosts }: ReferrerInput): Referrer {
  const host = referrerHost(referrer ?? '');
  const isOwn = host !== null && ownHosts.some((own) => own !== null && belongsTo(host, withoutWww(own)));
  const outside = isOwn ? null : host;
  const group = outside === null ? 'direct' : groupOfHost(outside);
  return {
    referrer: referrer || null,
    referrer_host: outside,
    referrer_group: utmSource === null ? group : 'campaign',
  };
}

function referrerHost(referrer: string): string | null {
  const authority = (WITH_SCHEME.exec(referrer) ?? BARE_HOST.exec(referrer))?.[1];
  const host = authority === undefined ? null : hostOf(authority);
  return host === null ? null : withoutWww(host) || null;
}

function withoutWww(host: string): string {
  return host.startsWith('www.') ? host.slice(4) : host;
}

/** Whether `host` is `domain` or a subdomain of it. */
function belongsTo(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}
