/** Finds the invitation of a token, for whoever holds it: to read what it is for, and to accept it. */
import { mayGive } from '../../../services/shared/access/given-roles.ts';
import { hashOneTimeToken } from '../../../services/shared/credentials/one-time-token.ts';
import { ApiError } from '../../../services/shared/errors/api-error.ts';
import type { Invitation } from '../../../services/shared/model/invitation.ts';
import type { Organization } from '../../../services/shared/model/organization.ts';
import type { GatewayRuntime } from '../../kit/runtime.ts';

export interface OpenInvitation {
  readonly invitation: Invitation;
  readonly organization: Organization;
}

/**
 * The invitation of a token while it may be used, and who invites; why it may not is nobody's business.
 * @throws ApiError NOT_FOUND, the same whether it is unknown, used, expired, withdrawn, or its maker may not give its role any more
 */
export async function openInvitation(
  { documents, clock }: Pick<GatewayRuntime, 'documents' | 'clock'>,
  token: string,
): Promise<OpenInvitation> {
  const invitation = await documents.invitations.findUnique('tokenHash', [hashOneTimeToken(token)]);
  const organization =
    invitation && (await documents.organizations.get(invitation.organizationId, invitation.organizationId));
  if (!invitation || !organization || invitation.acceptedAt !== null) throw unknownInvitation();
  if (Date.parse(invitation.expiresAt) <= clock.now()) throw unknownInvitation();
  // Whoever was removed or made less since may not come back, or go on giving, by what it made before.
  const { organizationId, createdBy, role } = invitation;
  const creator = await documents.memberships.findUnique('organizationUser', [organizationId, createdBy]);
  if (!mayGive(creator?.role ?? null, role)) throw unknownInvitation();
  return { invitation, organization };
}

export function unknownInvitation(): ApiError {
  return new ApiError('NOT_FOUND', { text: 'This invitation is unknown, used or expired.' });
}
