/** Every route of `/v1/auth`, for the policies that judge and answer them and for the description of the API. */
import type { GatewayRequest } from '../../kit/request-context.ts';
import { acceptRoute } from './accept-invitation.ts';
import type { AuthRoute } from './auth-route.ts';
import { passwordRoute } from './change-password.ts';
import { changeUserRoute } from './change-user.ts';
import { loginRoute } from './login.ts';
import { logoutRoute, sessionRoute, switchRoute } from './own-session.ts';
import { endSessionRoute, sessionsRoute } from './own-sessions.ts';
import { invitationRoute } from './read-invitation.ts';
import { refreshRoute } from './refresh.ts';
import { resetRoute } from './reset-password.ts';

export const authRoutes: readonly AuthRoute[] = [
  loginRoute,
  refreshRoute,
  logoutRoute,
  sessionRoute,
  sessionsRoute,
  endSessionRoute,
  switchRoute,
  passwordRoute,
  changeUserRoute,
  invitationRoute,
  acceptRoute,
  resetRoute,
];

/** A route that a request asks for, with its path parameters by name. */
export interface AskedRoute {
  readonly route: AuthRoute;
  readonly params: Readonly<Record<string, string>>;
}

const ID = ':id';
const nameOf = ({ method, path }: AuthRoute): string => `${method} ${path}`;
const routes = new Map(authRoutes.map((route) => [nameOf(route), { route, params: {} }]));
/** Those whose path ends in an identifier, by what stands before it. */
const byId = new Map(
  authRoutes
    .filter(({ path }) => path.endsWith(ID))
    .map((route) => [nameOf(route).slice(0, -ID.length), route]),
);

/** The route that a request asks for; undefined for every other path and method. */
export function authRouteOf({ method, url }: GatewayRequest): AskedRoute | undefined {
  if (!url.startsWith('/v1/auth/')) return undefined;
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  const asked = `${method === 'HEAD' ? 'GET' : method} ${path}`;
  const idAt = asked.lastIndexOf('/') + 1;
  const route = byId.get(asked.slice(0, idAt));
  return routes.get(asked) ?? (route && { route, params: { id: asked.slice(idAt) } });
}
