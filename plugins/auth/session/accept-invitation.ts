/** `POST /v1/auth/accept`: an invitation becomes a membership, exactly once, of the account that is logged in or of a new one. */
import { z } from 'zod';
import { memberAccount, prove } from '../../../services/shared/accounts/accounts.ts';
import { sessionViewSchema } from '../../../services/shared/accounts/session-schema.ts';
import { PASSWORD_LENGTH } from '../../../services/shared/credentials/password.ts';
import { ApiError } from '../../../services/shared/errors/api-error.ts';
import { validationError } from '../../../services/shared/errors/zod-details.ts';
import type { Invitation } from '../../../services/shared/model/invitation.ts';
import type { User } from '../../../services/shared/model/user.ts';
import { DuplicateError } from '../../../services/shared/ports/document-store.ts';
import { nameSchema } from '../../../services/shared/text/name-schema.ts';
import type { GatewayRuntime } from '../../kit/runtime.ts';
import { sessionRefusal } from '../read-session.ts';
import {
  type AuthAnswer,
  type AuthCall,
  defineAuthRoute,
  MAX_BODY_BYTES,
  refuseForeignOrigin,
  SETS_COOKIES,
} from './auth-route.ts';
import { beginProven } from './begin-proven.ts';
import { wrongCredentials } from './login.ts';
import { openInvitation, unknownInvitation } from './open-invitation.ts';
import {
  accessExpiry,
  begun,
  openSession,
  SESSION_EXAMPLE,
  setChangedAccess,
  viewSession,
} from './session-view.ts';

const acceptSchema = z.strictObject({
  token: z.string().min(1).max(256).describe('The token of the invitation; it serves once.'),
  name: nameSchema()
    .optional()
    .describe('What the new account is called; needed without a session of the invited email.'),
  password: z
    .string()
    .min(PASSWORD_LENGTH.min)
    .max(PASSWORD_LENGTH.max)
    .optional()
    .describe('The password of the new account; needed without a session of the invited email.'),
});
type Acceptance = z.infer<typeof acceptSchema>;
type Accepting = AuthCall<Acceptance>;

export const acceptRoute = defineAuthRoute<Acceptance>({
  operationId: 'acceptInvitation',
  method: 'POST',
  path: '/v1/auth/accept',
  rule: 'public',
  summary: 'Accept an invitation',
  description:
    'With a session of the invited email its account becomes a member, and the session acts for the organization that invited; `name` and `password` are not looked at. Without one a new account is made and logged in, which belongs to that organization alone: an invitation never takes over nor changes an account that exists, and the answer does not tell whether the email has any. An invitation ends when who made it may give its role no longer.',
  tags: ['auth'],
  body: {
    schema: acceptSchema,
    maxBytes: MAX_BODY_BYTES,
    example: { token: 'dGhlIHRva2VuIG9mIHRoZSBpbnZpdGF0aW9u', name: 'Ada', password: 'correct horse' },
  },
  success: { status: 200, schema: sessionViewSchema, example: SESSION_EXAMPLE, headers: SETS_COOKIES },
  errors: ['AUTH_REQUIRED', 'ACCESS_DENIED', 'NOT_FOUND', 'CONFLICT'],
  audit: 'member.accept',
  checksPasswords: true,
  async answer(call) {
    refuseForeignOrigin(call as AuthCall<never>);
    const { invitation } = await openInvitation(call.runtime, call.body.token);
    const account = await loggedIn(call, invitation);
    return account === null ? register(call, invitation) : join(call, invitation, account);
  },
});

/** The account of the live session that the request brings, when it is of the invited email; its session's id. */
async function loggedIn(
  { runtime, readSession, body }: Accepting,
  { email }: Invitation,
): Promise<{ readonly user: User; readonly sessionId: string } | null> {
  const reading = await readSession();
  let isEnded = reading === 'ended';
  if (typeof reading === 'object') {
    const { id: sessionId, userId } = reading.caller;
    const user = userId === null ? null : await runtime.documents.users.get(userId, userId);
    if (user !== null && user.email === email.toLowerCase()) {
      // The verdict may be seconds old, and what follows lasts.
      if ((await runtime.documents.sessions.get(user.id, sessionId)) !== null) return { user, sessionId };
      isEnded = true;
    }
  }
  // Who brings no password means to be logged in.
  if (isEnded && body.password === undefined) throw sessionRefusal('ended');
  return null;
}

/** The account becomes a member, and is known to be its owner's beyond the organization that it came from. */
async function join(
  call: Accepting,
  invitation: Invitation,
  { user, sessionId }: { readonly user: User; readonly sessionId: string },
): Promise<AuthAnswer> {
  const { runtime, parts } = call;
  const { organizationId } = invitation;
  const accessExpiresAtMs = await accessExpiry(call as AuthCall<never>);
  const { membershipId, version } = await spending(runtime, invitation, async () => {
    await prove(runtime.documents, user);
    const id = await insertMembership(runtime, invitation, user);
    const activation = await parts.sessions.activate(user.id, sessionId, organizationId);
    if (activation !== 'ended') return { membershipId: id, version: activation.version };
    // Ended meanwhile, perhaps by a reset of the password, after which somebody else may know it (spend-reset.ts).
    await runtime.documents.memberships.remove(organizationId, id);
    throw sessionRefusal('ended');
  });
  parts.tell({ kind: 'session', id: sessionId });
  const changed = { id: sessionId, userId: user.id, version };
  await setChangedAccess(call as AuthCall<never>, changed, accessExpiresAtMs);
  const session = { id: sessionId, activeOrganizationId: organizationId };
  const body = await viewSession(runtime, user, session, accessExpiresAtMs);
  return { body, written: [{ organizationId, sessionId, userId: user.id, targetId: membershipId }] };
}

/** A new account of this organization alone, logged in. */
async function register(call: Accepting, invitation: Invitation): Promise<AuthAnswer> {
  const { runtime, body: given, passwords } = call;
  const { name, password } = given;
  if (name === undefined || password === undefined) throw withoutSession(given);
  const passwordHash = await passwords.hash(password);
  const { user, membershipId } = await spending(runtime, invitation, async () => {
    const made = await insertInvited(runtime, invitation, { name, passwordHash });
    return { user: made, membershipId: await insertMembership(runtime, invitation, made) };
  });
  const { organizationId } = invitation;
  const session = await beginProven(call as AuthCall<never>, user, organizationId);
  if (session === null) throw wrongCredentials();
  const body = await openSession(call as AuthCall<never>, user, session);
  // The membership stays without its record, as other writes do: the user logs in with the password.
  return { body, ...begun(call as AuthCall<never>, session, membershipId) };
}

/** The invitation is spent before the work, so that of two acceptances one wins; a failure gives it back. */
async function spending<T>(
  runtime: GatewayRuntime,
  invitation: Invitation,
  work: () => Promise<T>,
): Promise<T> {
  const { documents, clock } = runtime;
  const { id, organizationId, version, email } = invitation;
  // Of this organization's members its token may tell; of accounts elsewhere nothing.
  if (await memberAccount(documents, email.toLowerCase(), organizationId)) throw alreadyMember();
  const acceptedAt = new Date(clock.now()).toISOString();
  const spent = await documents.invitations.update(organizationId, id, version, { acceptedAt });
  if (spent === null) throw unknownInvitation();
  try {
    return await work();
  } catch (fault) {
    await documents.invitations.update(organizationId, id, spent.version, { acceptedAt: null });
    throw fault instanceof DuplicateError ? alreadyMember() : fault;
  }
}

async function insertMembership(
  { documents, ids }: GatewayRuntime,
  { organizationId, role }: Invitation,
  user: User,
): Promise<string> {
  const id = ids.create('mem');
  await documents.memberships.insert({ id, organizationId, userId: user.id, role });
  return id;
}

function withoutSession(given: Acceptance): ApiError {
  const missing = (['name', 'password'] as const).filter((field) => given[field] === undefined);
  const message =
    'Is required without a session of the invited email: log in, or name one for a new account.';
  return validationError(missing.map((field) => ({ field, message })));
}

function alreadyMember(): ApiError {
  return new ApiError('CONFLICT', { text: 'This user is a member of the organization already.' });
}

/** @throws DuplicateError when the email has an account of this organization that belongs somewhere */
async function insertInvited(
  { documents, ids }: GatewayRuntime,
  { organizationId: home, email: written }: Invitation,
  { name, passwordHash }: { readonly name: string; readonly passwordHash: string },
): Promise<User> {
  const email = written.toLowerCase();
  const id = ids.create('usr');
  const insert = () => documents.users.insert({ id, organizationId: id, email, home, name, passwordHash });
  try {
    return await insert();
  } catch (fault) {
    if (!(fault instanceof DuplicateError)) throw fault;
    // One that a removal of its membership, or an acceptance, left behind when its process ended: it reaches nothing.
    const left = await documents.users.findUnique('emailHome', [email, home]);
    if (left !== null) {
      if ((await documents.membershipsOf(left.id)).length > 0) throw fault;
      await documents.users.remove(left.id, left.id);
    }
    return insert();
  }
}
