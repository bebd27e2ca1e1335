/** Makes users members and resets their passwords, for administration; a password is made here and shown once. */
import { z } from 'zod';
import type { RandomBytes } from '../../shared/credentials/api-key-text.ts';
import { hashPassword } from '../../shared/credentials/password.ts';
import { ApiError } from '../../shared/errors/api-error.ts';
import { parseOrThrow } from '../../shared/errors/zod-details.ts';
import { ROLES } from '../../shared/model/user.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import { notFound } from '../write-matching.ts';
import { endSessions } from './end-sessions.ts';

/** Bytes of a made password: 144 bits, 24 characters. */
const PASSWORD_BYTES = 18;

export interface UserPorts {
  readonly documents: DocumentStore;
  readonly ids: Ids;
  readonly randomBytes: RandomBytes;
}

const emailSchema = z
  .email('Allowed: an e-mail address.')
  .max(254, 'At most 254 characters.')
  .transform((email) => email.toLowerCase());

const newUserSchema = z.strictObject({
  email: emailSchema,
  organizationId: z.string(),
  role: z.enum(ROLES, `Allowed: ${ROLES.join(', ')}.`),
  existing: z.boolean().default(false),
});
/** A member to be; `existing` says that a user with its own password is meant. */
export type NewUser = z.input<typeof newUserSchema>;

export const createdUserSchema = z.object({
  userId: z.string(),
  membershipId: z.string(),
  email: z.string(),
  organizationId: z.string(),
  role: z.enum(ROLES),
  password: z.string().nullable().describe('Shown this once; null when the user existed and keeps its own.'),
  otherOrganizations: z
    .array(z.object({ organizationId: z.string(), role: z.enum(ROLES) }))
    .describe('Where a user that existed belongs besides, the oldest first.'),
});
export type CreatedUser = z.infer<typeof createdUserSchema>;

/**
 * Makes a member of an organization that exists. A new user gets a password; one that exists keeps its own, and since
 * anybody may have chosen that, it has to be asked for as `existing`.
 * @throws ApiError VALIDATION_ERROR with every fault at once; CONFLICT when it is a member already, or exists and was
 *   not asked for as such; NOT_FOUND when it does not exist and was
 */
export async function createUser(
  { documents, ids, randomBytes }: UserPorts,
  asked: NewUser,
): Promise<CreatedUser> {
  const { email, organizationId, role, existing } = parseOrThrow(newUserSchema, asked);
  const known = await documents.users.findUnique('email', [email]);
  if (known && (await documents.memberships.findUnique('organizationUser', [organizationId, known.id]))) {
    throw new ApiError('CONFLICT', { text: `${email} is a member of ${organizationId} already.` });
  }
  if (!known && existing) throw notFound('user', email);
  const otherOrganizations = (known ? await documents.membershipsOf(known.id) : []).map((membership) => ({
    organizationId: membership.organizationId,
    role: membership.role,
  }));
  if (known && !existing) throw existsAlready(email, otherOrganizations);
  const password = known ? null : newPassword(randomBytes);
  const userId = known?.id ?? ids.create('usr');
  if (password !== null) {
    const passwordHash = await hashPassword(password);
    await documents.users.insert({ id: userId, organizationId: userId, email, passwordHash });
  }
  const membershipId = ids.create('mem');
  await documents.memberships.insert({ id: membershipId, organizationId, userId, role });
  return { userId, membershipId, email, organizationId, role, password, otherOrganizations };
}

function existsAlready(email: string, memberships: CreatedUser['otherOrganizations']): ApiError {
  const places = memberships.map(({ organizationId, role }) => `${role} of ${organizationId}`).join(', ');
  const text = `${email} exists already (${places || 'member of no organization'}), with a password of its own. If this is whom you mean, ask with --existing.`;
  return new ApiError('CONFLICT', { text });
}

export const resetPasswordSchema = z.object({ userId: z.string(), email: z.string(), password: z.string() });
export type ResetPassword = z.infer<typeof resetPasswordSchema>;

/** Gives the user a new password, shown this once, and ends every session of the user. @throws ApiError NOT_FOUND; CONFLICT when it changed meanwhile */
export async function resetPassword(
  { documents, randomBytes }: UserPorts,
  address: string,
): Promise<ResetPassword> {
  const email = address.toLowerCase();
  const user = await documents.users.findUnique('email', [email]);
  if (!user) throw notFound('user', email);
  const password = newPassword(randomBytes);
  const passwordHash = await hashPassword(password);
  const written = await documents.users.update(user.id, user.id, user.version, { passwordHash });
  if (!written) throw new ApiError('CONFLICT', { text: `${email} is being changed by somebody else.` });
  await endSessions(documents, user.id, null);
  return { userId: user.id, email, password };
}

function newPassword(randomBytes: RandomBytes): string {
  return Buffer.from(randomBytes(PASSWORD_BYTES)).toString('base64url');
}
