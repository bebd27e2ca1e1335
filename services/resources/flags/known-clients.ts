/** The flags of clients, prepared and cached until the bus announces a change: strangers must not cost a store read each. */
import { LRUCache } from 'lru-cache';
import { LONGEST_WEBSITE_ID } from '../../shared/access/named-website.ts';
import { atMost } from '../../shared/caches/at-most.ts';
import type { Bus, Invalidation } from '../../shared/ports/bus.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import { type ClientFlags, compileFlags } from './compile-flags.ts';
import { createOrganizationFlags, readScope, type ScopeFlags } from './organization-flags.ts';

/**
 * How long a cached answer may be used, in milliseconds, counted from before the read: less than the 5 seconds of
 * contract.md.
 */
const LIFE_MS = 4_000;
/** How much is cached about clients, in characters; one client holds at most three fifths of it. */
const MOST_CHARACTERS = 67_108_864;
/** How many unknown identifiers are cached, separately, so that a flood of them evicts no client. */
const MOST_STRANGERS = 10_000;

export interface KnownClientsPorts {
  readonly documents: DocumentStore;
  readonly bus: Bus;
  readonly clock: Clock;
}

export interface KnownClients {
  /**
   * The flags of a client, which is a website or an organization; null when it is neither. Rejects when the store cannot
   * answer.
   */
  flagsOf(clientId: string): Promise<ClientFlags | null>;
  close(): void;
}

interface Remembered {
  readonly organizationId: string;
  readonly flags: ClientFlags;
  readonly characters: number;
  readonly readAtMs: number;
}

export function createKnownClients({ documents, bus, clock }: KnownClientsPorts): KnownClients {
  const clients = new LRUCache<string, Remembered>({
    maxSize: MOST_CHARACTERS,
    // As objects, as the JSON that answers consist of, and in the last answer.
    sizeCalculation: ({ characters }) => 3 * characters,
  });
  const shared = createOrganizationFlags(documents, clock);
  /** Since when an identifier is known to be unused. */
  const strangers = new LRUCache<string, number>(atMost(MOST_STRANGERS));
  const underWay = new Map<string, Promise<ClientFlags | null>>();
  /** Each invalidation raises it: a read that began before must not be cached after. */
  let epoch = 0;

  function forget(invalidation: Invalidation): void {
    const organizationId = concerned(invalidation);
    if (organizationId === null) return;
    epoch++;
    // Later requests must not join a read that may have seen the state before.
    underWay.clear();
    shared.forget(invalidation.kind === 'everything' ? null : organizationId);
    if (invalidation.kind === 'everything') clients.clear();
    else
      for (const [clientId, known] of clients.entries())
        if (known.organizationId === organizationId) clients.delete(clientId);
    // An unknown identifier becomes known by a new website or organization, not by a flag.
    if (invalidation.kind !== 'flag' && invalidation.kind !== 'targetGroup') strangers.clear();
  }

  async function read(clientId: string): Promise<ClientFlags | null> {
    const readAtMs = clock.now();
    const begunIn = epoch;
    const known = await readClient(documents, clientId, readAtMs, (organizationId) =>
      shared.of(organizationId, (at) => isFresh(at, clock.now())),
    );
    if (begunIn === epoch) {
      if (known === null) strangers.set(clientId, readAtMs);
      else clients.set(clientId, known);
    }
    return known?.flags ?? null;
  }

  function readOnce(clientId: string): Promise<ClientFlags | null> {
    const reading = read(clientId).finally(() => {
      if (underWay.get(clientId) === reading) underWay.delete(clientId);
    });
    underWay.set(clientId, reading);
    return reading;
  }

  const leave = bus.subscribe(forget);
  return {
    async flagsOf(clientId) {
      if (clientId.length > LONGEST_WEBSITE_ID) return null;
      const now = clock.now();
      const known = clients.get(clientId);
      if (known !== undefined && isFresh(known.readAtMs, now)) return known.flags;
      if (isFresh(strangers.get(clientId), now)) return null;
      return underWay.get(clientId) ?? readOnce(clientId);
    },
    close: leave,
  };
}

/** Whether a result read then may still be used; one from the future was read before the clock was set back. */
function isFresh(readAtMs: number | undefined, now: number): boolean {
  return readAtMs !== undefined && readAtMs <= now && now < readAtMs + LIFE_MS;
}

/** The organization whose clients may have other flags than before; null: none. */
function concerned(invalidation: Invalidation): string | null {
  switch (invalidation.kind) {
    case 'flag':
    case 'targetGroup':
    case 'website':
      return invalidation.organizationId;
    case 'organization':
      return invalidation.id;
    case 'everything':
      return '';
    default:
      return null;
  }
}

/** The flags of the client; its organization's flags are read for all of its clients at once. */
async function readClient(
  documents: DocumentStore,
  clientId: string,
  readAtMs: number,
  organizationFlags: (organizationId: string) => Promise<ScopeFlags>,
): Promise<Remembered | null> {
  const website = await documents.websites.findUnique('id', [clientId]);
  const organization = website ? null : await documents.organizations.findUnique('id', [clientId]);
  const organizationId = website?.organizationId ?? organization?.id;
  if (organizationId === undefined) return null;
  const shared = await organizationFlags(organizationId);
  const own = website ? await readScope(documents, organizationId, website.id, readAtMs) : null;
  return {
    organizationId,
    flags: compileFlags({
      flags: [...shared.flags, ...(own?.flags ?? [])],
      groups: new Map([...shared.groups, ...(own?.groups ?? [])]),
    }),
    characters: shared.characters + (own?.characters ?? 0),
    readAtMs: Math.min(readAtMs, shared.readAtMs),
  };
}
