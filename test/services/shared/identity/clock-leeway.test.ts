/** The clocks of a gateway and of a service on other machines differ a little: no caller may be refused for that. */
import { expect } from 'chai';
import { exportJWK, generateKeyPair } from 'jose';
import { createIdentitySigner } from '../../../../gateway/serve/identity.ts';
import { Principal } from '../../../../services/shared/access/principal.ts';
import { createVerifyIdentity } from '../../../../services/shared/identity/verify-identity.ts';
import { TEST_ENDPOINT, testCaller } from '../../../support/identity.ts';
import { createTestClock } from '../../../support/test-clock.ts';

/** What an identity token may live by any clock, in seconds (contract.md section 3). */
const LIFETIME_SECONDS = 60;

describe('an identity token between machines', () => {
  async function exchange() {
    const gateway = createTestClock();
    const service = createTestClock();
    const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
    const signer = await createIdentitySigner([{ ...(await exportJWK(privateKey)), kid: 'one' }], gateway);
    const verify = createVerifyIdentity(signer.publicKeys, 'query', service);
    const principal = new Principal(testCaller(), {});
    return { gateway, service, verify, sign: async () => signer.token(principal, 'query', TEST_ENDPOINT) };
  }

  for (const seconds of [-4, -1, 1, 4]) {
    it(`is believed by a service whose clock differs by ${seconds} s`, async () => {
      const { gateway, service, verify, sign } = await exchange();
      (seconds < 0 ? gateway : service).advance(Math.abs(seconds) * 1_000);
      expect(await verify(await sign())).to.not.equal(null);
    });
  }

  it('is not believed when it is of a time that lies far ahead', async () => {
    const { gateway, verify, sign } = await exchange();
    gateway.advance(30_000);
    expect(await verify(await sign())).to.equal(null);
  });

  it('is believed for no longer than 60 s, whether it was seen before or not', async () => {
    for (const wasSeen of [false, true]) {
      const { service, verify, sign } = await exchange();
      const token = await sign();
      if (wasSeen) expect(await verify(token)).to.not.equal(null);
      service.advance((LIFETIME_SECONDS - 2) * 1_000);
      expect(await verify(token), 'shortly before').to.not.equal(null);
      service.advance(3_000);
      expect(await verify(token), 'afterwards').to.equal(null);
    }
  });
});
