/** Signs the caller's identity, so that services trust the gateway alone (contract.md, Identity towards the services). */
import { randomUUID } from 'node:crypto';
import {
  type CryptoKey,
  createLocalJWKSet,
  importJWK,
  type JSONWebKeySet,
  type JWK,
  type JWTPayload,
  SignJWT,
} from 'jose';
import type { Logger } from 'pino';
import type { Grant } from '../../services/shared/access/grant.ts';
import type { Principal } from '../../services/shared/access/principal.ts';
import {
  IDENTITY_ALGORITHM,
  IDENTITY_ISSUER,
  IDENTITY_LIFETIME_SECONDS,
  type ServiceName,
} from '../../services/shared/identity/identity-token.ts';
import type { IdentityKeys } from '../../services/shared/identity/verify-identity.ts';
import type { Endpoint } from '../../services/shared/plans/endpoint.ts';
import type { Clock } from '../../services/shared/ports/clock.ts';
import { createRemoteIdentityKeys } from './identity-keys.ts';

export interface IdentitySigner {
  /** The keys that verify the tokens: the public halves of all keys, both the signing key and the other trusted ones. */
  readonly publicKeys: JSONWebKeySet;
  /**
   * A token valid for at most 60 seconds, with what the endpoint grants; it is reused for the same principal object, which
   * lives only a few seconds, and the same endpoint.
   */
  token(principal: Principal, audience: ServiceName, endpoint: Endpoint): string | Promise<string>;
  /**
   * A token for a backend of the platform's own, with the same caller and lifetime. `isSingle`: the token is for one
   * request alone and has a `jti` of its own (RFC 7519, 4.1.7), which no client chooses; else it is reused as those of
   * {@link token} are.
   */
  backendToken(principal: Principal, audience: string, isSingle: boolean): string | Promise<string>;
}

/** A signer that uses the first private key. */
export async function createIdentitySigner(
  privateKeys: readonly JWK[],
  clock: Clock,
): Promise<IdentitySigner> {
  const [first] = privateKeys;
  if (!first?.kid) throw new Error('an identity key with a kid is required');
  const { kid } = first;
  const key = (await importJWK(first, IDENTITY_ALGORITHM)) as CryptoKey;

  function sign(claims: JWTPayload, { caller }: Principal, audience: string): Promise<string> {
    const issuedAt = Math.floor(clock.now() / 1000);
    return new SignJWT(claims)
      .setProtectedHeader({ alg: IDENTITY_ALGORITHM, kid })
      .setIssuer(IDENTITY_ISSUER)
      .setAudience(audience)
      .setSubject(caller.id)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + IDENTITY_LIFETIME_SECONDS)
      .sign(key);
  }

  /** Remembered with the principal, so that its further requests sign nothing. */
  async function signOnce(
    principal: Principal,
    audience: string,
    place: Endpoint | string,
    claims: JWTPayload,
  ): Promise<string> {
    const token = await sign(claims, principal, audience);
    principal.identityTokens.set(place, { audience, token });
    return token;
  }

  return {
    publicKeys: publicKeySet(privateKeys),
    token(principal, audience, endpoint) {
      if (principal.caller.kind === 'jwt')
        throw new Error('our own services take no caller of an identity provider');
      const held = principal.identityTokens.get(endpoint);
      if (held?.audience === audience) return held.token;
      return signOnce(principal, audience, endpoint, { caller: principal.caller, grant: grantOf(endpoint) });
    },
    backendToken(principal, audience, isSingle) {
      const { caller } = principal;
      if (isSingle) return sign({ caller, jti: randomUUID() }, principal, audience);
      const held = principal.identityTokens.get(audience);
      return held?.token ?? signOnce(principal, audience, audience, { caller });
    },
  };
}

/** What an endpoint grants, as its tokens say it. */
export function grantOf({ name, access, scopes, scopesUnder, roles, routes = [] }: Endpoint): Grant {
  const under =
    scopesUnder && Object.fromEntries(Object.entries(scopesUnder).map(([at, all]) => [at, [...all]]));
  return {
    endpoint: name,
    access,
    scopes: [...scopes],
    ...(under && { scopesUnder: under }),
    roles: [...roles],
    routes: [...routes],
  };
}

/** The public halves, in the form that services need. */
export function publicKeySet(privateKeys: readonly JWK[]): JSONWebKeySet {
  return { keys: privateKeys.map(({ d: _, ...key }) => ({ ...key, alg: IDENTITY_ALGORITHM, use: 'sig' })) };
}

/** The keys that services trust: those at IDENTITY_JWKS_URL if it is set, else the public halves of this process's own. */
export function openIdentityKeys(
  { identityJwksUrl }: { readonly identityJwksUrl: string | null },
  { identityKeys }: { readonly identityKeys: readonly JWK[] },
  clock: Clock,
  logger: Pick<Logger, 'info' | 'warn'>,
): IdentityKeys {
  if (identityJwksUrl === null) return createLocalJWKSet(publicKeySet(identityKeys));
  return createRemoteIdentityKeys(identityJwksUrl, clock, (fault) => {
    if (fault === null) logger.info('the identity keys of the gateway can be read again');
    else
      logger.warn({ err: fault }, 'the identity keys of the gateway cannot be read; known keys stay in use');
  });
}
