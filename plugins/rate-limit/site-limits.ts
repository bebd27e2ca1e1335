/** The public limit that an organization carries in place of the common one, for requests that name one of its websites. */
import { LRUCache } from 'lru-cache';
import type { GatewayRequest, RequestContext } from '../../services/shared/plugin/request-context.ts';
import type { GatewayRuntime } from '../../services/shared/plugin/runtime.ts';
import { addressSubject, publicLimitUses } from '../../services/shared/rate-limit/public-limit.ts';

/** What stands in place of the public limit where this organization is named. */
export interface SiteLimit {
  readonly organizationId: string;
  readonly limit: number;
}

/** What is known of a website. */
interface KnownSite {
  readonly organizationId: string;
  /** Null: the organization carries no limit of its own. */
  readonly site: SiteLimit | null;
  staleAtMs: number;
}

/** How long a look-up serves, in milliseconds, counted from before it: below the 5 seconds of contract.md. */
const LIFE_MS = 4_000;
const KNOWN_SITES = 10_000;
const UNKNOWN_SITES = 10_000;
const LONGEST_ID = 256;

/** Names under which a query string names a website. */
const SELECTORS = ['clientId', 'client_id', 'website_id', 'websiteId'];
const CLIENT_ID_HEADER = 'databuddy-client-id';

/** The limit for a request; a promise only when the store is asked, null where the common limit holds. */
export type SiteLimits = (req: GatewayRequest) => SiteLimit | null | Promise<SiteLimit | null>;

/**
 * Looks up whom a request names: of requests without a credential, on endpoints of the classes ingest, flags and links. A
 * name that is not known to be one is looked up only while its address has budget in that group. When the store does not
 * answer, what was last known holds, else the common limit.
 */
export function createSiteLimits(runtime: GatewayRuntime): SiteLimits {
  const { documents, clock, bus, counters, plans } = runtime;
  const publicUses = publicLimitUses(plans);
  const offered = plans.limits.public.override !== undefined;
  const known = new LRUCache<string, KnownSite>({ max: KNOWN_SITES });
  /** Until when a name is nobody's. */
  const unknown = new LRUCache<string, number>({ max: UNKNOWN_SITES });
  const underWay = new Map<string, Promise<SiteLimit | null>>();
  /** Rises with each change: what a look-up began before must not be remembered after. */
  let epoch = 0;

  runtime.onClose(
    bus.subscribe((changed) => {
      if (changed.kind !== 'organization' && changed.kind !== 'everything') return;
      epoch++;
      underWay.clear();
      unknown.clear();
      for (const entry of known.values()) {
        if (changed.kind === 'everything' || entry.organizationId === changed.id) entry.staleAtMs = 0;
      }
    }),
  );

  async function lookUp(name: string): Promise<SiteLimit | null> {
    const staleAtMs = clock.now() + LIFE_MS;
    const begunIn = epoch;
    const website = await documents.websites.findUnique('id', [name]);
    const organizationId = website?.organizationId ?? name;
    const organization = await documents.organizations.get(organizationId, organizationId);
    if (organization === null) {
      if (begunIn === epoch) {
        known.delete(name);
        unknown.set(name, staleAtMs);
      }
      return null;
    }
    const { publicPerMinute } = organization.limits;
    const site = publicPerMinute === undefined ? null : { organizationId, limit: publicPerMinute };
    if (begunIn === epoch) known.set(name, { organizationId, site, staleAtMs });
    return site;
  }

  function lookUpOnce(name: string, last: SiteLimit | null): Promise<SiteLimit | null> {
    const pending = lookUp(name)
      .catch(() => last)
      .finally(() => {
        if (underWay.get(name) === pending) underWay.delete(name);
      });
    underWay.set(name, pending);
    return pending;
  }

  function mayGuess({ address, endpoint }: RequestContext): boolean {
    return counters.peek(addressSubject(address), publicUses[endpoint.class]).remaining > 0;
  }

  return function siteLimit(req) {
    const { context } = req;
    if (!offered || context.endpoint.class === 'other') return null;
    if (context.principal === null || context.principal.caller.kind !== 'public') return null;
    const name = namedSite(req);
    if (name === null) return null;
    const now = clock.now();
    const entry = known.get(name);
    if (entry !== undefined && entry.staleAtMs > now) return entry.site;
    if (entry === undefined && ((unknown.get(name) ?? 0) > now || !mayGuess(context))) return null;
    return underWay.get(name) ?? lookUpOnce(name, entry?.site ?? null);
  };
}

/** The one website that a request names by query string or header; null when there is none, or when they differ. */
function namedSite({ url, headers }: GatewayRequest): string | null {
  const names = new Set<string>();
  const start = url.indexOf('?');
  if (start !== -1) {
    for (const [key, value] of new URLSearchParams(url.slice(start + 1))) {
      if (SELECTORS.includes(key)) names.add(value);
    }
  }
  const header = headers[CLIENT_ID_HEADER];
  if (typeof header === 'string') names.add(header);
  const [name = ''] = names;
  return names.size === 1 && name !== '' && name.length <= LONGEST_ID ? name : null;
}
