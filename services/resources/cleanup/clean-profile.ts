/** Removes everything about a person: events, the records of which visitors they are, and traits. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Cleanup } from '../../shared/model/cleanup.ts';
import type { Stored } from '../../shared/model/stored.ts';
import { documentsOf, type SortedDocuments } from '../profiles/person-documents.ts';
import { personVisitors, unnamedEventsOf } from '../profiles/person-visitors.ts';
import type { CleanupWork, Removed } from './cleanup-work.ts';

/**
 * From one website, or from the organization with all of its websites. Unnamed events of the person's visitors go first:
 * after a crash, the events that name the person still tell which visitors those are.
 */
export async function cleanProfile(
  { organizationId, websiteId, profileId }: Cleanup,
  { documents, events, profileEvents, signal }: CleanupWork,
): Promise<Removed> {
  if (profileId === undefined) throw new TypeError('a clean-up of a person names none');
  const removed = { documents: 0, events: 0 };
  const scope = { organizationId, websiteIds: websiteId === null ? null : [websiteId], profileId };

  const isMeant = (document: { readonly websiteId: string | null }) =>
    websiteId === null || document.websiteId === websiteId;

  for await (const page of personVisitors({ documents, profileEvents }, scope)) {
    for (const { visitors, ...where } of unnamedEventsOf(page)) {
      await erase(where.websiteId ?? websiteId, { profileId: null, visitors });
    }
  }
  await erase(websiteId, { profileId });
  await remove(documents.visitorProfiles);
  await remove(documents.profiles);
  return removed;

  async function erase(
    on: string | null,
    which: { profileId: string } | { profileId: null; visitors: readonly string[] },
  ): Promise<void> {
    const selection = { organizationId, websiteId: on, anonymousId: null, ...which };
    removed.events += await events.erase(selection, signal);
  }

  async function remove<T extends Stored & { readonly profileId: string; readonly websiteId: string | null }>(
    collection: SortedDocuments<T> & { remove(organizationId: string, id: string): Promise<boolean> },
  ): Promise<void> {
    for await (const page of documentsOf(collection, organizationId, profileId ?? '')) {
      for (const { id } of page.filter(isMeant)) {
        if (await collection.remove(organizationId, id)) removed.documents++;
        // Each removal is a commit that waits for the disk.
        await nextTurn();
        signal.throwIfAborted();
      }
    }
  }
}
