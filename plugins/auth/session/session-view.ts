/** A session as its user sees it: who, of which organizations, acting for which; and the cookies that carry it. */
import { z } from 'zod';
import { isDevelopment } from '../../../services/shared/access/origin-rule.ts';
import { ROLES, type User } from '../../../services/shared/model/user.ts';
import type { GatewayRuntime } from '../../../services/shared/plugin/runtime.ts';
import type { AuthAnswer, AuthCall } from './auth-route.ts';
import { ACCESS_COOKIE, ACCESS_SECONDS, cookieLine, REFRESH_COOKIE, REFRESH_SECONDS } from './cookies.ts';
import type { OpenSession } from './sessions.ts';

export const sessionViewSchema = z.object({
  success: z.literal(true),
  data: z
    .object({
      user: z.object({ id: z.string(), email: z.string(), name: z.string().nullable() }),
      organizations: z
        .array(z.object({ id: z.string(), name: z.string(), role: z.enum(ROLES) }))
        .describe('Organizations of the user, the oldest membership first.'),
      activeOrganizationId: z.string().describe('The organization that the session acts for.'),
    })
    .meta({ title: 'Session' }),
});
export type SessionView = z.infer<typeof sessionViewSchema>;

export const SESSION_EXAMPLE: SessionView = {
  success: true,
  data: {
    user: { id: 'usr_01k3w6v1q8z5m7r2c4x9t0b6ha', email: 'ada@example.com', name: 'Ada' },
    organizations: [{ id: 'org_01k3w6v1q8z5m7r2c4x9t0b6ha', name: 'Example', role: 'owner' }],
    activeOrganizationId: 'org_01k3w6v1q8z5m7r2c4x9t0b6ha',
  },
};

/** The view of `user`'s session that acts for `activeOrganizationId`. */
export async function viewSession(
  { documents }: GatewayRuntime,
  user: User,
  activeOrganizationId: string,
): Promise<SessionView> {
  const memberships = await documents.membershipsOf(user.id);
  const organizations = await Promise.all(
    memberships.map(async ({ organizationId, role }) => {
      const found = await documents.organizations.get(organizationId, organizationId);
      return found && { id: found.id, name: found.name, role };
    }),
  );
  return {
    success: true,
    data: {
      user: { id: user.id, email: user.email, name: user.name ?? null },
      organizations: organizations.filter((organization) => organization !== null),
      activeOrganizationId,
    },
  };
}

/** Sets both cookies of a session. */
export async function setSessionCookies(
  { runtime, parts, setCookie }: AuthCall<never>,
  session: OpenSession,
): Promise<void> {
  const secure = usesSecureCookies(runtime);
  const token = await parts.accessTokens.issue(session);
  setCookie(cookieLine(ACCESS_COOKIE, token, ACCESS_SECONDS, secure));
  setCookie(cookieLine(REFRESH_COOKIE, session.refreshToken, REFRESH_SECONDS, secure));
}

/** What is recorded of a session that began with an act on `targetId`; without its record the session ends again. */
export function begun(
  { parts }: AuthCall<never>,
  { id, userId, activeOrganizationId }: OpenSession,
  targetId: string,
): Pick<AuthAnswer, 'written' | 'takeBack'> {
  return {
    written: [{ organizationId: activeOrganizationId, sessionId: id, userId, targetId }],
    async takeBack() {
      await parts.sessions.end(userId, id);
    },
  };
}

/** Cookies go over https only, save in development. */
export function usesSecureCookies({ ownDomains }: GatewayRuntime): boolean {
  return !isDevelopment(ownDomains);
}
