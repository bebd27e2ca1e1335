/** Withdraws what a member invited and may invite no longer, so that nobody comes back through an invitation of its own. */
import { mayGive } from '../../shared/access/given-roles.ts';
import type { Role } from '../../shared/model/user.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';

/** Removes the waiting invitations made by a user whose role became `role`, null being no member, that are beyond it. */
export async function withdrawInvitations(
  documents: DocumentStore,
  organizationId: string,
  { userId, role }: { readonly userId: string; readonly role: Role | null },
): Promise<void> {
  for (const invitation of await documents.invitations.all(organizationId)) {
    if (invitation.createdBy !== userId || invitation.acceptedAt !== null) continue;
    if (!mayGive(role, invitation.role)) await documents.invitations.remove(organizationId, invitation.id);
  }
}
