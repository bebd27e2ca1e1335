/** The websites that senders name, cached for some seconds: an event must not cost a store read, least of all one from a stranger. */
import { LRUCache } from 'lru-cache';
import { LONGEST_WEBSITE_ID } from '../../shared/access/named-website.ts';
import { atMost } from '../../shared/caches/at-most.ts';
import type { Website } from '../../shared/model/website.ts';
import type { Bus } from '../../shared/ports/bus.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';

/** How old a cached website may be, in milliseconds: a changed setting applies within 5 seconds, whichever process changed it. */
const STALE_AFTER_MS = 4_000;
const MOST_WEBSITES = 10_000;

/** The website of an identifier, in any organization; null if there is none. @throws ApiError SERVICE_UNAVAILABLE */
export type KnownWebsites = (websiteId: string) => Promise<Website | null>;

interface Known {
  readonly website: Promise<Website | null>;
  readonly staleAtMs: number;
}

/** Caches unknown identifiers too, but not failed look-ups. What `bus` announces is evicted at once. */
export function createKnownWebsites(
  documents: Pick<DocumentStore, 'websites'>,
  clock: Clock,
  bus: Pick<Bus, 'subscribe'>,
): KnownWebsites {
  const known = new LRUCache<string, Known>(atMost(MOST_WEBSITES));
  bus.subscribe((changed) => {
    if (changed.kind === 'website') known.delete(changed.id);
    else if (changed.kind === 'everything') known.clear();
  });

  return function knownWebsite(websiteId) {
    if (websiteId.length > LONGEST_WEBSITE_ID) return Promise.resolve(null);
    const now = clock.now();
    const found = known.get(websiteId);
    if (found !== undefined && now < found.staleAtMs) return found.website;
    const website = documents.websites.findUnique('id', [websiteId]);
    const entry = { website, staleAtMs: now + STALE_AFTER_MS };
    known.set(websiteId, entry);
    website.catch(() => {
      if (known.peek(websiteId) === entry) known.delete(websiteId);
    });
    return website;
  };
}
