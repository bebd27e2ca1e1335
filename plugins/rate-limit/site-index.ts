/** The few organizations that carry a public limit of their own, with their websites: all known, so that a stranger's name costs no look-up. */
import type { Logger } from 'pino';
import type { Bus } from '../../services/shared/ports/bus.ts';
import type { Clock } from '../../services/shared/ports/clock.ts';
import type { DocumentStore } from '../../services/shared/ports/document-store.ts';
import { SteadyTime } from '../../services/shared/storage/memory/steady-time.ts';

/** What stands in place of the public limit where this organization is named. */
export interface SiteLimit {
  readonly organizationId: string;
  readonly limit: number;
}

/** By what a request may name: a website, or an organization. */
export interface KnownSites {
  readonly websites: ReadonlyMap<string, SiteLimit>;
  readonly organizations: ReadonlyMap<string, SiteLimit>;
}

export interface SiteIndexPorts {
  readonly documents: DocumentStore;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface SiteIndex {
  /** What is known; a promise only when it is too old and is read again, once for all who ask meanwhile. */
  known(): KnownSites | Promise<KnownSites>;
  close(): void;
}

/** How long one reading serves, in milliseconds, counted from before it: below the 5 seconds of contract.md. */
const LIFE_MS = 4_000;

/** An index that the bus tells of organizations; it is read when asked, so that new websites are known in time too. */
export function createSiteIndex({ documents, bus, clock, logger }: SiteIndexPorts): SiteIndex {
  const time = new SteadyTime(clock);
  let sites: KnownSites = { websites: new Map(), organizations: new Map() };
  let staleAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<KnownSites> | null = null;
  /** Rises with each change: what a reading began before must not be remembered after. */
  let epoch = 0;

  const leave = bus.subscribe(({ kind }) => {
    if (kind !== 'organization' && kind !== 'website' && kind !== 'everything') return;
    epoch++;
    staleAtMs = Number.NEGATIVE_INFINITY;
    reading = null;
  });

  async function read(): Promise<KnownSites> {
    const begunIn = epoch;
    const nextMs = time.now() + LIFE_MS;
    try {
      const found = await readSites(documents);
      if (begunIn === epoch) sites = found;
      return found;
    } catch (fault) {
      logger.warn(
        { err: fault },
        'the public limits of organizations cannot be read: the last known ones hold',
      );
      return sites;
    } finally {
      if (begunIn === epoch) {
        staleAtMs = nextMs;
        reading = null;
      }
    }
  }

  return {
    known() {
      if (time.now() < staleAtMs) return sites;
      reading ??= read();
      return reading;
    },
    close: leave,
  };
}

async function readSites(documents: DocumentStore): Promise<KnownSites> {
  const websites = new Map<string, SiteLimit>();
  const organizations = new Map<string, SiteLimit>();
  for (const { organizationId, publicPerMinute, websiteIds } of await documents.ownPublicLimits()) {
    const site = { organizationId, limit: publicPerMinute };
    organizations.set(organizationId, site);
    for (const id of websiteIds) websites.set(id, site);
  }
  return { websites, organizations };
}
