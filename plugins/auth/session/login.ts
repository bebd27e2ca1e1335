/** `POST /v1/auth/login`: a session for an email and a password; a wrong one of either gets one answer at one cost. */
import { z } from 'zod';
import { DECOY_HASH, PASSWORD_LENGTH } from '../../../services/shared/credentials/password.ts';
import { ApiError } from '../../../services/shared/errors/api-error.ts';
import {
  type AuthCall,
  defineAuthRoute,
  MAX_BODY_BYTES,
  refuseForeignOrigin,
  SETS_COOKIES,
} from './auth-route.ts';
import { beginProven } from './begin-proven.ts';
import { begun, SESSION_EXAMPLE, sessionViewSchema, setSessionCookies, viewSession } from './session-view.ts';
import { activeAmong } from './sessions.ts';

const loginSchema = z.strictObject({
  email: z
    .string()
    .min(1)
    .max(254)
    .transform((email) => email.toLowerCase())
    .describe('In any case.'),
  password: z.string().min(1).max(PASSWORD_LENGTH.max),
});
type Login = z.infer<typeof loginSchema>;

export const loginRoute = defineAuthRoute<Login>({
  operationId: 'login',
  method: 'POST',
  path: '/v1/auth/login',
  rule: 'public',
  summary: 'Log in',
  description:
    'Begins a session and sets its cookies: `tg_access` (15 minutes) and `tg_refresh` (30 days, rotating). It acts for the organization of the oldest membership. A wrong email and a wrong password get the same answer. A page of a foreign origin is refused.',
  tags: ['auth'],
  body: {
    schema: loginSchema,
    maxBytes: MAX_BODY_BYTES,
    example: { email: 'ada@example.com', password: 'correct horse' },
  },
  success: { status: 200, schema: sessionViewSchema, example: SESSION_EXAMPLE, headers: SETS_COOKIES },
  errors: ['AUTH_REQUIRED', 'ACCESS_DENIED'],
  audit: 'session.login',
  async answer(call) {
    refuseForeignOrigin(call as AuthCall<never>);
    const { runtime, body: given, passwordLine } = call;
    const { documents, passwords } = runtime;
    const user = await documents.users.findUnique('email', [given.email]);
    const passwordHash = user?.passwordHash ?? DECOY_HASH;
    const matches = await passwords.verify(passwordHash, given.password, passwordLine);
    if (user === null || !matches) throw wrongCredentials();
    const active = activeAmong(await documents.membershipsOf(user.id), null);
    if (active === null) {
      throw new ApiError('ACCESS_DENIED', { text: 'This user belongs to no organization.' });
    }
    const session = await beginProven(call as AuthCall<never>, user, active);
    if (session === null) throw wrongCredentials();
    const body = await viewSession(runtime, user, active);
    await setSessionCookies(call as AuthCall<never>, session);
    return { body, ...begun(call as AuthCall<never>, session, session.id) };
  },
});

/** The one answer to a failed proof of who somebody is: it does not say what was wrong. */
export function wrongCredentials(): ApiError {
  return new ApiError('AUTH_REQUIRED', { text: 'Wrong email or password.' });
}
