/** Verifies the gateway's identity token; a verified token is remembered until it expires, so its signature is checked once. */
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { type Caller, callerSchema } from '../access/caller.ts';
import { ApiError } from '../errors/api-error.ts';
import type { Clock } from '../ports/clock.ts';
import type { IdentityKeys } from './identity-keys.ts';
import {
  CLOCK_LEEWAY_SECONDS,
  IDENTITY_ALGORITHM,
  IDENTITY_ISSUER,
  IDENTITY_LIFETIME_SECONDS,
  type ServiceName,
} from './identity-token.ts';

/**
 * The caller of a token, or null when the token is missing, expired, foreign, unsigned or malformed.
 * @throws ApiError SERVICE_UNAVAILABLE when the gateway's keys cannot be read
 */
export type VerifyIdentity = (token: string | undefined) => Promise<Caller | null>;

const REMEMBERED_TOKENS = 10_000;
/** All remembered tokens together, in characters: one of a key that is limited to 1,000 websites has some 90,000. */
const REMEMBERED_CHARACTERS = 64_000_000;

/** A verifier for the tokens that the holder of the private keys to `keys` (a set, or where to find one) makes for `audience`. */
export function createVerifyIdentity(
  keys: JSONWebKeySet | IdentityKeys,
  audience: ServiceName,
  clock: Clock,
): VerifyIdentity {
  const keyOf = typeof keys === 'function' ? keys : createLocalJWKSet(keys);
  const verified = new LRUCache<string, { caller: Caller; expiresAt: number }>({
    max: REMEMBERED_TOKENS,
    maxSize: REMEMBERED_CHARACTERS,
    sizeCalculation: (_, token) => token.length,
  });

  return async function verifyIdentity(token) {
    if (!token) return null;
    const known = verified.get(token);
    if (known) return known.expiresAt > clock.now() ? known.caller : null;
    try {
      const { payload } = await jwtVerify(token, keyOf, {
        algorithms: [IDENTITY_ALGORITHM],
        issuer: IDENTITY_ISSUER,
        audience,
        maxTokenAge: IDENTITY_LIFETIME_SECONDS,
        clockTolerance: CLOCK_LEEWAY_SECONDS,
        requiredClaims: ['exp', 'iat'],
        currentDate: new Date(clock.now()),
      });
      const caller = callerSchema.parse(payload.caller);
      verified.set(token, { caller, expiresAt: ((payload.exp ?? 0) + CLOCK_LEEWAY_SECONDS) * 1000 });
      return caller;
    } catch (fault) {
      if (fault instanceof ApiError) throw fault;
      return null;
    }
  };
}
