/** `POST /v1/auth/accept`: an invitation becomes a membership, exactly once, and its user is logged in. */
import { hash } from 'node:crypto';
import { z } from 'zod';
import { mayGive } from '../../../services/shared/access/given-roles.ts';
import { PASSWORD_LENGTH } from '../../../services/shared/credentials/password.ts';
import { ApiError } from '../../../services/shared/errors/api-error.ts';
import type { Invitation } from '../../../services/shared/model/invitation.ts';
import type { User } from '../../../services/shared/model/user.ts';
import type { GatewayRuntime } from '../../../services/shared/plugin/runtime.ts';
import { DuplicateError } from '../../../services/shared/ports/document-store.ts';
import {
  type AuthCall,
  defineAuthRoute,
  MAX_BODY_BYTES,
  refuseForeignOrigin,
  SETS_COOKIES,
} from './auth-route.ts';
import { beginProven } from './begin-proven.ts';
import { wrongCredentials } from './login.ts';
import { begun, SESSION_EXAMPLE, sessionViewSchema, setSessionCookies, viewSession } from './session-view.ts';

const acceptSchema = z.strictObject({
  token: z.string().min(1).max(256).describe('The token of the invitation; it serves once.'),
  name: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .describe('What the new user is called; a user that exists keeps its own.'),
  password: z
    .string()
    .min(PASSWORD_LENGTH.min)
    .max(PASSWORD_LENGTH.max)
    .describe('The password of the new user; of a user that exists already, the one it has.'),
});
type Acceptance = z.infer<typeof acceptSchema>;

export const acceptRoute = defineAuthRoute<Acceptance>({
  operationId: 'acceptInvitation',
  method: 'POST',
  path: '/v1/auth/accept',
  rule: 'public',
  summary: 'Accept an invitation',
  description:
    'Makes the invited user a member and logs it in, acting for the organization that invited. An invitation ends when who made it may give its role no longer. When a user of the invited email exists already, `password` must be its password: an invitation never replaces one, and another is answered as a wrong login is.',
  tags: ['auth'],
  body: {
    schema: acceptSchema,
    maxBytes: MAX_BODY_BYTES,
    example: { token: 'dGhlIHRva2VuIG9mIHRoZSBpbnZpdGF0aW9u', name: 'Ada', password: 'correct horse' },
  },
  success: { status: 200, schema: sessionViewSchema, example: SESSION_EXAMPLE, headers: SETS_COOKIES },
  errors: ['AUTH_REQUIRED', 'ACCESS_DENIED', 'NOT_FOUND', 'CONFLICT'],
  audit: 'member.accept',
  async answer(call) {
    refuseForeignOrigin(call as AuthCall<never>);
    const { runtime, body: given, passwordLine } = call;
    const invitation = await openInvitation(runtime, given.token);
    const { user, membershipId } = await invitedUser(runtime, invitation, given, passwordLine);
    const { organizationId } = invitation;
    const session = await beginProven(call as AuthCall<never>, user, organizationId);
    if (session === null) throw wrongCredentials();
    const body = await viewSession(runtime, user, organizationId);
    await setSessionCookies(call as AuthCall<never>, session);
    // The membership stays without its record, as other writes do: the user logs in with the password.
    return { body, ...begun(call as AuthCall<never>, session, membershipId) };
  },
});

/** The invitation of a token while it may be used; why it may not is nobody's business. */
async function openInvitation({ documents, clock }: GatewayRuntime, token: string): Promise<Invitation> {
  const invitation = await documents.invitations.findUnique('tokenHash', [hash('sha256', token, 'hex')]);
  const organization =
    invitation && (await documents.organizations.get(invitation.organizationId, invitation.organizationId));
  if (!invitation || !organization || invitation.acceptedAt !== null) throw unknown();
  if (Date.parse(invitation.expiresAt) <= clock.now()) throw unknown();
  // Whoever was removed or made less since may not come back, or go on giving, by what it made before.
  const { organizationId, createdBy, role } = invitation;
  const creator = await documents.memberships.findUnique('organizationUser', [organizationId, createdBy]);
  if (!mayGive(creator?.role ?? null, role)) throw unknown();
  return invitation;
}

/** The user, a member now. The invitation is spent first, so that of two acceptances one wins; a failure gives it back. */
async function invitedUser(
  runtime: GatewayRuntime,
  invitation: Invitation,
  body: Acceptance,
  line: string,
): Promise<{ readonly user: User; readonly membershipId: string }> {
  const { documents, passwords, clock, ids } = runtime;
  const { organizationId, role } = invitation;
  const email = invitation.email.toLowerCase();
  const existing = await documents.users.findUnique('email', [email]);
  if (existing && !(await passwords.verify(existing.passwordHash, body.password, line)))
    throw wrongCredentials();
  const passwordHash = existing ? null : await passwords.hash(body.password, line);
  const acceptedAt = new Date(clock.now()).toISOString();
  const spent = await documents.invitations.update(organizationId, invitation.id, invitation.version, {
    acceptedAt,
  });
  if (spent === null) throw unknown();
  try {
    const user = existing ?? (await insertUser(runtime, email, body.name, passwordHash ?? ''));
    const membershipId = ids.create('mem');
    await documents.memberships.insert({ id: membershipId, organizationId, userId: user.id, role });
    return { user, membershipId };
  } catch (fault) {
    await documents.invitations.update(organizationId, invitation.id, spent.version, { acceptedAt: null });
    if (!(fault instanceof DuplicateError)) throw fault;
    const text =
      fault.index === 'email'
        ? 'The invited user was changed by another request meanwhile; try again.'
        : 'This user is a member of the organization already.';
    throw new ApiError('CONFLICT', { text });
  }
}

async function insertUser(
  { documents, ids }: GatewayRuntime,
  email: string,
  name: string,
  passwordHash: string,
) {
  const id = ids.create('usr');
  return documents.users.insert({ id, organizationId: id, email, name, passwordHash });
}

function unknown(): ApiError {
  return new ApiError('NOT_FOUND', { text: 'This invitation is unknown, used or expired.' });
}
