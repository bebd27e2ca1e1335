/** An identity provider on the loopback address: it publishes keys, signs tokens with them, and fails as a test says. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { JWK } from 'jose';
import { type Clock, systemClock } from '../../services/shared/ports/clock.ts';
import { type Served, serve } from './serve.ts';

export const AUDIENCE = 'https://api.example.com';
export const ISSUER = 'https://login.example.com/';

/** A key pair of the provider, or of somebody else. */
export interface ProviderKey {
  readonly kid: string;
  readonly alg: 'ES256' | 'RS256' | 'RS512' | 'EdDSA';
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** What the provider publishes of it. */
  readonly jwk: JWK;
}

function newPair(alg: ProviderKey['alg'], bits: number): { publicKey: KeyObject; privateKey: KeyObject } {
  if (alg === 'ES256') return generateKeyPairSync('ec', { namedCurve: 'P-256' });
  if (alg === 'EdDSA') return generateKeyPairSync('ed25519');
  return generateKeyPairSync('rsa', { modulusLength: bits });
}

/** `bits`: of the modulus, where the algorithm is one of RSA. */
export function newProviderKey(kid: string, alg: ProviderKey['alg'] = 'ES256', bits = 2_048): ProviderKey {
  const { publicKey, privateKey } = newPair(alg, bits);
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig' } as JWK;
  return { kid, alg, privateKey, publicKey, jwk };
}

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A rightly signed token with these claims and headers, whatever they say; one that is `undefined` is left out. */
export function signToken(
  { kid, alg, privateKey }: ProviderKey,
  claims: unknown,
  header: Readonly<Record<string, unknown>> = {},
): string {
  const content = `${encoded({ alg, kid, typ: 'at+jwt', ...header })}.${encoded(claims)}`;
  const digest = alg === 'EdDSA' ? null : `sha${alg.slice(2)}`;
  const signature = sign(digest, Buffer.from(content), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${content}.${signature.toString('base64url')}`;
}

/** How the provider answers a request for its keys. */
export type KeysAnswer = (res: ServerResponse) => void;

export class IdentityProvider {
  #served: Served | undefined;
  /** Requests for its keys. */
  readings = 0;
  answer: KeysAnswer = () => {};
  /** Its own; a test gives it that of the gateway. */
  clock: Clock = systemClock;

  get jwksUrl(): string {
    if (this.#served === undefined) throw new Error('the provider is not started');
    return `${this.#served.url}/keys`;
  }

  async start(): Promise<void> {
    this.#served = await serve((_req, res) => {
      this.readings++;
      this.answer(res);
    });
  }

  /** From now on it publishes these. */
  publish(...keys: readonly Pick<ProviderKey, 'jwk'>[]): void {
    const body = JSON.stringify({ keys: keys.map(({ jwk }) => jwk) });
    this.answer = (res) => res.writeHead(200, { 'content-type': 'application/jwk-set+json' }).end(body);
  }

  /** The claims of a good token, of which a test says some otherwise. */
  claims(own: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
    const now = Math.floor(this.clock.now() / 1_000);
    return {
      ...{ iss: ISSUER, aud: AUDIENCE, sub: 'alice', iat: now, exp: now + 300 },
      ...{ org: 'org_a', scope: 'read:data openid', ...own },
    };
  }

  async close(): Promise<void> {
    await this.#served?.close();
  }
}
