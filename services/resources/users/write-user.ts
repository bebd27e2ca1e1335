/** Makes users members and resets their passwords, for administration; passwords are generated here and shown once. */
import { z } from 'zod';
import { accountsOf, isProven, memberAccount, prove } from '../../shared/accounts/accounts.ts';
import type { RandomBytes } from '../../shared/credentials/api-key-text.ts';
import { hashPassword } from '../../shared/credentials/password.ts';
import { ApiError } from '../../shared/errors/api-error.ts';
import { parseOrThrow } from '../../shared/errors/zod-details.ts';
import { EVERYWHERE, ROLES, type User } from '../../shared/model/user.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import { notFound } from '../write-matching.ts';
import { endSessions } from './end-sessions.ts';

/** Bytes of a generated password: 144 bits, 24 characters. */
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
/** A future member; `existing` says that a user with a password of their own is meant. */
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
 * Makes a user a member of an existing organization. A new user gets a password; an existing one keeps theirs and, since
 * anybody may have chosen that, must be requested as `existing`.
 * @throws ApiError VALIDATION_ERROR with every fault at once; CONFLICT when the user is already a member, or exists and
 * was not requested as existing; NOT_FOUND when the user does not exist and was
 */
export async function createUser(
  { documents, ids, randomBytes }: UserPorts,
  asked: NewUser,
): Promise<CreatedUser> {
  const { email, organizationId, role, existing } = parseOrThrow(newUserSchema, asked);
  if ((await memberAccount(documents, email, organizationId)) !== null) {
    throw new ApiError('CONFLICT', { text: `${email} is a member of ${organizationId} already.` });
  }
  const accounts = await accountsOf(documents, email);
  // An account that only one organization knows must not be taken for this email's owner, unless requested.
  const known = existing ? await onlyAccount(documents, email, accounts) : (accounts.find(isProven) ?? null);
  const otherOrganizations = (known ? await documents.membershipsOf(known.id) : []).map((membership) => ({
    organizationId: membership.organizationId,
    role: membership.role,
  }));
  if (known && !existing) throw existsAlready(email, otherOrganizations);
  const password = known ? null : newPassword(randomBytes);
  const userId = known?.id ?? ids.create('usr');
  if (password !== null) {
    const passwordHash = await hashPassword(password);
    const user = { id: userId, organizationId: userId, email, home: EVERYWHERE, passwordHash };
    await documents.users.insert(user);
  }
  if (known) await prove(documents, known);
  const membershipId = ids.create('mem');
  await documents.memberships.insert({ id: membershipId, organizationId, userId, role });
  return { userId, membershipId, email, organizationId, role, password, otherOrganizations };
}

/**
 * The account that an email alone means: the proven one, else the only one.
 * @throws ApiError NOT_FOUND for none, CONFLICT for several of which none is proven
 */
async function onlyAccount(
  documents: DocumentStore,
  email: string,
  accounts: readonly User[],
): Promise<User> {
  const [first, ...others] = accounts;
  if (first === undefined) throw notFound('user', email);
  if (isProven(first) || others.length === 0) return first;
  const places = await Promise.all(
    accounts.map(async ({ id }) => {
      const memberships = await documents.membershipsOf(id);
      return `${id} (${memberships.map(({ organizationId }) => organizationId).join(', ') || 'no organization'})`;
    }),
  );
  const text = `${email} has ${accounts.length} accounts that invitations made, and none is proven: ${places.join(', ')}. Reset the password of the one that is meant by its id, or make one that counts everywhere by users create without --existing.`;
  throw new ApiError('CONFLICT', { text });
}

function existsAlready(email: string, memberships: CreatedUser['otherOrganizations']): ApiError {
  const places = memberships.map(({ organizationId, role }) => `${role} of ${organizationId}`).join(', ');
  const text = `${email} exists already (${places || 'member of no organization'}), with a password of its own. If this is whom you mean, ask with --existing.`;
  return new ApiError('CONFLICT', { text });
}

export const operatorSchema = z.object({ userId: z.string(), email: z.string(), isOperator: z.boolean() });
export type Operator = z.infer<typeof operatorSchema>;

/**
 * Lets the person of an email, or of an identifier, look at the whole service, or no longer. An account whose address
 * nobody proved may be anybody's, so it is refused.
 * @throws ApiError NOT_FOUND; CONFLICT when it is not proven, changed meanwhile, or several accounts may be meant
 */
export async function setOperator(
  { documents }: Pick<UserPorts, 'documents'>,
  emailOrId: string,
  isOperator: boolean,
): Promise<Operator> {
  const user = await namedUser(documents, emailOrId);
  if (isOperator && !isProven(user)) {
    throw new ApiError('CONFLICT', {
      text: `An invitation made the account of ${user.email}, so it may be anybody's: run "tidegate users reset-password" first, and give its password to whom you mean.`,
    });
  }
  const written = await documents.users.update(user.id, user.id, user.version, { isOperator });
  if (!written) throw new ApiError('CONFLICT', { text: `${user.email} is being changed by somebody else.` });
  return { userId: user.id, email: user.email, isOperator };
}

export const resetPasswordSchema = z.object({ userId: z.string(), email: z.string(), password: z.string() });
export type ResetPassword = z.infer<typeof resetPasswordSchema>;

/**
 * Gives the user of an email, or of an identifier, a new password, shown only now, and ends all their sessions. Whoever
 * gets it from the operator is known to the operator, so this proves the only account of an email.
 * @throws ApiError NOT_FOUND; CONFLICT when it changed meanwhile, or several accounts may be meant
 */
export async function resetPassword(
  { documents, randomBytes }: UserPorts,
  named: string,
): Promise<ResetPassword> {
  const user = await namedUser(documents, named);
  const { email } = user;
  const password = newPassword(randomBytes);
  const passwordHash = await hashPassword(password);
  const written = await documents.users.update(user.id, user.id, user.version, { passwordHash });
  if (!written) throw new ApiError('CONFLICT', { text: `${email} is being changed by somebody else.` });
  await endSessions(documents, user.id, null);
  if ((await accountsOf(documents, email)).length === 1) await prove(documents, written);
  return { userId: user.id, email, password };
}

async function namedUser(documents: DocumentStore, named: string): Promise<User> {
  if (named.includes('@')) {
    const email = named.toLowerCase();
    return onlyAccount(documents, email, await accountsOf(documents, email));
  }
  const user = await documents.users.get(named, named);
  if (user === null) throw notFound('user', named);
  return user;
}

function newPassword(randomBytes: RandomBytes): string {
  return Buffer.from(randomBytes(PASSWORD_BYTES)).toString('base64url');
}
