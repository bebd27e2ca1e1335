/** Which address gets the next request, and when one that fails requests gets none. */
import { expect } from 'chai';
import type { CircuitBreaker } from '../../../plugins/kit/circuit-breaker.ts';
import { Upstream } from '../../../plugins/proxy/upstream.ts';
import { createBreaker, type UpstreamAddress } from '../../../plugins/proxy/upstream-address.ts';
import type { ServiceEndpoint } from '../../../services/shared/plans/service-endpoint.ts';

const URLS = ['http://a', 'http://b', 'http://c'];

function upstreamOf(own: Partial<ServiceEndpoint> = {}): Upstream {
  return new Upstream({
    urls: URLS,
    balance: 'least-connections',
    breaker: { failures: 2, openSeconds: 60 },
    ...own,
  });
}

/** The address that the next request is sent to. */
function sent(upstream: Upstream, tried = 0): UpstreamAddress {
  const address = upstream.pick(tried);
  if (address === null) throw new Error('no address takes requests');
  address.sent();
  return address;
}

function addressAt(upstream: Upstream, index: number): UpstreamAddress {
  const address = upstream.addresses[index];
  if (address === undefined) throw new Error(`no address ${index}`);
  return address;
}

/** Opens its breaker. */
function fail(address: UpstreamAddress): void {
  for (let count = 0; count < 2; count++) {
    address.sent();
    address.failed();
  }
}

describe('the choice of an address', () => {
  it('by round-robin gives each the same number, however long they take', () => {
    const upstream = upstreamOf({ balance: 'round-robin' });
    for (let count = 0; count < 30; count++) sent(upstream);
    expect(upstream.addresses.map(({ inFlight }) => inFlight)).to.deep.equal([10, 10, 10]);
  });

  it('by least connections gives the next to the one with the fewest under way, and to equals in turn', () => {
    const upstream = upstreamOf();
    const taken = [0, 1, 2].map(() => sent(upstream).index);
    expect(taken.sort()).to.deep.equal([0, 1, 2]);
    for (let count = 0; count < 5; count++) {
      addressAt(upstream, 1).ended();
      expect(sent(upstream).index).to.equal(1);
    }
    for (const address of upstream.addresses) address.ended();
    const indexes = Array.from({ length: 9 }, () => {
      const address = sent(upstream);
      address.ended();
      return address.index;
    });
    for (const index of [0, 1, 2]) expect(indexes.filter((each) => each === index)).to.have.length(3);
  });

  it('leaves out one that fails its check, until it passes', () => {
    const upstream = upstreamOf();
    addressAt(upstream, 0).judge(false);
    for (let count = 0; count < 9; count++) expect(sent(upstream).index).to.not.equal(0);
    addressAt(upstream, 0).judge(true);
    expect(sent(upstream).index).to.equal(0);
  });

  it('takes those that fail their checks when no other is left', () => {
    const upstream = upstreamOf();
    for (const address of upstream.addresses) address.judge(false);
    expect(upstream.pick(0)).to.not.equal(null);
  });

  it('leaves out one whose breaker is open, and is none while all are, with the time to wait', () => {
    const upstream = upstreamOf();
    fail(addressAt(upstream, 1));
    for (let count = 0; count < 9; count++) expect(sent(upstream).index).to.not.equal(1);
    fail(addressAt(upstream, 0));
    expect(upstream.waitMs()).to.equal(0);
    fail(addressAt(upstream, 2));
    expect(upstream.pick(0)).to.equal(null);
    expect(upstream.waitMs()).to.be.within(1, 60_000);
  });

  it('begins anew with one that comes back from a failed check, its breaker closed', () => {
    const upstream = upstreamOf();
    for (const address of upstream.addresses) fail(address);
    addressAt(upstream, 2).judge(false);
    addressAt(upstream, 2).judge(true);
    expect(upstream.pick(0)?.index).to.equal(2);
  });

  it('sends anew to an address that was not tried, as long as there is one', () => {
    const upstream = upstreamOf();
    expect(sent(upstream, 0b101).index).to.equal(1);
    addressAt(upstream, 1).judge(false);
    expect(sent(upstream, 0b101).index).to.equal(1);
    expect(upstream.pick(0b111)).to.not.equal(null);
    fail(addressAt(upstream, 0));
    expect(upstream.pick(0b110)?.index, 'an open breaker before one that failed just now').to.equal(0);
  });

  it('is the only address, whatever it failed, where nothing watches it', () => {
    const upstream = upstreamOf({ urls: ['http://a'], breaker: null });
    for (let count = 0; count < 20; count++) {
      const address = sent(upstream, 1);
      address.failed();
    }
    expect(upstream.pick(1)?.index).to.equal(0);
  });
});

describe('the breaker of an address', () => {
  let changes: number;
  let breaker: CircuitBreaker;
  let nowMs: number;
  beforeEach(() => {
    changes = 0;
    nowMs = 0;
    breaker = createBreaker({ failures: 3, openSeconds: 2 }, () => changes++, { now: () => nowMs });
  });
  const failAt = (now: number) => {
    nowMs = now;
    breaker.sent();
    breaker.failed();
  };
  const waitAt = (now: number) => {
    nowMs = now;
    return breaker.waitMs;
  };

  it('opens after failures in a row, and not when an answer came between', () => {
    for (const _ of [1, 2]) failAt(0);
    breaker.succeeded();
    for (const _ of [1, 2]) failAt(0);
    expect([breaker.isOpen, changes]).to.deep.equal([false, 0]);
    failAt(0);
    expect([breaker.isOpen, changes]).to.deep.equal([true, 1]);
  });

  it('lets one trial through after its time, whose success closes it', () => {
    for (const _ of [1, 2, 3]) failAt(1_000);
    expect(waitAt(2_999)).to.equal(1);
    expect(waitAt(3_000)).to.equal(0);
    breaker.sent();
    expect(waitAt(3_000), 'a second request beside the trial').to.be.above(0);
    breaker.succeeded();
    expect([breaker.isOpen, waitAt(3_000), changes]).to.deep.equal([false, 0, 2]);
  });

  it('waits again after a trial that failed, and tries again at once after one that told nothing', () => {
    for (const _ of [1, 2, 3]) failAt(0);
    breaker.sent();
    breaker.toldNothing();
    expect(waitAt(2_000)).to.equal(0);
    failAt(2_000);
    expect(waitAt(2_000)).to.equal(2_000);
    expect(changes).to.equal(1);
  });

  it('is not kept open longer by requests that were sent before it opened', () => {
    for (let count = 0; count < 5; count++) breaker.sent();
    for (let count = 0; count < 5; count++) {
      nowMs = count * 500;
      breaker.failed();
    }
    expect(waitAt(3_000)).to.equal(0);
  });
});
