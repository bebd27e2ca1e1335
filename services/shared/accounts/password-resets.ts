/** What a reset of a password must be, when it is made and for as long as it may be used (docs/sessions.md). */
import { hash } from 'node:crypto';
import { mayGive } from '../access/given-roles.ts';
import type { PasswordReset } from '../model/password-reset.ts';
import type { User } from '../model/user.ts';
import type { DocumentStore } from '../ports/document-store.ts';

type Documents = Pick<DocumentStore, 'memberships' | 'membershipsOf'>;

/** What a reset is made to replace. */
export function tagOfPassword({ passwordHash }: Pick<User, 'passwordHash'>): string {
  return hash('sha256', passwordHash, 'hex');
}

/** Whether the membership, by its identifier, is the only one of the user: then nobody else relies on the account. */
export async function belongsThereAlone(
  documents: Documents,
  userId: string,
  membershipId: string,
): Promise<boolean> {
  const memberships = await documents.membershipsOf(userId);
  return memberships.length === 1 && memberships[0]?.id === membershipId;
}

/** Whether its member belongs there alone, still, and whoever made it may give that member's role, still. */
export async function stillStands(
  documents: Documents,
  { id: membershipId, organizationId, userId, createdBy }: PasswordReset,
): Promise<boolean> {
  if (!(await belongsThereAlone(documents, userId, membershipId))) return false;
  const membership = await documents.memberships.get(organizationId, membershipId);
  const creator = await documents.memberships.findUnique('organizationUser', [organizationId, createdBy]);
  return membership?.userId === userId && mayGive(creator?.role ?? null, membership.role);
}
