/** Keys over addresses: evenly spread, moved only with the address that leaves or joins, and bounded by its load. */
import { expect } from 'chai';
import fc from 'fast-check';
import { hashOf, loadBound } from '../../../plugins/proxy/rendezvous.ts';
import { Upstream } from '../../../plugins/proxy/upstream.ts';
import type { UpstreamAddress } from '../../../plugins/proxy/upstream-address.ts';

const origins = (count: number) => Array.from({ length: count }, (_, index) => `http://query-${index}:4001`);
const KEYS = Array.from({ length: 10_000 }, (_, index) => hashOf(`web_${index}`));

function upstreamOf(urls: readonly string[]): Upstream {
  return new Upstream({ urls, balance: { hash: 'website' }, breaker: { failures: 1, openSeconds: 600 } });
}

function picked(upstream: Upstream, key: number, tried = 0): UpstreamAddress {
  const address = upstream.pick(tried, key);
  if (address === null) throw new Error('no address takes requests');
  return address;
}

const homes = (upstream: Upstream) => KEYS.map((key) => picked(upstream, key).origin);

describe('the address of a key', () => {
  for (const count of [2, 3, 10, 30]) {
    it(`is each of ${count} for about the same number of keys`, () => {
      const found = homes(upstreamOf(origins(count)));
      const mean = KEYS.length / count;
      for (const origin of origins(count)) {
        const share = found.filter((each) => each === origin).length;
        // Six standard deviations of a fair draw.
        expect(share).to.be.closeTo(mean, 6 * Math.sqrt(mean));
      }
    });
  }

  it('changes only for those of an address that leaves, and they spread over all others', () => {
    const [gone, ...rest] = origins(5);
    const before = homes(upstreamOf(origins(5)));
    const after = homes(upstreamOf(rest));
    const heirs = new Map<string, number>();
    before.forEach((home, index) => {
      const heir = after[index] as string;
      if (home === gone) heirs.set(heir, (heirs.get(heir) ?? 0) + 1);
      else expect(heir).to.equal(home);
    });
    for (const origin of rest) expect(heirs.get(origin)).to.be.within(300, 700);
  });

  it('changes only to the address that joins, for its share', () => {
    const before = homes(upstreamOf(origins(4)));
    const after = homes(upstreamOf(['http://new:4001', ...origins(4)]));
    const moved = after.filter((home, index) => home !== before[index]);
    expect(new Set(moved)).to.deep.equal(new Set(['http://new:4001']));
    expect(moved.length).to.be.closeTo(KEYS.length / 5, 300);
  });

  it('does not depend on the order in which addresses are written', () => {
    expect(homes(upstreamOf([...origins(5)].reverse()))).to.deep.equal(homes(upstreamOf(origins(5))));
  });

  it('is its next one while its breaker is open or its check fails, and it again after', () => {
    const upstream = upstreamOf(origins(4));
    for (const key of KEYS.slice(0, 200)) {
      const home = picked(upstream, key);
      const next = picked(upstream, key, 1 << home.index);
      home.judge(false);
      expect(picked(upstream, key)).to.equal(next);
      home.judge(true);
      home.sent();
      home.failed();
      expect(picked(upstream, key)).to.equal(next);
      home.judge(true);
      expect(picked(upstream, key)).to.equal(home);
    }
  });

  it('is chosen by load where a request has no key', () => {
    const upstream = upstreamOf(origins(3));
    const found = [0, 1, 2].map(() => {
      const address = upstream.pick(0, null);
      address?.sent();
      return address?.index;
    });
    expect(found.sort()).to.deep.equal([0, 1, 2]);
  });
});

describe('the load of an address', () => {
  it('is no matter while it has few requests: those of one page stay together', () => {
    const upstream = upstreamOf(origins(4));
    const key = KEYS[0] as number;
    const home = picked(upstream, key);
    for (let sent = 0; sent < 8; sent++) {
      expect(picked(upstream, key)).to.equal(home);
      home.sent();
    }
    expect(picked(upstream, key)).not.to.equal(home);
  });

  it('stays within 1.25 times the mean when all requests have one key', () => {
    const upstream = upstreamOf(origins(4));
    const key = KEYS[0] as number;
    const home = picked(upstream, key);
    for (let sent = 0; sent < 400; sent++) {
      picked(upstream, key).sent();
      for (const { inFlight } of upstream.addresses) expect(inFlight).to.be.at.most(loadBound(sent, 4));
    }
    expect(home.inFlight).to.equal(125);
    home.ended();
    expect(picked(upstream, key)).to.equal(home);
  });

  it('stays within it whatever begins and ends, and there is always an address', () => {
    const steps = fc.array(
      fc.record({ key: fc.integer(), ends: fc.nat({ max: 29 }), begins: fc.boolean() }),
      {
        maxLength: 200,
      },
    );
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 30 }), steps, (count, each) => {
        const upstream = upstreamOf(origins(count));
        for (const { key, ends, begins } of each) {
          const ending = upstream.addresses[ends % count] as UpstreamAddress;
          if (!begins && ending.inFlight > 0) ending.ended();
          const inFlight = upstream.addresses.reduce((sum, address) => sum + address.inFlight, 0);
          const address = picked(upstream, key);
          address.sent();
          expect(address.inFlight).to.be.at.most(loadBound(inFlight, count));
        }
      }),
    );
  });
});
