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
});

export const createdUserSchema = z.object({
  userId: z.string(),
  membershipId: z.string(),
  email: z.string(),
  organizationId: z.string(),
  role: z.enum(ROLES),
  password: z.string().nullable().describe('Shown this once; null when the user existed and keeps its own.'),
});
export type CreatedUser = z.infer<typeof createdUserSchema>;

/**
 * Makes a member of an organization that exists; the user is made, with a password, when the address is new.
 * @throws ApiError VALIDATION_ERROR with every fault at once; CONFLICT when it is a member already
 */
export async function createUser(
  { documents, ids, randomBytes }: UserPorts,
  asked: { readonly email: string; readonly organizationId: string; readonly role: string },
): Promise<CreatedUser> {
  const { email, organizationId, role } = parseOrThrow(newUserSchema, asked);
  const known = await documents.users.findUnique('email', [email]);
  if (known && (await documents.memberships.findUnique('organizationUser', [organizationId, known.id]))) {
    throw new ApiError('CONFLICT', { text: `${email} is a member of ${organizationId} already.` });
  }
  const password = known ? null : newPassword(randomBytes);
  const userId = known?.id ?? ids.create('usr');
  if (password !== null) {
    const passwordHash = await hashPassword(password);
    await documents.users.insert({ id: userId, organizationId: userId, email, passwordHash });
  }
  const membershipId = ids.create('mem');
  await documents.memberships.insert({ id: membershipId, organizationId, userId, role });
  return { userId, membershipId, email, organizationId, role, password };
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
