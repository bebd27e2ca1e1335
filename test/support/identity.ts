/** Plays the gateway towards a service: signs the identity tokens that the service believes. */
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { Caller } from '../../services/shared/access/caller.ts';
import {
  IDENTITY_ALGORITHM,
  IDENTITY_HEADER,
  IDENTITY_ISSUER,
  type ServiceName,
} from '../../services/shared/identity/identity-token.ts';
import { createVerifyIdentity, type VerifyIdentity } from '../../services/shared/identity/verify-identity.ts';
import type { Clock } from '../../services/shared/ports/clock.ts';

export interface TestIdentity {
  readonly verifyIdentity: VerifyIdentity;
  /** The header that makes a request come from `caller`; `overrides` make the token a faulty one. */
  headersFor(caller: Caller, overrides?: TokenOverrides): Promise<Record<string, string>>;
}

/** What a faulty token says instead. */
export interface TokenOverrides {
  readonly audience?: string;
  readonly issuer?: string;
  /** Seconds from now to the expiry; default 60. */
  readonly lifetimeSeconds?: number;
}

/** A key of `org_a` with `track:events` and `read:data` that reaches every website. */
export function testCaller(overrides: Partial<Caller> = {}): Caller {
  return {
    id: 'key_1',
    kind: 'key',
    organizationId: 'org_a',
    userId: null,
    role: null,
    plan: 'free',
    scopes: ['read:data', 'track:events'],
    access: { level: 'global' },
    ...overrides,
  };
}

/** A key pair of its own, and the verifier that believes it. */
export async function createTestIdentity(audience: ServiceName, clock: Clock): Promise<TestIdentity> {
  const { privateKey, publicKey } = await generateKeyPair(IDENTITY_ALGORITHM, { extractable: true });
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'test', alg: IDENTITY_ALGORITHM }] };
  return {
    verifyIdentity: createVerifyIdentity(jwks, audience, clock),
    async headersFor(caller, overrides = {}) {
      const now = Math.floor(clock.now() / 1000);
      const token = await new SignJWT({ caller })
        .setProtectedHeader({ alg: IDENTITY_ALGORITHM, kid: 'test' })
        .setIssuer(overrides.issuer ?? IDENTITY_ISSUER)
        .setAudience(overrides.audience ?? audience)
        .setIssuedAt(now)
        .setExpirationTime(now + (overrides.lifetimeSeconds ?? 60))
        .sign(privateKey);
      return { [IDENTITY_HEADER]: token };
    },
  };
}
