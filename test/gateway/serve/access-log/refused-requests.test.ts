/** The ring of refused requests, and how addresses are cut short. */
import { expect } from 'chai';
import { type AccessEntry, truncated } from '../../../../gateway/serve/access-log/access-entry.ts';
import { RefusedRequests } from '../../../../gateway/serve/access-log/refused-requests.ts';

const entry = (requestId: string, status: number) => ({ requestId, status }) as AccessEntry;

describe('the ring of refused requests', () => {
  it('keeps the newest, and finds those of one id, the newest first', () => {
    const ring = new RefusedRequests(3);
    expect(ring.find('a')).to.deep.equal([]);
    for (const [id, status] of [
      ['a', 401],
      ['b', 403],
      ['a', 429],
    ] as const)
      ring.add(entry(id, status));
    expect(ring.find('a').map(({ status }) => status)).to.deep.equal([429, 401]);
    ring.add(entry('c', 404));
    expect(ring.find('a').map(({ status }) => status)).to.deep.equal([429]);
    expect(ring.find('c')).to.have.length(1);
  });
});

describe('an address in the access log', () => {
  const cases = [
    ['198.51.100.77', '198.51.100.0/24'],
    ['::ffff:198.51.100.77', '198.51.100.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['::1', '0:0:0::/48'],
    ['unknown', null],
  ] as const;
  for (const [address, shown] of cases) {
    it(`is ${shown} for ${address}`, () => expect(truncated(address)).to.equal(shown));
  }
});
