/** A session as its user sees it: who, of which organizations, acting for which; and the cookies that carry it. */

import { type ScopeCatalogue, SHIPPED_CATALOGUE } from '../../../services/shared/access/scope-catalogue.ts';
import type { SessionData, SessionView } from '../../../services/shared/accounts/session-schema.ts';
import type { User } from '../../../services/shared/model/user.ts';
import { effectiveLimits } from '../../../services/shared/plans/effective-limits.ts';
import type { GatewayRuntime } from '../../kit/runtime.ts';
import { sessionRefusal } from '../read-session.ts';
import type { IssuedToken, SessionOfToken } from './access-token.ts';
import type { AuthAnswer, AuthCall } from './auth-route.ts';
import {
  ACCESS_SECONDS,
  cookieLine,
  forgetPlainLines,
  REFRESH_SECONDS,
  readCookie,
  usesSecureCookies,
} from './cookies.ts';
import type { OpenSession } from './sessions.ts';

export const SESSION_EXAMPLE: SessionView = {
  success: true,
  data: {
    sessionId: 'ses_01k3w6v1q8z5m7r2c4x9t0b6ha',
    user: { id: 'usr_01k3w6v1q8z5m7r2c4x9t0b6ha', email: 'ada@example.com', name: 'Ada' },
    organizations: [{ id: 'org_01k3w6v1q8z5m7r2c4x9t0b6ha', name: 'Example', role: 'viewer' }],
    activeOrganizationId: 'org_01k3w6v1q8z5m7r2c4x9t0b6ha',
    active: {
      id: 'org_01k3w6v1q8z5m7r2c4x9t0b6ha',
      timezone: 'Europe/Berlin',
      plan: 'free',
      limits: {
        per10Seconds: 50,
        perMinute: 300,
        perDay: null,
        perMonth: 100_000,
        customSqlPerMinute: 30,
        batchDatasetsPerMinute: 6_000,
        batchEventsPerMinute: 60_000,
        publicPerMinute: 100,
        websites: 1_000,
        links: 10_000,
        goals: 1_000,
        funnels: 1_000,
      },
    },
    scopes: ['read:data', 'read:links'],
    ...viewScopes(SHIPPED_CATALOGUE),
    accessExpiresAt: '2026-01-15T09:45:00.000Z',
  },
};

/**
 * The view of `user`'s session, whose access cookie ends at `accessExpiresAtMs`.
 * @throws ApiError AUTH_REQUIRED when the user left its organization, or that was deleted, meanwhile
 */
export async function viewSession(
  { documents, plans, scopes }: GatewayRuntime,
  user: User,
  { id: sessionId, activeOrganizationId }: Pick<OpenSession, 'id' | 'activeOrganizationId'>,
  accessExpiresAtMs: number,
): Promise<SessionView> {
  const memberships = await documents.membershipsOf(user.id);
  const found = await Promise.all(
    memberships.map(async ({ organizationId, role }) => {
      const organization = await documents.organizations.get(organizationId, organizationId);
      return organization && { organization, role };
    }),
  );
  const belongings = found.filter((belonging) => belonging !== null);
  const active = belongings.find(({ organization }) => organization.id === activeOrganizationId);
  if (active === undefined) throw sessionRefusal('ended');
  const { id, timezone, plan } = active.organization;
  return {
    success: true,
    data: {
      sessionId,
      user: {
        ...{ id: user.id, email: user.email, name: user.name ?? null },
        ...(user.isOperator === true && { isOperator: true as const }),
      },
      organizations: belongings.map(({ organization, role }) => {
        return { id: organization.id, name: organization.name, role };
      }),
      activeOrganizationId,
      active: { id, timezone: timezone ?? 'UTC', plan, limits: effectiveLimits(plans, active.organization) },
      scopes: [...scopes.ofRole[active.role]],
      ...viewScopes(scopes),
      accessExpiresAt: new Date(accessExpiresAtMs).toISOString(),
    },
  };
}

/** What every session may know of the scopes in force. */
function viewScopes({ listed, ofRole }: ScopeCatalogue): Pick<SessionData, 'listedScopes' | 'roleScopes'> {
  const { owner, admin, member, viewer } = ofRole;
  return {
    listedScopes: listed.map(({ name, text, holders }) => ({ name, text, holders: [...holders] })),
    roleScopes: { owner: [...owner], admin: [...admin], member: [...member], viewer: [...viewer] },
  };
}

/** When the access cookie of the request ends. @throws ApiError AUTH_REQUIRED when it just did */
export async function accessExpiry({ runtime, parts, rawHeaders }: AuthCall<never>): Promise<number> {
  const cookie = readCookie(rawHeaders, 'access', usesSecureCookies(runtime));
  const claims = typeof cookie === 'object' ? await parts.accessTokens.verify(cookie.value) : null;
  if (claims === null) throw sessionRefusal('ended');
  return claims.expiresAtMs;
}

/**
 * Sets the access cookie anew after a change of what the session acts for, with the version that it has now: a gateway that
 * remembers an earlier one looks it up again, although nobody told it. It ends when the one that came does.
 */
export async function setChangedAccess(
  { runtime, parts, rawHeaders, setCookie }: AuthCall<never>,
  session: SessionOfToken,
  accessExpiresAtMs: number,
): Promise<void> {
  const secure = usesSecureCookies(runtime);
  const came = readCookie(rawHeaders, 'access', secure);
  // Beside a new name the cookies of an earlier version do not count: its refresh cookie would be lost.
  if (typeof came !== 'object' || came.isPrefixed !== secure) return;
  const { text } = await parts.accessTokens.issue(session, accessExpiresAtMs);
  const secondsLeft = Math.max(1, Math.ceil((accessExpiresAtMs - runtime.clock.now()) / 1000));
  setCookie(cookieLine('access', text, secondsLeft, secure));
}

/** Sets both cookies of a session. */
export function setSessionCookies(
  { runtime, rawHeaders, setCookie }: AuthCall<never>,
  { refreshToken }: OpenSession,
  access: IssuedToken,
): void {
  const secure = usesSecureCookies(runtime);
  setCookie(cookieLine('access', access.text, ACCESS_SECONDS, secure));
  setCookie(cookieLine('refresh', refreshToken, REFRESH_SECONDS, secure));
  for (const line of forgetPlainLines(rawHeaders, secure)) setCookie(line);
}

/** Shows a session that begins, and sets its cookies. @throws ApiError as {@link viewSession}, with the session ended */
export async function openSession(
  call: AuthCall<never>,
  user: User,
  session: OpenSession,
): Promise<SessionView> {
  const { runtime, parts } = call;
  const access = await parts.accessTokens.issue(session);
  try {
    const view = await viewSession(runtime, user, session, access.expiresAtMs);
    setSessionCookies(call, session, access);
    return view;
  } catch (fault) {
    await parts.sessions.end(user.id, session.id);
    throw fault;
  }
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
