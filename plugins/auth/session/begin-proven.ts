/** Begins the session of a user whose password was proven a moment ago, unless that password is none any more. */
import type { User } from '../../../services/shared/model/user.ts';
import { type AuthCall, clientOf } from './auth-route.ts';
import type { OpenSession } from './sessions.ts';

/** `user` as it was when its password was proven. Null when the password was changed since: then no session is left. */
export async function beginProven(
  call: AuthCall<never>,
  user: User,
  organizationId: string,
): Promise<OpenSession | null> {
  const { runtime, parts } = call;
  const session = await parts.sessions.begin(user.id, organizationId, clientOf(call));
  // A change in between ended the sessions that it saw: this one it did not see.
  const now = await runtime.documents.users.get(user.id, user.id);
  if (now?.passwordHash === user.passwordHash) return session;
  await parts.sessions.end(user.id, session.id);
  return null;
}
