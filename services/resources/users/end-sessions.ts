/** Ends browser sessions of a user from outside them: after a removal or a new password made by somebody else. */
import type { DocumentStore } from '../../shared/ports/document-store.ts';

/**
 * Ends the sessions of a user that act for the organization; null: all of them. One that is switched to the organization
 * while its user is being removed may stay and reaches nothing there: each verdict on a session asks for the membership.
 */
export async function endSessions(
  documents: DocumentStore,
  userId: string,
  organizationId: string | null,
): Promise<void> {
  for (const session of await documents.sessions.all(userId)) {
    if (organizationId !== null && session.activeOrganizationId !== organizationId) continue;
    await documents.sessions.remove(userId, session.id);
  }
}
