/**
 * The few organizations with a public limit of their own, and their websites: all are known, so that a stranger's name
 * costs no look-up.
 */
import type { Logger } from 'pino';
import type { Bus } from '../../services/shared/ports/bus.ts';
import type { Clock } from '../../services/shared/ports/clock.ts';
import type { DocumentStore } from '../../services/shared/ports/document-store.ts';
import { SteadyTime } from '../../services/shared/storage/memory/steady-time.ts';

/** What replaces the public limit where this organization is named. */
export interface WebsiteLimit {
  readonly organizationId: string;
  readonly limit: number;
}

/** By the names that a request may use: a website, or an organization. */
export interface KnownWebsites {
  readonly websites: ReadonlyMap<string, WebsiteLimit>;
  readonly organizations: ReadonlyMap<string, WebsiteLimit>;
}

export interface WebsiteIndexPorts {
  readonly documents: DocumentStore;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface WebsiteIndex {
  /** What is known; a promise only when it is too old and is read again, once for all who ask meanwhile. */
  known(): KnownWebsites | Promise<KnownWebsites>;
  close(): void;
}

/** How long one read may be used, in milliseconds, counted from before it: less than the 5 seconds of contract.md. */
const LIFE_MS = 4_000;

/** An index that the bus invalidates; it is read on demand, so that new websites are known in time too. */
export function createWebsiteIndex({ documents, bus, clock, logger }: WebsiteIndexPorts): WebsiteIndex {
  const time = new SteadyTime(clock);
  let websites: KnownWebsites = { websites: new Map(), organizations: new Map() };
  let staleAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<KnownWebsites> | null = null;
  /** Each change raises it: a read that began before must not be cached after. */
  let epoch = 0;

  const leave = bus.subscribe(({ kind }) => {
    if (kind !== 'organization' && kind !== 'website' && kind !== 'everything') return;
    epoch++;
    staleAtMs = Number.NEGATIVE_INFINITY;
    reading = null;
  });

  async function read(): Promise<KnownWebsites> {
    const begunIn = epoch;
    const nextMs = time.now() + LIFE_MS;
    try {
      const found = await readWebsites(documents);
      if (begunIn === epoch) websites = found;
      return found;
    } catch (fault) {
      logger.warn(
        { err: fault },
        'the public limits of organizations cannot be read: the last known ones hold',
      );
      return websites;
    } finally {
      if (begunIn === epoch) {
        staleAtMs = nextMs;
        reading = null;
      }
    }
  }

  return {
    known() {
      if (time.now() < staleAtMs) return websites;
      reading ??= read();
      return reading;
    },
    close: leave,
  };
}

async function readWebsites(documents: DocumentStore): Promise<KnownWebsites> {
  const websites = new Map<string, WebsiteLimit>();
  const organizations = new Map<string, WebsiteLimit>();
  for (const { organizationId, publicPerMinute, websiteIds } of await documents.ownPublicLimits()) {
    const website = { organizationId, limit: publicPerMinute };
    organizations.set(organizationId, website);
    for (const id of websiteIds) websites.set(id, website);
  }
  return { websites, organizations };
}
