/** Members and invitations of an organization on the wire: one list, in which an invitation is a future member. */
import { z } from 'zod';
import type { Invitation } from '../../shared/model/invitation.ts';
import { type Membership, ROLES, type User } from '../../shared/model/user.ts';

const roleSchema = z.enum(ROLES, `Allowed: ${ROLES.join(', ')}.`);

export const invitationInputSchema = z.strictObject({
  email: z
    .email('Allowed: an e-mail address.')
    .max(254, 'At most 254 characters.')
    .transform((email) => email.toLowerCase()),
  role: roleSchema,
});

export const roleInputSchema = z.strictObject({ role: roleSchema });

export const memberViewSchema = z
  .object({
    id: z.string().describe('`mem_…` of a member, `inv_…` of an invitation that waits.'),
    status: z.enum(['active', 'invited']),
    userId: z.string().nullable().describe('null while invited.'),
    email: z.string(),
    name: z.string().nullable().describe('null while invited, and until one was given.'),
    role: z.enum(ROLES),
    expiresAt: z.iso.datetime().nullable().describe('When the invitation ends; null of a member.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ title: 'Member' });
export type MemberView = z.infer<typeof memberViewSchema>;

export function toMemberView(membership: Membership, user: User | null): MemberView {
  const { id, userId, role, createdAt } = membership;
  const { email = '', name = null } = user ?? {};
  return { id, status: 'active', userId, email, name, role, expiresAt: null, createdAt };
}

export function toInvitedView({ id, email, role, expiresAt, createdAt }: Invitation): MemberView {
  return { id, status: 'invited', userId: null, email, name: null, role, expiresAt, createdAt };
}
