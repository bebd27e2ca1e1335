/** How long a share of requests took at most: worked out by hand. */
import { expect } from 'chai';
import { cumulated, withinMs } from '../../../../gateway/serve/traffic/durations.ts';

const { POSITIVE_INFINITY: LONGER } = Number;

describe('how long requests took', () => {
  // 50 within 5 ms, 45 more within 10 ms, 4 more within 50 ms, 1 longer than told apart.
  const buckets = cumulated(
    new Map([
      [LONGER, 1],
      [5, 50],
      [50, 4],
      [10, 45],
    ]),
  );

  it('is the bound of the first bucket by which so many had been answered', () => {
    expect(buckets).to.deep.equal([
      { upToMs: 5, atMost: 50 },
      { upToMs: 10, atMost: 95 },
      { upToMs: 50, atMost: 99 },
      { upToMs: LONGER, atMost: 100 },
    ]);
    expect([0.5, 0.51, 0.95, 0.96, 0.99].map((share) => withinMs(buckets, share))).to.deep.equal([
      5, 10, 10, 50, 50,
    ]);
  });

  it('is unknown beyond the last bound, and where nothing was answered', () => {
    expect(withinMs(buckets, 0.995)).to.equal(null);
    expect(withinMs([], 0.5)).to.equal(null);
    expect(withinMs(cumulated(new Map([[5, 0]])), 0.5)).to.equal(null);
  });
});
