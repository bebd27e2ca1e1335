/** Whose links slugs are, as far as an organization with a public limit of its own may be meant: strangers' slugs cost few look-ups. */
import { LRUCache } from 'lru-cache';
import type { PlansFile } from '../../services/shared/plugin/plans.ts';
import type { Bus } from '../../services/shared/ports/bus.ts';
import type { Clock } from '../../services/shared/ports/clock.ts';
import type { CounterStore } from '../../services/shared/ports/counter-store.ts';
import type { DocumentStore } from '../../services/shared/ports/document-store.ts';
import { addressSubject, publicLimitUses } from '../../services/shared/rate-limit/public-limit.ts';
import { SteadyTime } from '../../services/shared/storage/memory/steady-time.ts';
import type { KnownSites, SiteLimit } from './site-index.ts';

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
  /** The limit of the organization whose link it is; null where the common one holds. */
  limitOf(
    asked: AskedSlug,
    organizations: KnownSites['organizations'],
  ): SiteLimit | null | Promise<SiteLimit | null>;
  close(): void;
}

/** How long a look-up serves, in milliseconds, counted from before it: below the 5 seconds of contract.md. */
const LIFE_MS = 4_000;
/** Of organizations with a limit of their own, and apart from them of all others, which drive out none. */
const MOST_SLUGS = 10_000;

interface Owner {
  readonly organizationId: string | null;
  readonly staleAtMs: number;
}

/**
 * A slug that nobody looked up lately is looked up only while the address has some of its common budget left: a flood of
 * made-up slugs reaches no store once it is refused. What was last known of an organization's slug is always asked again.
 */
export function createSlugOwners({ documents, bus, clock, counters, plans }: SlugOwnersPorts): SlugOwners {
  const time = new SteadyTime(clock);
  const common = publicLimitUses(plans).links;
  const own = new LRUCache<string, Owner>({ max: MOST_SLUGS });
  const others = new LRUCache<string, Owner>({ max: MOST_SLUGS });
  /** Rises with each change: what a look-up began before must not be remembered after. */
  let epoch = 0;

  const leave = bus.subscribe((invalidation) => {
    if (invalidation.kind !== 'link' && invalidation.kind !== 'everything') return;
    epoch++;
    if (invalidation.kind === 'everything') {
      own.clear();
      others.clear();
      return;
    }
    // A link that has another slug now is known by its new one only. What others write takes no organization its slugs.
    for (const [slug, { organizationId }] of own) {
      if (organizationId === invalidation.organizationId) own.delete(slug);
    }
    if (invalidation.slug !== null) others.delete(invalidation.slug);
    else others.clear();
  });

  async function lookUp(
    slug: string,
    known: Owner | undefined,
    organizations: KnownSites['organizations'],
  ): Promise<SiteLimit | null> {
    const begunIn = epoch;
    const staleAtMs = time.now() + LIFE_MS;
    try {
      const link = await documents.links.findUnique('slug', [slug]);
      const organizationId = link?.organizationId ?? null;
      const limit = organizations.get(organizationId ?? '') ?? null;
      if (begunIn === epoch) (limit === null ? others : own).set(slug, { organizationId, staleAtMs });
      return limit;
    } catch {
      // The redirect itself says that the store is down.
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
