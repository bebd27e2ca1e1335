/** Which coding an Accept-Encoding asks for: weights, stars, plain bytes, and what is no weight (RFC 9110, 12.5.3). */
import { expect } from 'chai';
import { codingFor } from '../../../../services/shared/http/representation.ts';

const CASES: readonly (readonly [header: string | undefined, coding: string | null])[] = [
  [undefined, null],
  ['', null],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['x-gzip', 'gzip'],
  ['br', 'br'],
  ['gzip, deflate', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['br;q=0.5, gzip', 'gzip'],
  ['br;q=0.5, gzip;q=0.4', 'br'],
  ['br; q=0.5 , gzip ; Q=0.9', 'gzip'],
  ['*', 'br'],
  ['*;q=0', null],
  ['deflate, *', 'br'],
  ['br;q=0, *', 'gzip'],
  ['gzip;q=0, *', 'br'],
  ['br;q=0, gzip;q=0, *', null],
  ['identity', null],
  ['identity;q=0', null],
  ['identity;q=0, gzip', 'gzip'],
  ['identity, gzip;q=0.5', null],
  ['gzip;q=1.0, identity', 'gzip'],
  ['gzip;q=1.0, identity;q=0.5', 'gzip'],
  ['*;q=0.1, identity;q=0.5', null],
  ['gzip;q=x', null],
  ['gzip;q=2', null],
  ['gzip;q=-1', null],
  ['gzip;q=0.0001', null],
  [',,;;q=1', null],
  ['deflate, zstd', null],
];

describe('the coding of an answer', () => {
  for (const [header, coding] of CASES) {
    it(`is ${coding ?? 'none'} for ${header === undefined ? 'no header' : `"${header}"`}`, () => {
      expect(codingFor(header)).to.equal(coding);
      expect(codingFor(header)).to.equal(coding);
    });
  }

  it('is the best of those that were made', () => {
    for (const [header, made, coding] of [
      ['gzip, br', ['gzip'], 'gzip'],
      ['gzip;q=0.1, br', ['gzip'], 'gzip'],
      ['br', ['gzip'], null],
      ['*', ['gzip'], 'gzip'],
      ['br, gzip;q=0.2, identity;q=0.5', ['gzip'], null],
      ['gzip, br', [], null],
    ] as const) {
      expect(codingFor(header, made), `${header} of ${made}`).to.equal(coding);
    }
  });
});
