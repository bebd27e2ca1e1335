/** The public limit: which addresses count as one, and that its groups do not mix. */
import { expect } from 'chai';
import fc from 'fast-check';
import {
  addressSubject,
  PUBLIC_GROUPS,
  publicLimitUses,
} from '../../../../services/shared/plans/public-limit.ts';
import { TEST_PLANS } from '../../../support/policy-kit.ts';

describe('the subject of an address', () => {
  it('is an IPv4 address itself', () => {
    expect(addressSubject('192.0.2.7')).to.equal('address:192.0.2.7');
    expect(addressSubject('192.0.2.7')).to.not.equal(addressSubject('192.0.2.8'));
  });

  it('is the same for an IPv4 address in IPv6 dress, however written', () => {
    for (const address of [
      '::ffff:192.0.2.7',
      '::FFFF:192.0.2.7',
      '::ffff:c000:207',
      '0:0:0:0:0:ffff:c000:0207',
    ]) {
      expect(addressSubject(address), address).to.equal('address:192.0.2.7');
    }
  });

  it('is the /64 of an IPv6 address', () => {
    const network = addressSubject('2001:db8:1:2::1');
    expect(network).to.equal('address:2001:db8:1:2::/64');
    for (const address of [
      '2001:db8:1:2:ffff:ffff:ffff:ffff',
      '2001:0DB8:0001:0002::',
      '2001:db8:1:2::9%eth0',
    ]) {
      expect(addressSubject(address), address).to.equal(network);
    }
    for (const address of ['2001:db8:1:3::1', '2001:db8:2:2::1', '2002:db8:1:2::1', '2001:db8:0:2::1']) {
      expect(addressSubject(address), address).to.not.equal(network);
    }
  });

  it('is the same for two IPv6 addresses exactly when their first 64 bits are', () => {
    const part = fc.constantFrom(0, 1, 0xffff, 0x2001);
    const address = fc.array(part, { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(address, address, (a, b) => {
        // The IPv4 range of IPv6 is judged above.
        fc.pre([a, b].every((parts) => parts.slice(0, 5).some((each) => each !== 0)));
        const subject = (parts: number[]) => addressSubject(parts.map((each) => each.toString(16)).join(':'));
        const sameNetwork = a.slice(0, 4).join() === b.slice(0, 4).join();
        expect(subject(a) === subject(b)).to.equal(sameNetwork);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is one for everything that is no address', () => {
    expect(addressSubject('a:b')).to.equal('address:unknown');
    expect(addressSubject(':::')).to.equal('address:unknown');
  });
});

describe('the public limit', () => {
  it('gives every group the limit of plans.yml under a name of its own', () => {
    const uses = publicLimitUses(TEST_PLANS);
    expect(Object.keys(uses)).to.have.members([...PUBLIC_GROUPS]);
    const names = new Set(Object.values(uses).map(({ name }) => name));
    expect(names.size).to.equal(PUBLIC_GROUPS.length);
    for (const use of Object.values(uses)) expect(use).to.include({ limit: 100, windowMs: 60_000, cost: 1 });
  });

  it('follows plans.yml', () => {
    const { other } = publicLimitUses({
      ...TEST_PLANS,
      limits: { public: { ...TEST_PLANS.limits.public, limit: 3, windowSeconds: 5 } },
    });
    expect(other).to.include({ limit: 3, windowMs: 5_000 });
  });
});
