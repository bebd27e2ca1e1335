/** Checks what numbers are compared with: from an address and back, and to the API. */
import { expect } from 'chai';
import {
  type Comparison,
  changeOf,
  comparisonFields,
  comparisonOf,
  comparisonParameters,
} from '../../../../../services/dashboard/client/website/scene-comparison.ts';

const COMPARISONS: readonly (Comparison | undefined)[] = [
  undefined,
  { period: 'previous', isByWeekday: false },
  { period: 'year', isByWeekday: true },
  { period: { first: '2026-01-01', last: '2026-01-31' }, isByWeekday: false },
];

describe('the comparison of a website', () => {
  it('comes back from its own address', () => {
    for (const comparison of COMPARISONS) {
      expect(comparisonOf(comparisonParameters(comparison))).to.deep.equal(comparison);
    }
  });

  it('is none where an address makes no sense', () => {
    for (const compare of [
      '',
      'next',
      '2026-01-31..2026-01-01',
      '2026-02-30..2026-03-01',
      '2026-01-01..',
      'a..b..c',
    ]) {
      expect(comparisonOf({ compare, align: 'weekday' }), compare).to.equal(undefined);
    }
  });

  it('is asked of the API in its own words', () => {
    expect(COMPARISONS.map(comparisonFields)).to.deep.equal([
      {},
      { compare: 'previous' },
      { compare: 'year', align: 'weekday' },
      { compare: { startDate: '2026-01-01', endDate: '2026-01-31' } },
    ]);
  });

  it('tells growth as a share of what was, and none where nothing was', () => {
    expect([changeOf(3, 2), changeOf(0, 4), changeOf(4, 4)]).to.deep.equal([0.5, -1, 0]);
    expect([changeOf(3, 0), changeOf(3, null), changeOf(3, undefined)]).to.deep.equal([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
