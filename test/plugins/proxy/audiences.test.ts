/** The token of any backend is refused by every other: all audiences, ours and foreign ones, asked at all services. */
import { expect } from 'chai';
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import {
  IDENTITY_HEADER,
  IDENTITY_ISSUER,
  SERVICES,
  type ServiceName,
} from '../../../services/shared/identity/identity-token.ts';
import { createVerifyIdentity } from '../../../services/shared/identity/verify-identity.ts';
import { systemClock } from '../../../services/shared/ports/clock.ts';
import { type PolicyBackends, startPolicyBackends } from '../../support/start-policy-backends.ts';

/** A path of each service of ours. */
const OWN: Readonly<Record<ServiceName, readonly [method: string, path: string]>> = {
  query: ['GET', '/v1/query/websites'],
  tracking: ['POST', '/track'],
  resources: ['GET', '/v1/websites'],
};
/** Some close to ours. */
const FOREIGN = ['orders', 'orders2', 'quer', 'query2', 'query-orders'];

describe('a token that the gateway makes', () => {
  let backends: PolicyBackends;
  const tokens = new Map<string, string>();

  before(async () => {
    backends = await startPolicyBackends({
      steps: Object.fromEntries(FOREIGN.map((name) => [name, ''])),
      answers: {},
    });
    const calls: [audience: string, method: string, path: string][] = [
      ...SERVICES.map((name): [string, string, string] => [name, ...OWN[name]]),
      ...FOREIGN.map((name): [string, string, string] => [name, 'GET', `/${name}/token/1`]),
    ];
    for (const [audience, method, path] of calls) {
      backends.reached.length = 0;
      const answer = await fetch(`${backends.gateway.origin}${path}`, {
        method,
        headers: { 'x-api-key': backends.gateway.key, 'content-type': 'application/json' },
        ...(method === 'POST' && { body: '{}' }),
      });
      expect(answer.status, path).to.equal(200);
      const [{ headers }] = backends.reached as [(typeof backends.reached)[number]];
      tokens.set(audience, String(headers[headers.indexOf(IDENTITY_HEADER) + 1]));
    }
  });
  after(() => backends?.close());

  async function isAccepted(token: string, asked: string): Promise<boolean> {
    const service = SERVICES.find((name) => name === asked);
    if (service !== undefined) {
      const verify = createVerifyIdentity(backends.gateway.jwks, service, systemClock);
      return (await verify(token)) !== null;
    }
    const keys = createLocalJWKSet(backends.gateway.jwks);
    return jwtVerify(token, keys, { issuer: IDENTITY_ISSUER, audience: asked }).then(
      () => true,
      () => false,
    );
  }

  for (const made of [...SERVICES, ...FOREIGN]) {
    it(`for ${made} is accepted there, and by no other`, async () => {
      const token = String(tokens.get(made));
      expect(decodeJwt(token).aud).to.equal(made);
      for (const asked of [...SERVICES, ...FOREIGN]) {
        expect(await isAccepted(token, asked), asked).to.equal(made === asked);
      }
    });
  }
});
