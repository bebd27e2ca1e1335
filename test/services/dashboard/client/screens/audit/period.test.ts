/** The days of the audit as instants: whole days of the organization's time zone, on days with a change of clocks too. */
import { expect } from 'chai';
import { periodOf } from '../../../../../../services/dashboard/client/screens/audit/period.ts';

describe('the days of the audit', () => {
  it('are whole days of the zone, both of them', () => {
    expect(periodOf({ from: '2026-03-29', to: '2026-03-29' }, 'Europe/Berlin')).to.deep.equal({
      from: '2026-03-28T23:00:00.000Z',
      to: '2026-03-29T22:00:00.000Z',
    });
    expect(periodOf({ from: '2026-03-01', to: '2026-03-31' }, 'America/New_York')).to.deep.equal({
      from: '2026-03-01T05:00:00.000Z',
      to: '2026-04-01T04:00:00.000Z',
    });
  });

  it('limit one side alone, too', () => {
    expect(periodOf({ from: '2026-01-01' }, 'UTC')).to.deep.equal({
      from: '2026-01-01T00:00:00.000Z',
      to: undefined,
    });
    expect(periodOf({ to: '2026-01-01' }, 'UTC')).to.deep.equal({
      from: undefined,
      to: '2026-01-02T00:00:00.000Z',
    });
  });

  it('are put in order, and one that is none or still being typed limits nothing', () => {
    const days = { from: '2026-03-31', to: '2026-03-01' };
    expect(periodOf(days, 'UTC')).to.deep.equal(periodOf({ from: days.to, to: days.from }, 'UTC'));
    for (const day of ['', 'yesterday', '0202-03-01', '2026-13-01', '2026-3-1']) {
      expect(periodOf({ from: day, to: day }, 'UTC'), day).to.deep.equal({ from: undefined, to: undefined });
    }
  });
});
