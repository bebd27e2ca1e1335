/** Checks that values of web vitals are rated as the API rates them. */
import { expect } from 'chai';
import {
  ratingOf,
  VITALS,
  vitalOf,
} from '../../../../../../services/dashboard/client/screens/speed/vitals.ts';
import { VITAL_THRESHOLDS } from '../../../../../../services/query/catalogue/vital-ratings.ts';

describe('the web vitals of the dashboard', () => {
  it('have the thresholds of the API, each vital that has some', () => {
    expect(Object.fromEntries(VITALS.map(({ name, upTo }) => [name, upTo]))).to.deep.equal(VITAL_THRESHOLDS);
  });

  it('are good up to the first, poor above the second, fair between', () => {
    const vital = vitalOf('CLS');
    expect([0, 0.1, 0.101, 0.25, 0.251].map((value) => ratingOf(vital, value))).to.deep.equal([
      ...['good', 'good', 'fair', 'fair', 'poor'],
    ]);
  });

  it('are shown over time by the first where the address names none', () => {
    expect([undefined, 'FPS', '__proto__'].map((name) => vitalOf(name).name)).to.deep.equal([
      'LCP',
      'LCP',
      'LCP',
    ]);
  });
});
