/** Every route of `/v1/auth`, for the policy that answers them and for the description of the API. */
import { acceptRoute } from './accept-invitation.ts';
import type { AuthRoute } from './auth-route.ts';
import { passwordRoute } from './change-password.ts';
import { loginRoute } from './login.ts';
import { logoutRoute, sessionRoute, switchRoute } from './own-session.ts';
import { refreshRoute } from './refresh.ts';

export const authRoutes: readonly AuthRoute[] = [
  loginRoute,
  refreshRoute,
  logoutRoute,
  sessionRoute,
  switchRoute,
  passwordRoute,
  acceptRoute,
];
