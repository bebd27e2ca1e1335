/** What a session does with itself: shown, switched to another organization, ended. */
import { z } from 'zod';
import { sessionViewSchema } from '../../../services/shared/accounts/session-schema.ts';
import { ApiError } from '../../../services/shared/errors/api-error.ts';
import { ROLES, type User } from '../../../services/shared/model/user.ts';
import { sessionRefusal } from '../read-session.ts';
import {
  type AuthCall,
  defineAuthRoute,
  MAX_BODY_BYTES,
  SETS_ACCESS,
  SETS_COOKIES,
  type SessionWrite,
} from './auth-route.ts';
import { forgetLines, readCookie, usesSecureCookies } from './cookies.ts';
import { accessExpiry, SESSION_EXAMPLE, setChangedAccess, viewSession } from './session-view.ts';

export const sessionRoute = defineAuthRoute({
  operationId: 'getSession',
  method: 'GET',
  path: '/v1/auth/session',
  rule: { roles: ROLES },
  needs: 'session',
  summary: 'Who is logged in',
  description:
    'The user of the session, its organizations, and the one that the session acts for, with its time zone, plan and limits and what the session may do there, whatever the role; and when the access cookie ends.',
  tags: ['auth'],
  success: { status: 200, schema: sessionViewSchema, example: SESSION_EXAMPLE },
  errors: [],
  async answer(call) {
    const user = await sessionUser(call as AuthCall<never>);
    const { id, organizationId } = call.caller;
    const session = { id, activeOrganizationId: organizationId ?? '' };
    return {
      body: await viewSession(call.runtime, user, session, await accessExpiry(call as AuthCall<never>)),
    };
  },
});

const switchSchema = z.strictObject({
  organizationId: z.string().min(1).max(64).describe('An organization that the user belongs to.'),
});

export const switchRoute = defineAuthRoute<z.infer<typeof switchSchema>>({
  operationId: 'switchOrganization',
  method: 'POST',
  path: '/v1/auth/switch',
  rule: { roles: ROLES },
  needs: 'session',
  summary: 'Act for another organization',
  description:
    'The session acts for another organization of its user from now on, with the role that the user has there. Whoever sends the access cookie of the answer is served for no other one, by any gateway; the one before is good until it ends, but a gateway may take it for the earlier organization for up to 5 seconds.',
  tags: ['auth'],
  body: {
    schema: switchSchema,
    maxBytes: MAX_BODY_BYTES,
    example: { organizationId: 'org_01k3w6v1q8z5m7r2c4x9t0b6ha' },
  },
  success: { status: 200, schema: sessionViewSchema, example: SESSION_EXAMPLE, headers: SETS_ACCESS },
  errors: [],
  audit: 'session.switch',
  async answer(call) {
    const { runtime, parts, body, caller } = call;
    const user = await sessionUser(call as AuthCall<never>);
    const { organizationId } = body;
    const membership = await runtime.documents.memberships.findUnique('organizationUser', [
      organizationId,
      user.id,
    ]);
    const organization =
      membership && (await runtime.documents.organizations.get(organizationId, organizationId));
    if (!organization) {
      throw new ApiError('ACCESS_DENIED', {
        text: `The organization "${organizationId}" is not accessible to this user.`,
      });
    }
    const session = { id: caller.id, activeOrganizationId: organizationId };
    const accessExpiresAtMs = await accessExpiry(call as AuthCall<never>);
    const view = await viewSession(runtime, user, session, accessExpiresAtMs);
    const activation = await parts.sessions.activate(user.id, caller.id, organizationId);
    if (activation === 'ended') throw sessionRefusal('ended');
    parts.tell({ kind: 'session', id: caller.id });
    const changed = { id: caller.id, userId: user.id, version: activation.version };
    await setChangedAccess(call as AuthCall<never>, changed, accessExpiresAtMs);
    const write = { organizationId, sessionId: caller.id, userId: user.id, targetId: caller.id };
    return { body: view, written: activation.isChanged ? [write] : [] };
  },
});

/** A session that a logout ends. */
type Ending = Omit<SessionWrite, 'targetId' | 'sessionId' | 'userId'> & {
  readonly sessionId: string;
  readonly userId: string;
};

export const logoutRoute = defineAuthRoute({
  operationId: 'logout',
  method: 'POST',
  path: '/v1/auth/logout',
  rule: { roles: ROLES },
  summary: 'Log out',
  description:
    'Ends the session and makes the browser forget its cookies. A session that has ended already is 204 too.',
  tags: ['auth'],
  success: { status: 204, schema: z.undefined(), example: undefined, headers: SETS_COOKIES },
  errors: [],
  audit: 'session.logout',
  async answer({ runtime, parts, caller, rawHeaders, setCookie }) {
    // The access cookie may be gone while the family lives on: the refresh cookie names it too.
    const secure = usesSecureCookies(runtime);
    const cookie = readCookie(rawHeaders, 'refresh', secure);
    const token =
      typeof cookie === 'object' ? parts.refreshTokens.read(cookie.value, cookie.isPrefixed) : null;
    const named = token && (await runtime.documents.sessions.findUnique('id', [token.sessionId]));
    const ending: Ending[] = [];
    if (named) {
      const { id: sessionId, organizationId: userId, activeOrganizationId: organizationId } = named;
      ending.push({ sessionId, userId, organizationId });
    }
    if (caller.userId !== null && caller.id !== named?.id) {
      const { id: sessionId, userId, organizationId } = caller;
      ending.push({ sessionId, userId, organizationId: organizationId ?? '' });
    }
    const written: SessionWrite[] = [];
    for (const session of ending) {
      const ended = await parts.sessions.end(session.userId, session.sessionId);
      if (ended) written.push({ ...session, targetId: session.sessionId });
      parts.tell({ kind: 'session', id: session.sessionId });
    }
    for (const line of forgetLines(rawHeaders, secure)) setCookie(line);
    return { written };
  },
});

/** The user of the calling session. @throws ApiError AUTH_REQUIRED when it was removed meanwhile */
export async function sessionUser({ runtime, caller }: AuthCall<never>): Promise<User> {
  const id = caller.userId;
  const user = id === null ? null : await runtime.documents.users.get(id, id);
  if (user === null) throw sessionRefusal('ended');
  return user;
}
