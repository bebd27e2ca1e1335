/** Removes an organization with everything that is its own; again: what came since. */
import type { Cleanup } from '../../shared/model/cleanup.ts';
import type { Stored } from '../../shared/model/stored.ts';
import type { Membership } from '../../shared/model/user.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import { endSessions } from '../users/end-sessions.ts';
import type { CleanupWork, Removed } from './cleanups.ts';
import { type Removable, removeEach } from './remove-each.ts';

/** What lets somebody in or takes something in comes first. Members are users, who may belong elsewhere too. */
const OWNED = [
  'apiKeys',
  'websites',
  'invitations',
  'links',
  'flags',
  'targetGroups',
  'integrations',
  'apiKeyUsage',
  'visitorProfiles',
  'profiles',
  'organizationUsage',
  'provisionedEntries',
  'auditRecords',
] as const satisfies readonly (keyof DocumentStore)[];

/**
 * An organization that was made under the same identifier since, by a provisioning file, is left alone with all that it has.
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
  for (const name of OWNED) {
    const owned: Removable<Stored> = documents[name];
    removed += await removeEach(owned, removal);
  }
  // Further clean-ups of what was its own have nothing left to do.
  removed += await removeEach(documents.cleanups, { ...removal, isMeant: (other) => other.id !== id });
  return {
    documents: removed,
    events: await events.erase({ organizationId, websiteId: null, anonymousId: null }, signal),
  };
}

/** The user of the membership too when it belongs nowhere else; the membership last, which an interrupted clean-up finds it by. */
async function removeMember(
  documents: DocumentStore,
  { id, organizationId, userId }: Membership,
): Promise<number> {
  const others = (await documents.membershipsOf(userId)).filter((other) => other.id !== id);
  const isLeft = others.length === 0;
  await endSessions(documents, userId, isLeft ? null : organizationId);
  let removed = 0;
  if (isLeft) {
    // What a provisioning file last gave as its password.
    for (const { id: entry } of await documents.provisionedEntries.all(userId)) {
      if (await documents.provisionedEntries.remove(userId, entry)) removed++;
    }
    if (await documents.users.remove(userId, userId)) removed++;
  }
  if (await documents.memberships.remove(organizationId, id)) removed++;
  return removed;
}
