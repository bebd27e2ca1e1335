/** The short links that redirects use, cached for some seconds, unknown slugs too; a write evicts them at once. */
import { LRUCache } from 'lru-cache';
import { atMost } from '../../shared/caches/at-most.ts';
import type { Link } from '../../shared/model/link.ts';
import type { Website } from '../../shared/model/website.ts';
import type { Bus, Invalidation } from '../../shared/ports/bus.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import { SteadyTime } from '../../shared/storage/memory/steady-time.ts';
import { honorsPrivacySignals } from '../ingest/privacy-signals.ts';
import { type Campaign, putCampaign } from '../record/put-page.ts';

/** How old a cached link may be, in milliseconds: changes of other processes apply within 5 seconds. */
const STALE_AFTER_MS = 4_000;
const MOST_LINKS = 10_000;
/** Separate from the links, so that a flood of made-up slugs evicts none of them. */
const MOST_UNKNOWN = 10_000;

/** A link with the data that its clicks need. */
export interface KnownLink {
  readonly link: Link;
  /** The part of its website that clicks need, since a whole website is large; null: the link belongs to the organization. */
  readonly website: Pick<Website, 'id' | 'domain'> | null;
  /** Whether its website counts no clicks of visitors who ask not to be tracked. */
  readonly honorsPrivacySignals: boolean;
  /** Milliseconds since the epoch; infinite without expiry. */
  readonly expiresAtMs: number;
  /** The campaign in the target's address. */
  readonly campaign: Campaign;
}

/** The link of a slug, null if there is none; a promise only if the store is read. @throws ApiError SERVICE_UNAVAILABLE */
export type KnownLinks = (slug: string) => KnownLink | null | Promise<KnownLink | null>;

export interface KnownLinksPorts {
  readonly documents: Pick<DocumentStore, 'links' | 'websites' | 'organizations'>;
  readonly bus: Bus;
  readonly clock: Clock;
}

interface Remembered {
  readonly known: KnownLink | null;
  readonly staleAtMs: number;
}

/** Listens to the bus for its whole life. */
export function createKnownLinks({ documents, bus, clock }: KnownLinksPorts): KnownLinks {
  const time = new SteadyTime(clock);
  const links = new LRUCache<string, Remembered>(atMost(MOST_LINKS));
  const unknown = new LRUCache<string, Remembered>(atMost(MOST_UNKNOWN));
  /** Running look-ups, shared by concurrent callers. */
  const asked = new Map<string, Promise<KnownLink | null>>();
  /** Increases with each change: results of look-ups begun before are not cached. */
  let epoch = 0;

  bus.subscribe((invalidation) => {
    const isMeant = meant(invalidation);
    if (isMeant === null) return;
    epoch++;
    asked.clear();
    for (const [slug, { known }] of links)
      if (known !== null && isMeant(known.link, slug)) links.delete(slug);
    if (invalidation.kind === 'link' && invalidation.slug !== null) unknown.delete(invalidation.slug);
    else unknown.clear();
  });

  async function lookUp(slug: string): Promise<KnownLink | null> {
    const begunIn = epoch;
    const staleAtMs = time.now() + STALE_AFTER_MS;
    try {
      const known = await find(documents, slug);
      if (begunIn === epoch) (known === null ? unknown : links).set(slug, { known, staleAtMs });
      return known;
    } finally {
      if (begunIn === epoch) asked.delete(slug);
    }
  }

  return function knownLink(slug) {
    const remembered = links.get(slug) ?? unknown.get(slug);
    if (remembered !== undefined && time.now() < remembered.staleAtMs) return remembered.known;
    if (remembered !== undefined) {
      links.delete(slug);
      unknown.delete(slug);
    }
    const running = asked.get(slug);
    if (running !== undefined) return running;
    const begun = lookUp(slug);
    asked.set(slug, begun);
    return begun;
  };
}

/** The cached links that an invalidation concerns; null if none. A link that changed its slug is found by its id. */
function meant(invalidation: Invalidation): ((link: Link, slug: string) => boolean) | null {
  switch (invalidation.kind) {
    case 'link':
      return (link, slug) => link.id === invalidation.id || slug === invalidation.slug;
    case 'website':
      return (link) => link.websiteId === invalidation.id;
    case 'organization':
      return (link) => link.organizationId === invalidation.id;
    case 'everything':
      return () => true;
    default:
      return null;
  }
}

/** A link exists as long as its organization and its website, whenever it is cleaned up. */
async function find(documents: KnownLinksPorts['documents'], slug: string): Promise<KnownLink | null> {
  const link = await documents.links.findUnique('slug', [slug]);
  if (!link) return null;
  const { organizationId, websiteId, expiresAt, targetUrl } = link;
  const [organization, website] = await Promise.all([
    documents.organizations.get(organizationId, organizationId),
    websiteId === null ? null : documents.websites.get(organizationId, websiteId),
  ]);
  if (!organization || (websiteId !== null && !website)) return null;
  return {
    link,
    website: website && { id: website.id, domain: website.domain },
    honorsPrivacySignals: honorsPrivacySignals(website ?? null),
    expiresAtMs: expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt),
    campaign: putCampaign({}, new URL(targetUrl).search.slice(1)),
  };
}
