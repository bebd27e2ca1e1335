/** Signs who calls, so that services trust the gateway and nobody else (contract.md, Identity towards the services). */
import { type CryptoKey, createLocalJWKSet, importJWK, type JSONWebKeySet, type JWK, SignJWT } from 'jose';
import type { Logger } from 'pino';
import type { Principal } from '../services/shared/access/principal.ts';
import { createRemoteIdentityKeys, type IdentityKeys } from '../services/shared/identity/identity-keys.ts';
import {
  IDENTITY_ALGORITHM,
  IDENTITY_ISSUER,
  IDENTITY_LIFETIME_SECONDS,
  type ServiceName,
} from '../services/shared/identity/identity-token.ts';
import type { Clock } from '../services/shared/ports/clock.ts';

export interface IdentitySigner {
  /** What verifies the tokens: the public halves of all keys, the signing one and those that are believed beside it. */
  readonly publicKeys: JSONWebKeySet;
  /** A token of at most 60 seconds; one made for the same principal object serves again, as it lives a few seconds only. */
  token(principal: Principal, audience: ServiceName): string | Promise<string>;
}

/** A signer with the first of the private keys. */
export async function createIdentitySigner(
  privateKeys: readonly JWK[],
  clock: Clock,
): Promise<IdentitySigner> {
  const [first] = privateKeys;
  if (!first?.kid) throw new Error('an identity key with a kid is needed');
  const { kid } = first;
  const key = (await importJWK(first, IDENTITY_ALGORITHM)) as CryptoKey;

  async function sign(principal: Principal, audience: ServiceName): Promise<string> {
    const issuedAt = Math.floor(clock.now() / 1000);
    const token = await new SignJWT({ caller: principal.caller })
      .setProtectedHeader({ alg: IDENTITY_ALGORITHM, kid })
      .setIssuer(IDENTITY_ISSUER)
      .setAudience(audience)
      .setSubject(principal.caller.id)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + IDENTITY_LIFETIME_SECONDS)
      .sign(key);
    principal.identityTokens.set(audience, token);
    return token;
  }

  return {
    publicKeys: publicKeySet(privateKeys),
    token: (principal, audience) => principal.identityTokens.get(audience) ?? sign(principal, audience),
  };
}

/** The public halves, as services need them. */
export function publicKeySet(privateKeys: readonly JWK[]): JSONWebKeySet {
  return { keys: privateKeys.map(({ d: _, ...key }) => ({ ...key, alg: IDENTITY_ALGORITHM, use: 'sig' })) };
}

/** The keys that services believe: those at IDENTITY_JWKS_URL when it is set, else the public halves of this process's own. */
export function openIdentityKeys(
  { identityJwksUrl }: { readonly identityJwksUrl: string | null },
  { identityKeys }: { readonly identityKeys: readonly JWK[] },
  clock: Clock,
  logger: Pick<Logger, 'info' | 'warn'>,
): IdentityKeys {
  if (identityJwksUrl === null) return createLocalJWKSet(publicKeySet(identityKeys));
  return createRemoteIdentityKeys(identityJwksUrl, clock, (fault) => {
    if (fault === null) logger.info('the identity keys of the gateway are read again');
    else logger.warn({ err: fault }, 'the identity keys of the gateway cannot be read; known ones serve on');
  });
}
