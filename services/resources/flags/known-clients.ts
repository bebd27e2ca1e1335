/** The flags of clients, ready for evaluating and remembered until the bus says otherwise: strangers must not cost a store read each. */
import { LRUCache } from 'lru-cache';
import { LONGEST_WEBSITE_ID } from '../../shared/access/named-website.ts';
import type { Flag, TargetGroup } from '../../shared/model/flag.ts';
import type { Bus, Invalidation } from '../../shared/ports/bus.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import { type ClientFlags, compileFlags } from './compile-flags.ts';
import { flagsAround } from './flag-scope.ts';

/** How long what was read serves, in milliseconds, counted from before it was read: below the 5 seconds of contract.md. */
const LIFE_MS = 4_000;
/** What is remembered of clients, in characters of JSON; one client holds at most a fifth of it. */
const MOST_CHARACTERS = 67_108_864;
/** Identifiers that are remembered to be nobody's, apart so that a spray of them drops no client. */
const MOST_STRANGERS = 10_000;

export interface KnownClientsPorts {
  readonly documents: DocumentStore;
  readonly bus: Bus;
  readonly clock: Clock;
}

export interface KnownClients {
  /** The flags that the client sees, a website or an organization; null for what is neither. Rejects when the store cannot answer. */
  flagsOf(clientId: string): Promise<ClientFlags | null>;
  close(): void;
}

interface Known {
  readonly organizationId: string;
  readonly flags: ClientFlags;
  readonly characters: number;
}
interface Remembered extends Known {
  readonly readAtMs: number;
}

export function createKnownClients({ documents, bus, clock }: KnownClientsPorts): KnownClients {
  const clients = new LRUCache<string, Remembered>({
    maxSize: MOST_CHARACTERS,
    sizeCalculation: ({ characters }) => characters,
  });
  /** Since when an identifier is nobody's. */
  const strangers = new LRUCache<string, number>({ max: MOST_STRANGERS });
  const underWay = new Map<string, Promise<ClientFlags | null>>();
  /** Rises with each invalidation: what a reading began before must not be remembered after. */
  let epoch = 0;

  function forget(invalidation: Invalidation): void {
    const organizationId = concerned(invalidation);
    if (organizationId === null) return;
    epoch++;
    // Later requests must not join a reading that may have seen what was before.
    underWay.clear();
    if (invalidation.kind === 'everything') clients.clear();
    else
      for (const [clientId, known] of clients.entries())
        if (known.organizationId === organizationId) clients.delete(clientId);
    // Nobody becomes somebody by the making of a website or an organization, not of a flag.
    if (invalidation.kind !== 'flag' && invalidation.kind !== 'targetGroup') strangers.clear();
  }

  async function read(clientId: string): Promise<ClientFlags | null> {
    const readAtMs = clock.now();
    const begunIn = epoch;
    const known = await readClient(documents, clientId);
    if (begunIn === epoch) {
      if (known === null) strangers.set(clientId, readAtMs);
      else clients.set(clientId, { ...known, readAtMs });
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

/** Whether what was read then still serves; what the clock has not reached yet was read before it was set back. */
function isFresh(readAtMs: number | undefined, now: number): boolean {
  return readAtMs !== undefined && readAtMs <= now && now < readAtMs + LIFE_MS;
}

/** The organization whose clients may see other flags than before; null: none. */
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

async function readClient(documents: DocumentStore, clientId: string): Promise<Known | null> {
  const website = await documents.websites.findUnique('id', [clientId]);
  const organization = website ? null : await documents.organizations.findUnique('id', [clientId]);
  const organizationId = website?.organizationId ?? organization?.id;
  if (organizationId === undefined) return null;
  const flags = await flagsAround(documents, organizationId, website?.id ?? null);
  const groups = await groupsOf(documents, organizationId, flags);
  const characters = JSON.stringify([flags, [...groups.values()]]).length;
  return { organizationId, flags: compileFlags({ flags, groups }), characters };
}

async function groupsOf(
  { targetGroups }: DocumentStore,
  organizationId: string,
  flags: readonly Flag[],
): Promise<Map<string, TargetGroup>> {
  const ids = new Set(flags.flatMap(({ targetGroupIds }) => targetGroupIds));
  const found = await Promise.all([...ids].map((id) => targetGroups.get(organizationId, id)));
  return new Map(found.flatMap((group) => (group ? [[group.id, group]] : [])));
}
