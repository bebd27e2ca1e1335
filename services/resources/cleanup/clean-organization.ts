/** Removes an organization with everything that belongs to it; run again, it removes what came since. */
import type { Cleanup } from '../../shared/model/cleanup.ts';
import { DECLARATIONS } from '../../shared/model/collections.ts';
import type { Stored } from '../../shared/model/stored.ts';
import type { Membership } from '../../shared/model/user.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import { endSessions } from '../users/end-sessions.ts';
import type { CleanupWork, Removed } from './cleanup-work.ts';
import { removeEach } from './remove-each.ts';

/**
 * Members are users, who may also belong elsewhere; everything else with an owner in the list of collections is removed.
 * If a provisioning file has since created an organization with the same identifier, it is left alone with all that it
 * has.
 */
export async function cleanOrganization(
  { id, organizationId, createdAt }: Cleanup,
  { documents, events, signal }: CleanupWork,
): Promise<Removed> {
  const organization = await documents.organizations.get(organizationId, organizationId);
  if (organization !== null && organization.createdAt > createdAt) return { documents: 0, events: 0 };
  let removed = (await documents.organizations.remove(organizationId, organizationId)) ? 1 : 0;
  for (const membership of await documents.memberships.all(organizationId)) {
    removed += await removeMember(documents, membership);
    signal.throwIfAborted();
  }
  const removal = { organizationId, isMeant: () => true, signal };
  for (const [name, { owner }] of DECLARATIONS) {
    if (owner !== undefined) removed += await removeEach<Stored>(documents[name], removal);
  }
  // Further clean-ups of its former content have nothing left to do.
  removed += await removeEach(documents.cleanups, { ...removal, isMeant: (other) => other.id !== id });
  return {
    documents: removed,
    events: await events.erase({ organizationId, websiteId: null, anonymousId: null }, signal),
  };
}

/**
 * Removes the membership's user too if it belongs nowhere else. The membership goes last, since an interrupted clean-up
 * finds the user by it.
 */
async function removeMember(
  documents: DocumentStore,
  { id, organizationId, userId }: Membership,
): Promise<number> {
  const others = (await documents.membershipsOf(userId)).filter((other) => other.id !== id);
  const isLeft = others.length === 0;
  await endSessions(documents, userId, isLeft ? null : organizationId);
  let removed = 0;
  if (isLeft) {
    // The record of the last password from a provisioning file.
    for (const { id: entry } of await documents.provisionedEntries.all(userId)) {
      if (await documents.provisionedEntries.remove(userId, entry)) removed++;
    }
    if (await documents.users.remove(userId, userId)) removed++;
  }
  if (await documents.memberships.remove(organizationId, id)) removed++;
  return removed;
}
