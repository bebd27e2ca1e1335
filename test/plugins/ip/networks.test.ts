/** Addresses and networks: which texts are some, and which addresses are in them. */
import { expect } from 'chai';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { createNetworks, networkFault } from '../../../plugins/ip/networks.ts';

const ipv4 = fc.ipV4();
const ipv6 = fc.ipV6().filter((text) => ipaddr.IPv6.isValid(text) && !text.includes('%'));

describe('networks', () => {
  it('are addresses and networks of both families, written as one reads them', () => {
    const good = ['203.0.113.7', '10.0.0.0/8', '0.0.0.0/0', '203.0.113.7/32', '2001:db8::/32', '::1', '::/0'];
    for (const text of good) expect(networkFault(text), text).to.equal(null);
  });

  it('say what is wrong with anything else', () => {
    const bad: Record<string, RegExp> = {
      '10.0.0.1/8': /has bits beyond its prefix; write 10\.0\.0\.0\/8$/,
      '2001:db8::1/32': /has bits beyond its prefix; write 2001:db8::\/32$/,
      '10.0.0.0/33': /prefix from 0 to 32$/,
      '2001:db8::/129': /prefix from 0 to 128$/,
      '10.0.0.0/': /prefix from 0 to 32$/,
      '10.0.0.0/-1': /prefix from 0 to 32$/,
      '::ffff:10.0.0.1': /write it without ::ffff:$/,
      '::ffff:a00:0/104': /write it without ::ffff:$/,
    };
    for (const [text, told] of Object.entries(bad)) expect(networkFault(text), text).to.match(told);
    const none = ['', '10', '10.1', '010.0.0.1', '0x0a000001', '256.0.0.1', 'localhost', '10.0.0.0/8/8'];
    const halves = ['64:ff9b::0x7f.0.0.1', '::0x7f.0.0.1/128', '::010.0.0.1', '1::2::3', '::1.2.3'];
    for (const text of [...none, ...halves, '1.2.3.4:80', '[::1]', 'fe80::1%eth0', ' 10.0.0.1', '10.0.0.1 '])
      expect(networkFault(text), JSON.stringify(text)).to.match(/^is neither an address nor a network/);
  });

  it('hold what they name, whatever the form of the address', () => {
    const held = createNetworks(['10.0.0.0/8', '192.0.2.7', '2001:db8::/32', '::1', 'fe80::/10']);
    const inside = ['10.0.0.0', '10.255.255.255', '192.0.2.7', '2001:db8:ffff::1', '::1', '0:0:0:0:0:0:0:1'];
    const mapped = ['::ffff:10.1.2.3', '::FFFF:0a01:0203', '::ffff:192.0.2.7', 'fe80::1%eth0'];
    for (const address of [...inside, ...mapped]) expect(held(address), address).to.equal(true);
    const outside = ['9.255.255.255', '11.0.0.0', '192.0.2.8', '2001:db9::', '::2', '::ffff:11.0.0.1'];
    for (const address of [...outside, 'unknown', '', '10.0.0', '10.0.0.1:80'])
      expect(held(address), JSON.stringify(address)).to.equal(false);
  });

  it('can be made of every text in which nothing is wrong', () => {
    const parts = fc.array(
      fc.constantFrom('0', '1', 'f', 'x', ':', '::', '.', '0x7f', '64:ff9b::', '127', '%', '/'),
    );
    const texts = fc.oneof(
      parts.map((all) => all.join('')),
      fc.ipV6(),
      fc.ipV4(),
      fc.ipV4Extended(),
    );
    fc.assert(
      fc.property(texts, (text) => {
        if (networkFault(text) === null)
          expect(() => createNetworks([text])('127.0.0.1'), text).to.not.throw();
      }),
      { numRuns: 3_000 },
    );
  });

  it('hold no address of the other family', () => {
    expect(createNetworks(['::/0'])('10.0.0.1')).to.equal(false);
    expect(createNetworks(['::/0'])('::ffff:10.0.0.1')).to.equal(false);
    expect(createNetworks(['0.0.0.0/0'])('2001:db8::1')).to.equal(false);
    expect(createNetworks(['0.0.0.0/0'])('::ffff:10.0.0.1')).to.equal(true);
  });

  it('hold exactly the addresses that share the bits of the prefix', () => {
    const cases = fc.oneof(
      fc.tuple(ipv4, ipv4, fc.integer({ min: 0, max: 32 })),
      fc.tuple(ipv6, ipv6, fc.integer({ min: 0, max: 128 })),
    );
    fc.assert(
      fc.property(cases, fc.boolean(), ([one, other, prefix], isNear) => {
        const parsed = ipaddr.parse(one);
        if (parsed.kind() === 'ipv6' && (parsed as ipaddr.IPv6).isIPv4MappedAddress()) return;
        const family = parsed.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
        const network = `${family.networkAddressFromCIDR(`${one}/${prefix}`)}/${prefix}`;
        expect(networkFault(network), network).to.equal(null);
        const asked = isNear ? family.broadcastAddressFromCIDR(network).toString() : other;
        const plain = ipaddr.process(asked);
        const wanted = plain.kind() === parsed.kind() && plain.match(ipaddr.parseCIDR(network) as never);
        expect(createNetworks([network])(asked), `${asked} in ${network}`).to.equal(wanted);
      }),
      { numRuns: 500 },
    );
  });
});
