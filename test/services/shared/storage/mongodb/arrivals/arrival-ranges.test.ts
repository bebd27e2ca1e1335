/** The ranges that a read of arrivals scans: exactly what lies between the positions, in order, none twice. */
import { expect } from 'chai';
import fc from 'fast-check';
import { isWithin, NO_POSITIONS } from '../../../../../../services/shared/storage/columns/positions.ts';
import {
  type ArrivalRange,
  arrivalRanges,
} from '../../../../../../services/shared/storage/mongodb/arrivals/arrival-ranges.ts';
import { POSITIONS, STAMPS } from '../../../../../support/random-positions.ts';

function isIn(range: ArrivalRange, writer: number, sequence: number): boolean {
  if ('writer' in range) return writer === range.writer && sequence > range.above && sequence <= range.upTo;
  return writer > range.above && writer < range.below;
}

describe('the ranges between positions', () => {
  it('are all writers where nothing was read', () => {
    expect(arrivalRanges({ beyond: NO_POSITIONS })).to.deep.equal([
      { above: 0, below: Number.POSITIVE_INFINITY },
    ]);
  });

  it('are none between equal positions', () => {
    const positions = { floor: 3, sequences: new Map([[2, 5]]) };
    expect(arrivalRanges({ beyond: positions, within: positions })).to.deep.equal([]);
  });

  it('hold each stamp beyond the one and within the other in exactly one range, and no stamp of excluded writers', () => {
    const excluded = fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { maxLength: 3 });
    fc.assert(
      fc.property(POSITIONS, fc.option(POSITIONS, { nil: undefined }), excluded, (beyond, within, left) => {
        const without = new Set(left);
        const ranges = arrivalRanges({ beyond, within, without });
        for (const stamp of STAMPS) {
          const isWanted =
            !isWithin(stamp, beyond) && (!within || isWithin(stamp, within)) && !without.has(stamp.writer);
          const holding = ranges.filter((range) => isIn(range, stamp.writer, stamp.sequence));
          expect(holding, JSON.stringify(stamp)).to.have.length(isWanted ? 1 : 0);
        }
        const starts = ranges.map((range) => ('writer' in range ? range.writer : range.above + 1));
        expect(starts).to.deep.equal(starts.toSorted((a, b) => a - b));
      }),
    );
  });
});
