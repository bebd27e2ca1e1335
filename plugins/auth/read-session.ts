/** Judges the session cookie of a request, which counts only when the request comes from one of the service's own domains. */
import { judgeOrigin } from '../../services/shared/access/origin-rule.ts';
import type { Principal } from '../../services/shared/access/principal.ts';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import type { Endpoint } from '../../services/shared/plans/endpoint.ts';
import type { GatewayRequest } from '../kit/request-context.ts';
import type { GatewayRuntime } from '../kit/runtime.ts';
import { leastLeftMs } from '../kit/verdict-life.ts';
import { createVerdictMeasures } from '../kit/verdict-measures.ts';
import { readCookie, usesSecureCookies } from './session/cookies.ts';
import { sessionParts } from './session/session-parts.ts';

/** `ended`: a cookie from an own domain, for a session that is over. */
export type SessionReading = Principal | 'none' | 'foreign' | 'ended';

/** The session of a request; a promise only when there is no fresh verdict on it. */
export type ReadSession = (req: GatewayRequest) => SessionReading | Promise<SessionReading>;

export function createReadSession(runtime: GatewayRuntime): ReadSession {
  const { verdicts } = sessionParts(runtime);
  const measures = createVerdictMeasures(runtime.metrics, 'session');
  const secure = usesSecureCookies(runtime);
  return function readSession({ headers, rawHeaders, context }) {
    if (headers.cookie === undefined) return 'none';
    const access = readCookie(rawHeaders, 'access', secure);
    if (access === 'none' && readCookie(rawHeaders, 'refresh', secure) === 'none') return 'none';
    if (judgeOrigin(rawHeaders, runtime.ownDomains) !== 'own') return 'foreign';
    if (access === 'none' || access === 'refused') return 'ended';
    const verdict = verdicts.judge(access.value, access.isPrefixed, {
      isStanding: context.isStanding,
      leastLeftMs: leastLeftMs(context),
    });
    if (verdict instanceof Promise) {
      measures.miss.add();
      return verdict.then((principal) => principal ?? 'ended');
    }
    (verdict === null ? measures.refused : measures.hit).add();
    return verdict ?? 'ended';
  };
}

/** AUTH_REQUIRED, saying why the cookie did not count, or what a route with this access accepts when there is none. */
export function sessionRefusal(
  reading: 'none' | 'foreign' | 'ended',
  access: Endpoint['access'] = 'session',
): ApiError {
  if (reading === 'foreign') return foreignOrigin();
  if (reading === 'none') {
    const text =
      'This needs a session: log in with POST /v1/auth/login and send its cookie. No API key opens it.';
    return new ApiError('AUTH_REQUIRED', access === 'session' ? { text } : {});
  }
  return new ApiError('AUTH_REQUIRED', {
    text: 'The session has ended or expired: refresh it, or log in again.',
  });
}

/** A cookie sent by a foreign page. */
export function foreignOrigin(): ApiError {
  return new ApiError('AUTH_REQUIRED', {
    text: "The session cookie does not count here: by its Origin, Sec-Fetch-Site or Referer the request does not come from one of the service's own domains.",
  });
}

/** The session whose refresh token the request carries, checked only by its seal; null for none, and for a foreign page. */
export function readSessionFamily(
  { headers, rawHeaders }: GatewayRequest,
  runtime: GatewayRuntime,
): string | null {
  if (headers.cookie === undefined) return null;
  const cookie = readCookie(rawHeaders, 'refresh', usesSecureCookies(runtime));
  if (typeof cookie === 'string' || judgeOrigin(rawHeaders, runtime.ownDomains) !== 'own') return null;
  return sessionParts(runtime).refreshTokens.read(cookie.value, cookie.isPrefixed)?.sessionId ?? null;
}
