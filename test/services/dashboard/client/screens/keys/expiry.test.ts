/** Expiry as people choose it: the end of a day in the organization's time zone, on days with a change of clocks too. */
import { expect } from 'chai';
import {
  expiryOf,
  instantOf,
  NEVER,
} from '../../../../../../services/dashboard/client/screens/keys/expiry.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');

describe('the expiry of an API key', () => {
  it('shows the last day of a key in the zone, and never for none', () => {
    expect(expiryOf('2027-01-31T22:59:59.000Z', 'Europe/Berlin')).to.deep.equal({
      choice: 'date',
      date: '2027-01-31',
    });
    expect(expiryOf(null, 'UTC')).to.deep.equal(NEVER);
  });

  it('tells the API never, a span from now, or the end of a day that is not over', () => {
    const tell = (choice: 'never' | '30' | '365' | 'date', date = '') =>
      instantOf({ choice, date }, 'UTC', NOW);
    expect(tell('never')).to.equal(null);
    expect(tell('30')).to.equal('2026-12-23T12:00:00.000Z');
    expect(tell('365')).to.equal('2027-11-23T12:00:00.000Z');
    expect(tell('date', '2026-11-23')).to.equal('2026-11-23T23:59:59.000Z');
    for (const date of ['', '2026-11-22', '26-11-30', '2026-13-01', '+2026-11-30']) {
      expect(tell('date', date), date).to.equal(undefined);
    }
  });
});
