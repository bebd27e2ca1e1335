/**
 * A document store that caches the websites of organizations, which nearly every query needs: pushed invalidation, and a
 * bounded age.
 */
import { LRUCache } from 'lru-cache';
import type { Bus, Invalidation } from '../ports/bus.ts';
import type { Clock } from '../ports/clock.ts';
import type { DocumentStore, WebsiteSummary } from '../ports/document-store.ts';
import { SteadyTime } from './memory/steady-time.ts';

/**
 * How long a cached answer may be used, in milliseconds, counted from before the read: less than the 5 seconds of
 * contract.md.
 */
const LIFE_MS = 4_000;
/** How many websites are cached, over all organizations; about 300 bytes each. */
const MOST_WEBSITES = 100_000;
/** What an organization counts in addition to its websites, so that organizations without any are bounded too. */
const OWN_SIZE = 1;

interface Remembered {
  readonly websites: readonly WebsiteSummary[];
  readonly staleAtMs: number;
  /** The store's count of other processes' writes at the time of the read. */
  readonly foreignChanges: number;
}

/**
 * Caches websites, and forgets what `bus` announces at once. An answer past its age is still used while the store says
 * that no other process has written since, and is read again otherwise. A store that cannot answer is a fault: nothing
 * is served beyond its age, even when the bus is lost.
 */
export function rememberWebsites(
  documents: DocumentStore,
  { bus, clock }: { readonly bus: Pick<Bus, 'subscribe'>; readonly clock: Clock },
): DocumentStore {
  const time = new SteadyTime(clock);
  const known = new LRUCache<string, Remembered>({
    maxSize: MOST_WEBSITES,
    sizeCalculation: ({ websites }) => websites.length + OWN_SIZE,
  });
  /** Reads in progress, one for all who ask meanwhile. */
  const underWay = new Map<string, Promise<readonly WebsiteSummary[]>>();
  /** Each change raises it: answers read before a change are not cached. */
  let epoch = 0;

  bus.subscribe((invalidation) => {
    const organizationId = concerned(invalidation);
    if (organizationId === null) return;
    epoch++;
    // Later requests must not join a read that may have seen the state before.
    underWay.clear();
    if (organizationId === ALL) known.clear();
    else known.delete(organizationId);
  });

  async function read(organizationId: string): Promise<readonly WebsiteSummary[]> {
    const begunIn = epoch;
    const old = known.get(organizationId);
    const staleAtMs = time.now() + LIFE_MS;
    // Read before the websites: the next number reveals a write in between.
    const foreignChanges = await documents.foreignChanges();
    const isSame = old !== undefined && old.foreignChanges === foreignChanges && begunIn === epoch;
    const websites = isSame ? old.websites : Object.freeze(await documents.websitesOf(organizationId));
    if (begunIn === epoch) known.set(organizationId, { websites, staleAtMs, foreignChanges });
    return websites;
  }

  function readOnce(organizationId: string): Promise<readonly WebsiteSummary[]> {
    const reading = read(organizationId).finally(() => {
      if (underWay.get(organizationId) === reading) underWay.delete(organizationId);
    });
    underWay.set(organizationId, reading);
    return reading;
  }

  return {
    ...documents,
    async websitesOf(organizationId) {
      const remembered = known.get(organizationId);
      if (remembered !== undefined && time.now() < remembered.staleAtMs) return remembered.websites;
      return underWay.get(organizationId) ?? readOnce(organizationId);
    },
  };
}

/** Stands for all organizations. */
const ALL = '';

/** The organization whose websites may have changed; null: none. */
function concerned(invalidation: Invalidation): string | null {
  switch (invalidation.kind) {
    case 'website':
      return invalidation.organizationId;
    case 'organization':
      return invalidation.id;
    case 'everything':
      return ALL;
    default:
      return null;
  }
}
