/** Positions after a read that ended early: exactly the stamps that were covered or read. */
import { expect } from 'chai';
import fc from 'fast-check';
import { coveredUpTo } from '../../../../../../services/shared/storage/columns/build/covered-up-to.ts';
import {
  isWithin,
  type Positions,
  union,
} from '../../../../../../services/shared/storage/columns/positions.ts';

const WRITERS = 8;
const SEQUENCES = 5;

const positions: fc.Arbitrary<Positions> = fc
  .record({
    floor: fc.integer({ min: 0, max: WRITERS }),
    sequences: fc.uniqueArray(
      fc.tuple(fc.integer({ min: 1, max: WRITERS }), fc.integer({ min: 0, max: SEQUENCES })),
      { selector: ([writer]) => writer },
    ),
  })
  .map(({ floor, sequences }) => ({ floor, sequences: new Map(sequences) }));

const STAMPS = Array.from({ length: WRITERS * (SEQUENCES + 1) }, (_, i) => ({
  writer: Math.floor(i / (SEQUENCES + 1)) + 1,
  sequence: (i % (SEQUENCES + 1)) + 1,
}));

describe('the positions after a read that ended early', () => {
  it('have each stamp that was covered before or read, and no other', () => {
    fc.assert(
      fc.property(positions, positions, fc.nat(), (covered, wanted, at) => {
        const target = union(covered, wanted);
        const unread = STAMPS.filter((stamp) => isWithin(stamp, target) && !isWithin(stamp, covered));
        fc.pre(unread.length > 0);
        const index = at % unread.length;
        const last = unread[index] as (typeof unread)[number];
        const after = coveredUpTo(covered, target, last);
        const expected = STAMPS.filter(
          (stamp) => isWithin(stamp, covered) || unread.slice(0, index + 1).includes(stamp),
        );
        expect(STAMPS.filter((stamp) => isWithin(stamp, after))).to.deep.equal(expected);
      }),
      { numRuns: 2_000 },
    );
  });
});
