/** The websites that requests without a key name, remembered for some seconds: strangers must not cost a store read each. */
import { LRUCache } from 'lru-cache';
import { LONGEST_WEBSITE_ID } from '../../shared/access/named-website.ts';
import type { Website } from '../../shared/model/website.ts';
import type { Bus } from '../../shared/ports/bus.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';

/** How old what is known of a website may be, in milliseconds: a changed setting binds within 5 seconds, whoever changed it. */
const STALE_AFTER_MS = 4_000;
const MOST_SITES = 10_000;

/** The website of an identifier, whosever it is; null when there is none. @throws ApiError SERVICE_UNAVAILABLE */
export type KeylessSites = (websiteId: string) => Promise<Website | null>;

interface Known {
  readonly website: Promise<Website | null>;
  readonly staleAtMs: number;
}

/** Unknown identifiers are remembered too; a look-up that failed is not. What `bus` tells of is forgotten at once. */
export function createKeylessSites(
  documents: Pick<DocumentStore, 'websites'>,
  clock: Clock,
  bus: Pick<Bus, 'subscribe'>,
): KeylessSites {
  const known = new LRUCache<string, Known>({ max: MOST_SITES });
  bus.subscribe((changed) => {
    if (changed.kind === 'website') known.delete(changed.id);
    else if (changed.kind === 'everything') known.clear();
  });

  return function keylessSite(websiteId) {
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
