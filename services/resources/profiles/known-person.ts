/**
 * Gathers what is known about a person within the caller's reach: traits, visitors and events, by website (GDPR, article
 * 15).
 */
import type { Caller } from '../../shared/access/caller.ts';
import { organizationOf } from '../../shared/access/organization-of.ts';
import { accessibleWebsites, requireWebsite } from '../../shared/access/website-access.ts';
import { ApiError } from '../../shared/errors/api-error.ts';
import type { Traits } from '../../shared/model/profile.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import type { NamedVisitor, PersonScope, ProfileEvents } from '../../shared/ports/profile-events.ts';
import { documentsOf } from './person-documents.ts';
import { personVisitors, unnamedEventsOf } from './person-visitors.ts';

/** How many visitors are listed, over all websites; unnamed events of further ones are not counted. */
export const MOST_VISITORS = 1_000;

/** What one website, or the organization itself (null), knows about a person. */
export interface KnownOnWebsite {
  readonly websiteId: string | null;
  readonly traits: Traits;
  /** Identifiers, ascending. */
  readonly visitors: readonly string[];
  readonly events: number;
  /** ISO 8601; null without events. */
  readonly firstEventAt: string | null;
  readonly lastEventAt: string | null;
}

export interface KnownPerson {
  readonly profileId: string;
  readonly events: number;
  readonly firstEventAt: string | null;
  readonly lastEventAt: string | null;
  /** Only where something is known; the organization first, then by identifier. */
  readonly websites: readonly KnownOnWebsite[];
  /** Whether there are more visitors than listed. */
  readonly visitorsOmitted: boolean;
}

export interface KnownPersonPorts {
  readonly documents: DocumentStore;
  readonly profileEvents: ProfileEvents;
}

/** Which person; `websiteId` null: everywhere within the caller's reach. */
export interface Person {
  readonly profileId: string;
  readonly websiteId: string | null;
}

/** @throws ApiError ACCESS_DENIED for a website that the caller does not reach, NOT_FOUND when nothing is known, SERVICE_UNAVAILABLE */
export async function knownPerson(
  { documents, profileEvents }: KnownPersonPorts,
  caller: Caller,
  { profileId, websiteId }: Person,
): Promise<KnownPerson> {
  const organizationId = organizationOf(caller);
  const websiteIds = await reachedWebsites(documents, caller, websiteId);
  const scope: PersonScope = { organizationId, websiteIds, profileId };
  const isReached = (website: string | null) =>
    websiteIds === null || (website !== null && websiteIds.includes(website));

  const traits = new Map<string | null, Traits>();
  for await (const page of documentsOf(documents.profiles, organizationId, profileId)) {
    for (const known of page) if (isReached(known.websiteId)) traits.set(known.websiteId, known.traits);
  }
  const visitors = new VisitorList();
  for await (const page of personVisitors({ documents, profileEvents }, scope)) {
    for (const visitor of page) visitors.add(visitor);
    if (visitors.isFull) break;
  }
  const unnamed = unnamedEventsOf(visitors.all());
  const counts = new Map(
    (await profileEvents.counts(scope, unnamed)).map((count) => [count.websiteId, count]),
  );

  const websites = [...new Set([...traits.keys(), ...visitors.websites(), ...counts.keys()])].sort(nullFirst);
  if (websites.length === 0) {
    throw new ApiError('NOT_FOUND', { text: `Nothing is known of the profile "${profileId}".` });
  }
  const all = [...counts.values()];
  return {
    profileId,
    events: all.reduce((sum, { events }) => sum + events, 0),
    firstEventAt: toInstant(Math.min(...all.map(({ firstAt }) => firstAt))),
    lastEventAt: toInstant(Math.max(...all.map(({ lastAt }) => lastAt))),
    websites: websites.map((website) => {
      const count = counts.get(website);
      return {
        websiteId: website,
        traits: traits.get(website) ?? {},
        visitors: visitors.of(website),
        events: count?.events ?? 0,
        firstEventAt: toInstant(count?.firstAt),
        lastEventAt: toInstant(count?.lastAt),
      };
    }),
    visitorsOmitted: visitors.isFull,
  };
}

/** The websites in question; null: all of the organization, and itself. */
async function reachedWebsites(
  documents: DocumentStore,
  caller: Caller,
  websiteId: string | null,
): Promise<readonly string[] | null> {
  if (websiteId !== null) return [(await requireWebsite(documents, caller, websiteId)).id];
  if (caller.access.level === 'global') return null;
  return (await accessibleWebsites(documents, caller)).map(({ id }) => id);
}

/** Visitors by website, at most {@link MOST_VISITORS} of them. */
class VisitorList {
  readonly #websites = new Map<string | null, Map<string, NamedVisitor>>();
  #size = 0;
  /** Whether one did not fit. */
  isFull = false;

  add(visitor: NamedVisitor): void {
    const { websiteId, anonymousId, isKeyed } = visitor;
    const known = this.#websites.get(websiteId) ?? new Map();
    if (known.has(anonymousId)) {
      if (isKeyed) known.set(anonymousId, visitor);
      return;
    }
    if (this.#size === MOST_VISITORS) {
      this.isFull = true;
      return;
    }
    this.#size++;
    this.#websites.set(websiteId, known.set(anonymousId, visitor));
  }

  of(websiteId: string | null): string[] {
    return [...(this.#websites.get(websiteId)?.keys() ?? [])].sort();
  }

  websites(): (string | null)[] {
    return [...this.#websites.keys()];
  }

  all(): NamedVisitor[] {
    return [...this.#websites.values()].flatMap((known) => [...known.values()]);
  }
}

function nullFirst(a: string | null, b: string | null): number {
  if (a === null || b === null) return (a === null ? 0 : 1) - (b === null ? 0 : 1);
  return a < b ? -1 : 1;
}

function toInstant(milliseconds: number | undefined): string | null {
  return milliseconds === undefined || !Number.isFinite(milliseconds)
    ? null
    : new Date(milliseconds).toISOString();
}
