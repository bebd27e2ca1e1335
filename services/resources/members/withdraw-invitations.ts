/**
 * Withdraws invitations that a member made and may no longer make, so that nobody returns through an invitation of their
 * own.
 */
import { mayGive } from '../../shared/access/given-roles.ts';
import type { Role } from '../../shared/model/user.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';

/** Removes pending invitations made by a user whose role is now `role` (null: no longer a member) and does not cover them. */
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
