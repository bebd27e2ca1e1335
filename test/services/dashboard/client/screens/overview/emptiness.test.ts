/** Why an overview is empty: nothing is called absent that was not asked for. */
import { expect } from 'chai';
import { emptinessOf } from '../../../../../../services/dashboard/client/screens/overview/emptiness.ts';

const TODAY = { timezone: 'Europe/Berlin', today: '2026-11-23' };
const WEEK = { preset: 'last_7d' } as const;
const of = (given: Partial<Parameters<typeof emptinessOf>[0]>) =>
  emptinessOf({ ...TODAY, range: WEEK, createdAt: undefined, ever: undefined, ...given });

describe('why an overview is empty', () => {
  it('is what the API says of all time, whatever else is known', () => {
    expect(of({ ever: 0, createdAt: '2020-01-01T00:00:00.000Z' })).to.equal('never');
    expect(of({ ever: 3, createdAt: '2026-11-23T08:00:00.000Z' })).to.equal('elsewhere');
  });

  it('is told of a website whose whole life the range holds, by the days of the zone', () => {
    expect(of({ createdAt: '2026-11-20T00:00:00.000Z' })).to.equal('since-made');
    expect(of({ createdAt: '2026-11-16T23:00:00.000Z' }), 'the 17th in Berlin').to.equal('since-made');
    expect(of({ createdAt: '2026-11-16T22:59:00.000Z' }), 'the 16th in Berlin').to.equal('in-range');
  });

  it('is the range where it ends before today, lies between instants, or the website is not known', () => {
    const createdAt = '2026-11-22T12:00:00.000Z';
    expect(of({ range: { first: '2026-11-20', last: '2026-11-22' }, createdAt })).to.equal('in-range');
    const zoomed = { from: '2026-11-22T00:00:00.000Z', to: '2026-11-24T00:00:00.000Z' };
    expect(of({ range: zoomed, createdAt })).to.equal('in-range');
    expect(of({})).to.equal('in-range');
  });
});
