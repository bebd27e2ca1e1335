/** Checks how long ago something is said to be, and how long until something. */
import { expect } from 'chai';
import { agoOf, untilOf } from '../../../../../services/dashboard/client/texts/ago.ts';

const NOW = Date.parse('2027-03-14T12:00:00Z');

describe('how long ago something was', () => {
  const said = [
    [-3 * 86_400, -3, 'day'],
    [-86_399, -23, 'hour'],
    [-2 * 3_600 - 59, -2, 'hour'],
    [-61, -1, 'minute'],
    [-5, -5, 'second'],
    [0, 0, 'second'],
    [49, 0, 'second'],
    [7_200, 0, 'second'],
  ] as const;
  for (const [seconds, count, unit] of said) {
    it(`is ${count} of ${unit} when a server's clock tells ${seconds} seconds from now`, () => {
      expect(agoOf(NOW + seconds * 1000, NOW)).to.deep.equal([count, unit]);
    });
  }
});

describe('how long it is until something', () => {
  const said = [
    [12.5 * 86_400, 12, 'day'],
    [86_399, 23, 'hour'],
    [61, 1, 'minute'],
    [5, 5, 'second'],
    [0, 0, 'second'],
    [-7_200, 0, 'second'],
  ] as const;
  for (const [seconds, count, unit] of said) {
    it(`is ${count} of ${unit} when ${seconds} seconds are left`, () => {
      expect(untilOf(NOW + seconds * 1000, NOW)).to.deep.equal([count, unit]);
    });
  }
});
