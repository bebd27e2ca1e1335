/** Plays the gateway towards a service: signs the identity tokens that the service believes. */
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { Caller } from '../../services/shared/access/caller.ts';
import type { Grant } from '../../services/shared/access/grant.ts';
import {
  IDENTITY_ALGORITHM,
  IDENTITY_HEADER,
  IDENTITY_ISSUER,
  type ServiceName,
} from '../../services/shared/identity/identity-token.ts';
import { createVerifyIdentity, type VerifyIdentity } from '../../services/shared/identity/verify-identity.ts';
import type { Endpoint } from '../../services/shared/plans/endpoint.ts';
import type { Clock } from '../../services/shared/ports/clock.ts';
import { shippedGrant } from './shipped-grants.ts';

export interface TestIdentity {
  readonly verifyIdentity: VerifyIdentity;
  /**
   * The header that makes a request come from `caller` through the endpoint of the shipped configuration for `asked`, such
   * as `POST /track`, or through one that grants something else; `overrides` make the token a faulty one.
   */
  headersFor(
    caller: Caller,
    asked: string | Grant,
    overrides?: TokenOverrides,
  ): Promise<Record<string, string>>;
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

/** An endpoint of the query service. */
export const TEST_ENDPOINT: Endpoint = {
  name: 'query-websites',
  access: 'scoped',
  roles: [],
  scopes: ['read:data'],
  class: 'other',
  limits: [],
  cost: 'request',
  countedList: null,
  cors: 'own',
  endedSession: 'refused',
  routes: ['GET /v1/query/websites'],
  allow: null,
};

/** A key pair of its own, and the verifier that believes it. */
export async function createTestIdentity(audience: ServiceName, clock: Clock): Promise<TestIdentity> {
  const { privateKey, publicKey } = await generateKeyPair(IDENTITY_ALGORITHM, { extractable: true });
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'test', alg: IDENTITY_ALGORITHM }] };
  /** By what they say: within a second a caller has one token, as the gateway signs it. */
  const signed = new Map<string, Promise<string>>();
  const sign = (caller: Caller, grant: Grant, overrides: TokenOverrides, now: number) =>
    new SignJWT({ caller, grant })
      .setProtectedHeader({ alg: IDENTITY_ALGORITHM, kid: 'test' })
      .setIssuer(overrides.issuer ?? IDENTITY_ISSUER)
      .setAudience(overrides.audience ?? audience)
      .setIssuedAt(now)
      .setExpirationTime(now + (overrides.lifetimeSeconds ?? 60))
      .sign(privateKey);
  return {
    verifyIdentity: createVerifyIdentity(jwks, audience, clock),
    async headersFor(caller, asked, overrides = {}) {
      const now = Math.floor(clock.now() / 1000);
      const [method = '', path = ''] = typeof asked === 'string' ? asked.split(' ') : [];
      const grant = typeof asked === 'string' ? shippedGrant(audience, method, path) : asked;
      const says = JSON.stringify([caller, grant, overrides, now]);
      const token = signed.get(says) ?? sign(caller, grant, overrides, now);
      signed.set(says, token);
      return { [IDENTITY_HEADER]: await token };
    },
  };
}
