/** Every attack of the bench starts on the configuration of today: the victim is served, and the attacker's request is one that is taken. */
import { expect } from 'chai';
import { findAttacks } from './find-attacks.ts';
import { startAttacked } from './run-attack.ts';

/** So that a query without end is over soon. */
const SETTINGS = { CUSTOM_SQL_TIMEOUT_SECONDS: '5' };
/** Served, or ended after its time. */
const TAKEN = [200, 504];

const attacks = await findAttacks();

describe('the attacks of the bench', function () {
  this.timeout(240_000);

  for (const { attack } of attacks) {
    it(`${attack.name}: the victim is served, and the attack is no faulty request`, async () => {
      const { target, close } = await startAttacked(attack, SETTINGS);
      try {
        for (const [name, { request }] of Object.entries(attack.victim)) {
          const { status, text } = await target.send(request(0));
          expect(status, `${name}: ${text.slice(0, 500)}`).to.equal(200);
        }
        const { status, text } = await target.send(attack.attacker.request(0));
        expect(TAKEN, text.slice(0, 500)).to.include(status);
      } finally {
        await close();
      }
    });
  }
});
