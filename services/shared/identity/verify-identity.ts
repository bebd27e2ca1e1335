/** Verifies the gateway's identity token and remembers it until it expires, so that each signature is checked once. */
import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { callerSchema } from '../access/caller.ts';
import { type GrantedCaller, grantSchema } from '../access/grant.ts';
import { ApiError } from '../errors/api-error.ts';
import type { Clock } from '../ports/clock.ts';
import {
  CLOCK_LEEWAY_SECONDS,
  IDENTITY_ALGORITHM,
  IDENTITY_ISSUER,
  IDENTITY_LIFETIME_SECONDS,
  type ServiceName,
} from './identity-token.ts';

/**
 * The caller of a token with the grant of its endpoint, or null when the token is missing, expired, foreign, unsigned or malformed.
 * @throws ApiError SERVICE_UNAVAILABLE when the gateway's keys cannot be read
 */
export type VerifyIdentity = (token: string | undefined) => Promise<GrantedCaller | null>;

/**
 * Finds the key of a token. @throws a JOSEError for a key that is not in the set; ApiError SERVICE_UNAVAILABLE when the
 * set cannot be read
 */
export type IdentityKeys = JWTVerifyGetKey;

const REMEMBERED_TOKENS = 10_000;
/** All remembered tokens together, in characters: the token of a key limited to 1,000 websites has about 90,000. */
const REMEMBERED_CHARACTERS = 64_000_000;

/** A verifier of tokens for `audience`, signed with the private keys to `keys` (a set, or where to fetch one). */
export function createVerifyIdentity(
  keys: JSONWebKeySet | IdentityKeys,
  audience: ServiceName,
  clock: Clock,
): VerifyIdentity {
  const keyOf = typeof keys === 'function' ? keys : createLocalJWKSet(keys);
  const verified = new LRUCache<string, { caller: GrantedCaller; expiresAt: number }>({
    maxSize: REMEMBERED_CHARACTERS,
    sizeCalculation: (_, token) => Math.max(token.length, REMEMBERED_CHARACTERS / REMEMBERED_TOKENS),
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
      const caller = { ...callerSchema.parse(payload.caller), grant: grantSchema.parse(payload.grant) };
      verified.set(token, { caller, expiresAt: ((payload.exp ?? 0) + CLOCK_LEEWAY_SECONDS) * 1000 });
      return caller;
    } catch (fault) {
      if (fault instanceof ApiError) throw fault;
      return null;
    }
  };
}
