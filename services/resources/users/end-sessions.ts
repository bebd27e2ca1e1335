/** Ends a user's browser sessions on behalf of others: after a removal, or when somebody else set a new password. */
import type { DocumentStore } from '../../shared/ports/document-store.ts';

/**
 * Ends the sessions of a user that act for the organization; null: all of them. A session that switches to the
 * organization while its user is being removed may stay, but reaches nothing there: each verdict on a session checks the
 * membership.
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
