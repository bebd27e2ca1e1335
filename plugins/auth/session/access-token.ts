/** The access cookie's content: a short-lived JWT that names its session and says nothing of what it may do. */
import { errors, jwtVerify, SignJWT } from 'jose';
import type { Clock } from '../../../services/shared/ports/clock.ts';
import { ACCESS_SECONDS } from './cookies.ts';

const ALGORITHM = 'HS256';
const ISSUER = 'tidegate-gateway';
const AUDIENCE = 'tidegate-session';

/** What a good token says. */
export interface AccessClaims {
  readonly sessionId: string;
  readonly userId: string;
  readonly expiresAtMs: number;
  /** Whether it was issued as the cookie that only the host itself sets: it counts from no other. */
  readonly isOfHost: boolean;
  /** The version of the session when it was issued, or later: what is known of an earlier one is too old. */
  readonly sessionVersion: number;
}

/** What a token names. */
export interface SessionOfToken {
  readonly id: string;
  readonly userId: string;
  /** That of its document. */
  readonly version: number;
}

/** A new token. */
export interface IssuedToken {
  readonly text: string;
  readonly expiresAtMs: number;
}

export interface AccessTokens {
  /** For 15 minutes, or until `expiresAtMs` when that is given. */
  issue(session: SessionOfToken, expiresAtMs?: number): Promise<IssuedToken>;
  /** What the token says; null when it is malformed, expired or not ours. */
  verify(token: string): Promise<AccessClaims | null>;
}

/**
 * Tokens signed with `key` (32 bytes). `ofHost`: they are set as `__Host-` cookies and say so, so that nobody who has one
 * can have another host plant it under the name of earlier versions.
 */
export function createAccessTokens(key: Uint8Array, clock: Clock, ofHost: boolean): AccessTokens {
  return {
    async issue({ id, userId, version }, expiresAtMs) {
      const issuedAt = Math.floor(clock.now() / 1000);
      const expiresAt = expiresAtMs === undefined ? issuedAt + ACCESS_SECONDS : expiresAtMs / 1000;
      const claims = { sid: id, ver: version };
      const text = await new SignJWT(ofHost ? { ...claims, host: true } : claims)
        .setProtectedHeader({ alg: ALGORITHM })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setSubject(userId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(key);
      return { text, expiresAtMs: expiresAt * 1000 };
    },
    async verify(token) {
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: [ALGORITHM],
          issuer: ISSUER,
          audience: AUDIENCE,
          requiredClaims: ['sub', 'sid', 'exp'],
          currentDate: new Date(clock.now()),
        });
        const { sub, sid, exp, host, ver } = payload;
        if (typeof sub !== 'string' || typeof sid !== 'string' || exp === undefined) return null;
        return {
          sessionId: sid,
          userId: sub,
          expiresAtMs: exp * 1000,
          isOfHost: host === true,
          // Tokens of an earlier version do not say.
          sessionVersion: typeof ver === 'number' ? ver : 0,
        };
      } catch (fault) {
        if (fault instanceof errors.JOSEError) return null;
        throw fault;
      }
    },
  };
}
