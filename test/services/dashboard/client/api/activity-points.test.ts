/** Counts over time as points, and the ranges that the address names. */
import { expect } from 'chai';
import {
  slotPoints,
  slotQuery,
  slotRangeOf,
} from '../../../../../services/dashboard/client/api/activity-points.ts';

describe('counts over time', () => {
  it('are points a minute or an hour apart, the last of which is a part', () => {
    const start = '2026-01-15T09:30:00.000Z';
    const at = Date.parse(start);
    expect(slotPoints({ granularity: 'minute', start }, [1, 2])).to.deep.equal([
      { at, value: 1, isWhole: true },
      { at: at + 60_000, value: 2, isWhole: false },
    ]);
    expect(slotPoints({ granularity: 'hour', start }, [1, 2])[1]?.at).to.equal(at + 3_600_000);
  });

  it('are asked for by the hour, the day or thirty days, and the day where the address says nothing known', () => {
    const now = Date.parse('2026-01-31T09:30:00.000Z');
    expect(slotQuery('hour', now)).to.deep.equal({ granularity: 'minute' });
    expect(slotQuery('day', now)).to.deep.equal({ granularity: 'hour' });
    expect(slotQuery('month', now)).to.deep.equal({ granularity: 'hour', start: '2026-01-01T09:00:00.000Z' });
    expect([slotRangeOf('month'), slotRangeOf('year'), slotRangeOf(undefined)]).to.deep.equal([
      'month',
      'day',
      'day',
    ]);
  });
});
