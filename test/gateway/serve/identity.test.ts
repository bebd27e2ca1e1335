/** The tokens that a gateway signs for its services: by which keys they are believed, and what they say of the endpoint. */
import { expect } from 'chai';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { createIdentitySigner, publicKeySet } from '../../../gateway/serve/identity.ts';
import { Principal } from '../../../services/shared/access/principal.ts';
import { IDENTITY_ALGORITHM } from '../../../services/shared/identity/identity-token.ts';
import { createVerifyIdentity } from '../../../services/shared/identity/verify-identity.ts';
import type { Endpoint } from '../../../services/shared/plans/endpoint.ts';
import { TEST_ENDPOINT, testCaller } from '../../support/identity.ts';
import { createTestClock } from '../../support/test-clock.ts';

async function newKey(kid: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair(IDENTITY_ALGORITHM, { crv: 'Ed25519', extractable: true });
  const { kty, crv, x, d } = await exportJWK(privateKey);
  return { kty, crv, x, d, kid } as JWK;
}

describe('identity keys', () => {
  const clock = createTestClock();
  const principal = () => new Principal(testCaller(), {});
  let old: JWK;
  let next: JWK;

  before(async () => {
    [old, next] = await Promise.all([newKey('old'), newKey('next')]);
  });

  const signed = async (keys: readonly JWK[]) =>
    (await createIdentitySigner(keys, clock)).token(principal(), 'query', TEST_ENDPOINT);
  const believes = async (keys: readonly JWK[], token: string) =>
    (await createVerifyIdentity(publicKeySet(keys), 'query', clock)(token)) !== null;

  it('are believed two at a time: during a change the old and the new one both sign', async () => {
    const [byOld, byNext] = [await signed([old, next]), await signed([next, old])];
    for (const keys of [
      [old, next],
      [next, old],
    ]) {
      expect([await believes(keys, byOld), await believes(keys, byNext)]).to.deep.equal([true, true]);
    }
  });

  it('are believed no more once they are gone from the set', async () => {
    expect(await believes([next], await signed([old]))).to.equal(false);
  });

  it('show their public halves only', () => {
    const text = JSON.stringify(publicKeySet([old, next]));
    expect(text).to.contain('"kid":"old"').and.to.contain('"kid":"next"');
    for (const { d } of [old, next]) expect(text).to.not.contain(d);
    expect(text).to.not.contain('"d"');
  });

  it('sign once for a principal, an audience and an endpoint, and anew for another of any', async () => {
    const signer = await createIdentitySigner([old], clock);
    const one = principal();
    const token = await signer.token(one, 'query', TEST_ENDPOINT);
    expect(signer.token(one, 'query', TEST_ENDPOINT)).to.equal(token);
    expect(await signer.token(one, 'tracking', TEST_ENDPOINT)).to.not.equal(token);
    expect(await signer.token(one, 'query', OTHER_ENDPOINT)).to.not.equal(token);
    expect(signer.token(principal(), 'query', TEST_ENDPOINT)).to.be.instanceOf(Promise);
  });

  const RULE = { scopes: ['read:data'], scopesUnder: { link_id: ['read:links'] } } as const;
  const OTHER_ENDPOINT: Endpoint = { ...TEST_ENDPOINT, ...RULE, name: 'query', routes: ['POST /v1/query'] };

  it('carry what the endpoint grants beside the scopes that are held, and no more of it', async () => {
    const signer = await createIdentitySigner([old], clock);
    const caller = testCaller({ scopes: ['read:links'] });
    const one = new Principal(caller, {});
    const verify = createVerifyIdentity(publicKeySet([old]), 'query', clock);
    expect(await verify(await signer.token(one, 'query', OTHER_ENDPOINT))).to.deep.equal({
      ...caller,
      grant: { endpoint: 'query', access: 'scoped', roles: [], routes: ['POST /v1/query'], ...RULE },
    });
    expect((await verify(await signer.token(one, 'query', TEST_ENDPOINT)))?.grant.routes).to.deep.equal([
      'GET /v1/query/websites',
    ]);
  });

  it('grant no route where the endpoint opens none', async () => {
    const signer = await createIdentitySigner([old], clock);
    const verify = createVerifyIdentity(publicKeySet([old]), 'query', clock);
    const { routes: _, ...closed } = TEST_ENDPOINT;
    expect((await verify(await signer.token(principal(), 'query', closed)))?.grant.routes).to.deep.equal([]);
  });

  it('are not believed when the rule that they carry says nothing', async () => {
    const signer = await createIdentitySigner([old], clock);
    const verify = createVerifyIdentity(publicKeySet([old]), 'query', clock);
    const open = { scopes: [], scopesUnder: {} };
    const unknown = { scopes: ['read:data'], scopesUnder: { nothing: ['read:links'] } };
    const empty = { scopes: ['read:data'], scopesUnder: { link_id: [] } };
    for (const rule of [open, unknown, empty] as unknown as Pick<Endpoint, 'scopes' | 'scopesUnder'>[]) {
      const token = await signer.token(principal(), 'query', { ...TEST_ENDPOINT, ...rule });
      expect(await verify(token), JSON.stringify(rule)).to.equal(null);
    }
  });
});
