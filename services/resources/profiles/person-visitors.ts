/** Decides which visitors a person is, from /identify and events: the one rule for showing and erasing a person. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { visitorProfileDocumentId } from '../../shared/model/profile.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import type {
  NamedVisitor,
  PersonScope,
  ProfileEvents,
  UnnamedEvents,
} from '../../shared/ports/profile-events.ts';
import { documentsOf } from './person-documents.ts';

export interface PersonVisitorPorts {
  readonly documents: Pick<DocumentStore, 'visitorProfiles'>;
  readonly profileEvents: Pick<ProfileEvents, 'visitors' | 'keyedToOthers'>;
}

/** Visitors read from events at once. */
const VISITORS_AT_A_TIME = 1_000;
/** How many visitors are looked up before others get a turn. */
const LOOK_UPS_A_TURN = 20;

/**
 * The visitors of the person in pages; one may occur twice. A statement made with a key counts everywhere within the
 * scope. One made without a key, as anybody may make, counts only on its own website, and only where no key named
 * another person for this visitor.
 * @throws ApiError SERVICE_UNAVAILABLE
 */
export async function* personVisitors(
  ports: PersonVisitorPorts,
  scope: PersonScope,
): AsyncGenerator<readonly NamedVisitor[]> {
  const { organizationId, websiteIds, profileId } = scope;
  for await (const page of documentsOf(ports.documents.visitorProfiles, organizationId, profileId)) {
    const meant = page.filter(
      ({ websiteId }) => websiteIds === null || (websiteId !== null && websiteIds.includes(websiteId)),
    );
    const named = meant.map(({ websiteId, anonymousId, isKeyed = false }) => ({
      websiteId,
      anonymousId,
      // Without a key, nobody speaks for the organization itself.
      isKeyed: isKeyed || websiteId === null,
    }));
    yield await undisputed(ports, scope, named);
  }
  for (let after: NamedVisitor | undefined; ; ) {
    const page = await ports.profileEvents.visitors(scope, {
      limit: VISITORS_AT_A_TIME,
      ...(after && { after }),
    });
    yield await undisputed(ports, scope, page);
    after = page.at(-1);
    if (after === undefined || page.length < VISITORS_AT_A_TIME) return;
  }
}

/** Which unnamed events belong to the person because these are its visitors. */
export function unnamedEventsOf(visitors: readonly NamedVisitor[]): UnnamedEvents[] {
  const byWebsite = new Map<string | null, Set<string>>();
  for (const { websiteId, anonymousId, isKeyed } of visitors) {
    const where = isKeyed ? null : websiteId;
    byWebsite.set(where, (byWebsite.get(where) ?? new Set()).add(anonymousId));
  }
  return [...byWebsite].map(([websiteId, known]) => ({ websiteId, visitors: [...known] }));
}

/** Leaves out visitors named only without a key, if a key named them as another person on the same website. */
async function undisputed(
  { documents, profileEvents }: PersonVisitorPorts,
  scope: PersonScope,
  named: readonly NamedVisitor[],
): Promise<readonly NamedVisitor[]> {
  const { organizationId, profileId } = scope;
  const keyless = named.filter(({ isKeyed }) => !isKeyed);
  if (keyless.length === 0) return named;
  const disputed = new Set((await profileEvents.keyedToOthers(scope, keyless)).map(toKey));
  for (let i = 0; i < keyless.length; i += LOOK_UPS_A_TURN) {
    const some = keyless.slice(i, i + LOOK_UPS_A_TURN);
    const identified = await Promise.all(
      some.map(({ websiteId, anonymousId }) => {
        const id = visitorProfileDocumentId({ organizationId, websiteId }, anonymousId);
        return documents.visitorProfiles.get(organizationId, id);
      }),
    );
    for (const known of identified) {
      if (known?.isKeyed && known.profileId !== profileId) disputed.add(toKey(known));
    }
    await nextTurn();
  }
  return named.filter((visitor) => visitor.isKeyed || !disputed.has(toKey(visitor)));
}

function toKey({ websiteId, anonymousId }: Pick<NamedVisitor, 'websiteId' | 'anonymousId'>): string {
  return JSON.stringify([websiteId, anonymousId]);
}
