/** Positions in the arrival of events: what is within them, and within two of them together. */
import { expect } from 'chai';
import fc from 'fast-check';
import {
  contains,
  highestWriter,
  isWithin,
  NO_POSITIONS,
  union,
} from '../../../../../services/shared/storage/columns/positions.ts';
import { POSITIONS, STAMPS } from '../../../../support/random-positions.ts';

describe('positions', () => {
  it('hold of a listed writer what is not above its number, and all of others up to the floor', () => {
    const positions = {
      floor: 3,
      sequences: new Map([
        [2, 5],
        [7, 1],
      ]),
    };
    const within = (writer: number, sequence: number) => isWithin({ writer, sequence }, positions);
    expect([within(1, 99), within(2, 5), within(2, 6), within(3, 1)]).to.deep.equal([
      true,
      true,
      false,
      true,
    ]);
    expect([within(4, 1), within(7, 1), within(7, 2), within(8, 1)]).to.deep.equal([
      false,
      true,
      false,
      false,
    ]);
    expect(highestWriter(positions)).to.equal(7);
  });

  it('hold every event without a stamp', () => {
    expect(isWithin({ writer: null, sequence: null }, NO_POSITIONS)).to.equal(true);
  });

  it('of a union hold exactly what one of the two holds', () => {
    fc.assert(
      fc.property(POSITIONS, POSITIONS, (a, b) => {
        const both = union(a, b);
        for (const stamp of STAMPS) {
          expect(isWithin(stamp, both), JSON.stringify(stamp)).to.equal(
            isWithin(stamp, a) || isWithin(stamp, b),
          );
        }
      }),
    );
  });

  it('contain others when each stamp of those is within them', () => {
    fc.assert(
      fc.property(POSITIONS, POSITIONS, (a, b) => {
        const isMissing = (stamp: { writer: number; sequence: number }) =>
          isWithin(stamp, b) && !isWithin(stamp, a);
        const writers = Array.from({ length: 12 }, (_, i) => i + 1);
        const stamps = writers.flatMap((writer) =>
          Array.from({ length: 12 }, (_, i) => ({ writer, sequence: i + 1 })),
        );
        if (contains(a, b)) expect(stamps.filter(isMissing)).to.deep.equal([]);
        expect([contains(a, a), contains(union(a, b), b)]).to.deep.equal([true, true]);
      }),
    );
    const first = { floor: 2, sequences: new Map([[2, 5]]) };
    for (const [floor, last] of [
      [2, 4],
      [1, 4],
    ] as const) {
      expect(contains(first, { floor, sequences: new Map([[2, last]]) })).to.equal(true);
    }
    expect(contains(first, { floor: 2, sequences: new Map([[2, 6]]) }), 'a later group').to.equal(false);
    expect(contains(first, { floor: 2, sequences: new Map() }), 'all of a writer').to.equal(false);
    expect(contains(first, { floor: 3, sequences: new Map([[2, 1]]) }), 'another writer').to.equal(false);
  });
});
