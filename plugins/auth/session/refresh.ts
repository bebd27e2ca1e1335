/** `POST /v1/auth/refresh`: a new access cookie for a refresh token, which is spent by it. */
import { judgeOrigin } from '../../../services/shared/access/origin-rule.ts';
import { sessionViewSchema } from '../../../services/shared/accounts/session-schema.ts';
import { ApiError } from '../../../services/shared/errors/api-error.ts';
import { foreignOrigin } from '../read-session.ts';
import { type AuthCall, clientOf, defineAuthRoute, SETS_COOKIES } from './auth-route.ts';
import { forgetLines, readCookie, usesSecureCookies } from './cookies.ts';
import { SESSION_EXAMPLE, setSessionCookies, viewSession } from './session-view.ts';

export const refreshRoute = defineAuthRoute({
  operationId: 'refreshSession',
  method: 'POST',
  path: '/v1/auth/refresh',
  rule: 'public',
  summary: 'Refresh the session',
  description:
    'Spends the refresh cookie and sets both cookies anew. A token serves once: spent again within 10 seconds (another tab was first) it is 401 and the session lives; later it is 401 and the session ends. Only for pages of the own domains.',
  tags: ['auth'],
  success: { status: 200, schema: sessionViewSchema, example: SESSION_EXAMPLE, headers: SETS_COOKIES },
  errors: ['AUTH_REQUIRED'],
  async answer(call) {
    const { runtime, parts, rawHeaders } = call;
    if (judgeOrigin(rawHeaders, runtime.ownDomains) !== 'own') throw foreignOrigin();
    const cookie = readCookie(rawHeaders, 'refresh', usesSecureCookies(runtime));
    if (cookie === 'none')
      throw new ApiError('AUTH_REQUIRED', { text: 'There is no refresh cookie: log in.' });
    const token = cookie === 'refused' ? null : parts.refreshTokens.read(cookie.value, cookie.isPrefixed);
    const outcome =
      token === null ? 'ended' : await parts.sessions.refresh(token, clientOf(call as AuthCall<never>));
    if (outcome === 'raced') {
      throw new ApiError('AUTH_REQUIRED', {
        text: 'This refresh token was spent a moment ago; the cookies of that refresh are good.',
      });
    }
    if (outcome === 'reused' && token !== null) {
      parts.tell({ kind: 'session', id: token.sessionId });
      runtime.logger.warn(
        { requestId: call.requestId, sessionId: token.sessionId },
        'a refresh token that was spent long ago came again: its session was ended',
      );
    }
    if (outcome === 'ended' || outcome === 'reused') throw ended(call as AuthCall<never>);
    const user = await runtime.documents.users.get(outcome.userId, outcome.userId);
    if (user === null) throw ended(call as AuthCall<never>);
    // The organization may be another one than before, when the user left it.
    parts.tell({ kind: 'session', id: outcome.id });
    const access = await parts.accessTokens.issue(outcome);
    // Before anything else can fail: the token that came is spent.
    setSessionCookies(call as AuthCall<never>, outcome, access);
    return { body: await viewSession(runtime, user, outcome, access.expiresAtMs) };
  },
});

function ended({ runtime, rawHeaders, setCookie }: AuthCall<never>): ApiError {
  for (const line of forgetLines(rawHeaders, usesSecureCookies(runtime))) setCookie(line);
  return new ApiError('AUTH_REQUIRED', { text: 'The session has ended: log in again.' });
}
