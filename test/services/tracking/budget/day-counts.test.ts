/** The counts of a website's day against a plain model: never more than the limits, of one address never more than its part. */
import { expect } from 'chai';
import fc from 'fast-check';
import { ADDRESS_PART, type Amounts, DayCounts } from '../../../../services/tracking/budget/day-counts.ts';

const LIMITS: Amounts = { bytes: 1_000, profiles: 50 };

interface Taken extends Amounts {
  readonly website: string;
  readonly address: string;
}

describe('DayCounts', () => {
  it('admits what fits in the website and in the part of the address, as a plain sum over all that was taken', () => {
    const step = fc.record({
      website: fc.constantFrom('web_a', 'web_b'),
      address: fc.constantFrom('one', 'two', 'three'),
      bytes: fc.integer({ min: 0, max: 60 }),
      profiles: fc.integer({ min: 0, max: 3 }),
      outcome: fc.constantFrom('keep', 'keep', 'give back', 'write'),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), fc.nat({ max: 900 }), (steps, before) => {
        const counts = new DayCounts();
        counts.setWritten('web_a', { bytes: before, profiles: 0 });
        let model: Taken[] = [];
        for (const { website, address, outcome, ...amounts } of steps) {
          const sumOf = (of: keyof Amounts, taken: readonly Taken[]) =>
            taken.reduce((sum, one) => sum + one[of], 0);
          const ofWebsite = model.filter((one) => one.website === website);
          const ofAddress = ofWebsite.filter((one) => one.address === address);
          const fits = (['bytes', 'profiles'] as const).every((of) => {
            if (amounts[of] === 0) return true;
            const written = website === 'web_a' && of === 'bytes' ? before : 0;
            const left = LIMITS[of] - written - sumOf(of, ofWebsite);
            return amounts[of] <= left && amounts[of] <= LIMITS[of] / ADDRESS_PART - sumOf(of, ofAddress);
          });
          expect(counts.take(website, address, amounts, LIMITS) === null).to.equal(fits);
          if (!fits) continue;
          if (outcome === 'give back') counts.giveBack(website, address, amounts);
          else model = [...model, { website, address, ...amounts }];
          if (outcome !== 'write') continue;
          // What was counted here is written down, and read again with it: no sum changes.
          const written = { bytes: website === 'web_a' ? before : 0, profiles: 0 };
          const own = model.filter((one) => one.website === website);
          counts.setWritten(
            website,
            { bytes: written.bytes + sumOf('bytes', own), profiles: sumOf('profiles', own) },
            counts.fresh(website),
          );
          expect(counts.unwritten()).to.not.include(website);
        }
      }),
    );
  });

  it('says what is in the way, and counts nothing of what it refuses', () => {
    const counts = new DayCounts();
    const take = (address: string, bytes: number) =>
      counts.take('web_a', address, { bytes, profiles: 0 }, LIMITS);
    expect(take('one', 100)).to.equal(null);
    expect(take('one', 1)).to.deep.equal({ of: 'bytes', whose: 'address', limit: 100 });
    counts.setWritten('web_a', { bytes: 850, profiles: 0 });
    expect(take('two', 51)).to.deep.equal({ of: 'bytes', whose: 'website', limit: 1_000 });
    expect(take('two', 50)).to.equal(null);
    expect(counts.fresh('web_a')).to.deep.equal({ bytes: 150, profiles: 0 });
  });
});
