/** Checks what the overview says of a bucket: whole, cut, running or not begun, and what a zoom into it shows. */
import { expect } from 'chai';
import { stateOf, zoomedInto } from '../../../../../services/dashboard/client/website/buckets.ts';

const CLOCK = { now: Date.parse('2026-11-23T10:30:00Z'), today: '2026-11-23' };
const DAYS = { first: '2026-11-04', last: '2026-11-30' };

describe('a bucket of the overview', () => {
  it('runs while its hour, day, week or month has not ended', () => {
    const hour = (timestamp: string) =>
      stateOf({ date: '2026-11-23 10:00:00', timestamp }, 'hourly', CLOCK, DAYS);
    expect(hour('2026-11-23T09:00:00.000Z')).to.equal('whole');
    expect(hour('2026-11-23T10:00:00.000Z')).to.equal('running');
    expect(hour('2026-11-23T11:00:00.000Z')).to.equal('future');
    expect(stateOf({ date: '2026-11-22' }, 'daily', CLOCK, DAYS)).to.equal('whole');
    expect(stateOf({ date: '2026-11-23' }, 'daily', CLOCK, DAYS)).to.equal('running');
    expect(stateOf({ date: '2026-11-24' }, 'daily', CLOCK, DAYS)).to.equal('future');
    expect(stateOf({ date: '2026-11-22' }, 'weekly', CLOCK, DAYS)).to.equal('running');
    expect(
      stateOf({ date: '2026-11-01' }, 'monthly', CLOCK, { first: '2026-11-01', last: '2026-11-23' }),
    ).to.equal('running');
  });

  it('is cut when the range holds a part of it', () => {
    expect(stateOf({ date: '2026-11-01' }, 'weekly', CLOCK, DAYS)).to.equal('cut');
    expect(stateOf({ date: '2026-11-08' }, 'weekly', CLOCK, DAYS)).to.equal('whole');
    expect(
      stateOf({ date: '2026-10-01' }, 'monthly', CLOCK, { first: '2026-10-01', last: '2026-10-30' }),
    ).to.equal('cut');
    // A range that ended before today has no bucket that runs, though its week does.
    expect(
      stateOf({ date: '2026-11-22' }, 'weekly', CLOCK, { first: '2026-11-01', last: '2026-11-22' }),
    ).to.equal('cut');
  });

  it('zooms into its own days, as far as they lie in the range', () => {
    const weeks = [{ date: '2026-11-01' }, { date: '2026-11-08' }, { date: '2026-11-15' }];
    expect(zoomedInto(weeks, 1, 1, 'weekly', DAYS)).to.deep.equal({
      first: '2026-11-08',
      last: '2026-11-14',
    });
    expect(zoomedInto(weeks, 0, 0, 'weekly', DAYS)).to.deep.equal({
      first: '2026-11-04',
      last: '2026-11-07',
    });
    expect(zoomedInto(weeks, 2, 1, 'weekly', DAYS)).to.deep.equal({
      first: '2026-11-08',
      last: '2026-11-21',
    });
    expect(zoomedInto([{ date: '2026-11-01' }], 0, 0, 'monthly', DAYS)).to.deep.equal(DAYS);
    expect(zoomedInto(weeks, 0, 7, 'weekly', DAYS)).to.equal(null);
  });

  it('zooms into hours by their instants, also where the clock changes', () => {
    const hours = ['2026-10-25T00:00:00.000Z', '2026-10-25T01:00:00.000Z'].map((timestamp) => ({
      date: '2026-10-25 02:00:00',
      timestamp,
    }));
    expect(zoomedInto(hours, 0, 0, 'hourly', undefined)).to.deep.equal({
      from: '2026-10-25T00:00:00.000Z',
      to: '2026-10-25T01:00:00.000Z',
    });
    expect(zoomedInto(hours, 1, 0, 'hourly', undefined)).to.deep.equal({
      from: '2026-10-25T00:00:00.000Z',
      to: '2026-10-25T02:00:00.000Z',
    });
  });
});
