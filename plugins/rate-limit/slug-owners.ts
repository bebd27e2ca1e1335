/**
 * Which organization's link a slug is, if organizations have public limits of their own: strangers' slugs cost few
 * look-ups.
 */
import { LRUCache } from 'lru-cache';
import { atMost } from '../../services/shared/caches/at-most.ts';
import type { PlansFile } from '../../services/shared/plans/plans.ts';
import { addressSubject, publicLimitUses } from '../../services/shared/plans/public-limit.ts';
import type { Bus } from '../../services/shared/ports/bus.ts';
import type { Clock } from '../../services/shared/ports/clock.ts';
import type { CounterStore } from '../../services/shared/ports/counter-store.ts';
import type { DocumentStore } from '../../services/shared/ports/document-store.ts';
import { SteadyTime } from '../../services/shared/storage/memory/steady-time.ts';
import type { KnownWebsites, WebsiteLimit } from './website-index.ts';

export interface SlugOwnersPorts {
  readonly documents: DocumentStore;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly counters: CounterStore;
  readonly plans: PlansFile;
}

/** A slug, and the address that asks for it. */
export interface AskedSlug {
  readonly slug: string;
  readonly address: string;
}

export interface SlugOwners {
  /** The limit of the link's organization; null where the common one applies. */
  limitOf(
    asked: AskedSlug,
    organizations: KnownWebsites['organizations'],
  ): WebsiteLimit | null | Promise<WebsiteLimit | null>;
  close(): void;
}

/** How long a look-up may be used, in milliseconds, counted from before it: less than the 5 seconds of contract.md. */
const LIFE_MS = 4_000;
/** Slugs of organizations with a limit of their own; all others are kept separately and evict none of them. */
const MOST_SLUGS = 10_000;

interface Owner {
  readonly organizationId: string | null;
  readonly staleAtMs: number;
}

/**
 * A slug that was not looked up lately is looked up only while the address has some of its common budget left: a refused
 * flood of made-up slugs reaches no store. A slug last known to be an organization's is always looked up again.
 */
export function createSlugOwners({ documents, bus, clock, counters, plans }: SlugOwnersPorts): SlugOwners {
  const time = new SteadyTime(clock);
  const common = publicLimitUses(plans).links;
  const own = new LRUCache<string, Owner>(atMost(MOST_SLUGS));
  const others = new LRUCache<string, Owner>(atMost(MOST_SLUGS));
  /** Each change raises it: a look-up that began before must not be cached after. */
  let epoch = 0;

  const leave = bus.subscribe((invalidation) => {
    if (invalidation.kind !== 'link' && invalidation.kind !== 'everything') return;
    epoch++;
    if (invalidation.kind === 'everything') {
      own.clear();
      others.clear();
      return;
    }
    // A renamed link is announced only by its new slug. Writes of others evict none of an organization's slugs.
    for (const [slug, { organizationId }] of own) {
      if (organizationId === invalidation.organizationId) own.delete(slug);
    }
    if (invalidation.slug !== null) others.delete(invalidation.slug);
    else others.clear();
  });

  async function lookUp(
    slug: string,
    known: Owner | undefined,
    organizations: KnownWebsites['organizations'],
  ): Promise<WebsiteLimit | null> {
    const begunIn = epoch;
    const staleAtMs = time.now() + LIFE_MS;
    try {
      const link = await documents.links.findUnique('slug', [slug]);
      const organizationId = link?.organizationId ?? null;
      const limit = organizations.get(organizationId ?? '') ?? null;
      if (begunIn === epoch) (limit === null ? others : own).set(slug, { organizationId, staleAtMs });
      return limit;
    } catch {
      // The redirect itself reports that the store is down.
      return organizations.get(known?.organizationId ?? '') ?? null;
    }
  }

  return {
    limitOf({ slug, address }, organizations) {
      const known = own.get(slug) ?? others.get(slug);
      const limit = organizations.get(known?.organizationId ?? '') ?? null;
      if (known !== undefined && time.now() < known.staleAtMs) return limit;
      if (limit === null && counters.peek(addressSubject(address), common).remaining === 0) return null;
      return lookUp(slug, known, organizations);
    },
    close: leave,
  };
}
