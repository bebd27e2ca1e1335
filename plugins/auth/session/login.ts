/** `POST /v1/auth/login`: a session for an email and a password; a wrong one of either gets one answer at one cost. */
import { z } from 'zod';
import { accountsOf } from '../../../services/shared/accounts/accounts.ts';
import { sessionViewSchema } from '../../../services/shared/accounts/session-schema.ts';
import { DECOY_HASH, PASSWORD_LENGTH } from '../../../services/shared/credentials/password.ts';
import { ApiError } from '../../../services/shared/errors/api-error.ts';
import type { Membership, User } from '../../../services/shared/model/user.ts';
import {
  type AuthCall,
  defineAuthRoute,
  MAX_BODY_BYTES,
  refuseForeignOrigin,
  SETS_COOKIES,
} from './auth-route.ts';
import { beginProven } from './begin-proven.ts';
import { begun, openSession, SESSION_EXAMPLE } from './session-view.ts';
import { activeAmong } from './sessions.ts';

/**
 * Accounts of one email that a login tries. It verifies as many passwords however many there are, so that its time tells
 * nothing: some 125 ms of one thread, and of the 30 logins that an address has in a minute 4 s. The hasher runs two at a
 * time, takes addresses in turn and lets few of each wait, so that many addresses together hold two threads and no more.
 */
const MOST_TRIED = 5;

const loginSchema = z.strictObject({
  email: z
    .string()
    .min(1)
    .max(254)
    .transform((email) => email.toLowerCase())
    .describe('In any case.'),
  password: z.string().min(1).max(PASSWORD_LENGTH.max),
  organizationId: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe(
      'For who has several accounts: the organization whose account is meant, and which the session acts for.',
    ),
});
type Login = z.infer<typeof loginSchema>;

export const loginRoute = defineAuthRoute<Login>({
  operationId: 'login',
  method: 'POST',
  path: '/v1/auth/login',
  rule: 'public',
  summary: 'Log in',
  description: `Begins a session and sets its cookies: the access cookie (15 minutes) and the refresh cookie (30 days, rotating). An email may have several accounts, of which invitations made some: of those whose password fits and that belong to an organization the one that counts everywhere is chosen, else the oldest; ${MOST_TRIED} are tried. The session acts for the organization of the account's oldest membership. With \`organizationId\`, the account of that organization comes first. A wrong email and a wrong password get the same answer in the same time. A page of a foreign origin is refused.`,
  tags: ['auth'],
  body: {
    schema: loginSchema,
    maxBytes: MAX_BODY_BYTES,
    example: { email: 'ada@example.com', password: 'correct horse' },
  },
  success: { status: 200, schema: sessionViewSchema, example: SESSION_EXAMPLE, headers: SETS_COOKIES },
  errors: ['AUTH_REQUIRED', 'ACCESS_DENIED'],
  audit: 'session.login',
  checksPasswords: true,
  async answer(call) {
    refuseForeignOrigin(call as AuthCall<never>);
    const { parts, body: given } = call;
    const fitting = await fittingAccounts(call);
    if (fitting.length === 0) throw wrongCredentials();
    const { user, memberships } = await chosenAccount(call, fitting);
    const active = activeAmong(memberships, given.organizationId ?? null);
    if (active === null) {
      throw new ApiError('ACCESS_DENIED', { text: 'This user belongs to no organization.' });
    }
    const session = await beginProven(call as AuthCall<never>, user, active);
    if (session === null) throw wrongCredentials();
    await parts.accountBudget.know(call.address, given.email, user);
    const body = await openSession(call as AuthCall<never>, user, session);
    return { body, ...begun(call as AuthCall<never>, session, session.id) };
  },
});

/** The accounts that the password belongs to, in the order in which they are chosen. */
async function fittingAccounts(call: AuthCall<Login>): Promise<User[]> {
  const { runtime, parts, body, passwords } = call;
  const { email, password, organizationId } = body;
  const accounts = await accountsOf(runtime.documents, email);
  const meant = accounts.filter(({ home }) => home === organizationId);
  const first = [...new Set([...meant, ...accounts])].slice(0, MOST_TRIED);
  const tried = await parts.accountBudget.admit(call, email, first);
  const hashes = Array.from({ length: MOST_TRIED }, (_, index) => tried[index]?.passwordHash ?? DECOY_HASH);
  const verdicts = await passwords.verifyEach(hashes, password);
  return tried.filter((_, index) => verdicts[index]);
}

/** The first that belongs to the organization that is meant, else to any; else the first, which belongs to none. */
async function chosenAccount(
  { runtime, body }: AuthCall<Login>,
  fitting: readonly User[],
): Promise<{ user: User; memberships: Membership[] }> {
  const candidates = await Promise.all(
    fitting.map(async (user) => ({ user, memberships: await runtime.documents.membershipsOf(user.id) })),
  );
  const { organizationId } = body;
  const meant = candidates.find(({ memberships }) =>
    memberships.some((membership) => membership.organizationId === organizationId),
  );
  const chosen = meant ?? candidates.find(({ memberships }) => memberships.length > 0) ?? candidates[0];
  return chosen ?? { user: fitting[0] as User, memberships: [] };
}

/** The one answer to a failed proof of who somebody is: it does not say what was wrong. */
export function wrongCredentials(): ApiError {
  return new ApiError('AUTH_REQUIRED', { text: 'Wrong email or password.' });
}
