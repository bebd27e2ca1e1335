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
}

export interface AccessTokens {
  issue(session: { readonly id: string; readonly userId: string }): Promise<string>;
  /** What the token says; null when it is malformed, expired or not ours. */
  verify(token: string): Promise<AccessClaims | null>;
}

/** Tokens signed with `key` (32 bytes). */
export function createAccessTokens(key: Uint8Array, clock: Clock): AccessTokens {
  return {
    issue({ id, userId }) {
      const issuedAt = Math.floor(clock.now() / 1000);
      return new SignJWT({ sid: id })
        .setProtectedHeader({ alg: ALGORITHM })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setSubject(userId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + ACCESS_SECONDS)
        .sign(key);
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
        const { sub, sid, exp } = payload;
        if (typeof sub !== 'string' || typeof sid !== 'string' || exp === undefined) return null;
        return { sessionId: sid, userId: sub, expiresAtMs: exp * 1000 };
      } catch (fault) {
        if (fault instanceof errors.JOSEError) return null;
        throw fault;
      }
    },
  };
}
