/** Checks the range of the overview: from its address, to the API, and its steps. */
import { expect } from 'chai';
import {
  granularitiesOf,
  granularityOf,
  type Range,
  rangeFields,
  rangeOf,
  rangeParameters,
  stepped,
} from '../../../../../services/dashboard/client/website/range.ts';
import { MAX_DAYS } from '../../../../../services/query/time/buckets.ts';

const TODAY = '2026-11-23';
const NOW = Date.parse('2026-11-23T10:00:00Z');
const step = (range: Range, direction: -1 | 1) => stepped(range, direction, TODAY, NOW);

describe('the range of the overview', () => {
  it('comes back from its own address', () => {
    const ranges: Range[] = [
      { preset: 'today' },
      { preset: 'last_30d' },
      { first: '2026-01-01', last: '2026-01-31' },
      { from: '2026-11-22T10:00:00.000Z', to: '2026-11-22T12:00:00.000Z' },
    ];
    for (const range of ranges) expect(rangeOf(rangeParameters(range))).to.deep.equal(range);
  });

  it('is the default for an address that makes no sense', () => {
    const addresses = [
      {},
      { range: 'for ever' },
      { from: '2026-01-02', to: '2026-01-01' },
      { from: '2026-02-30', to: '2026-03-01' },
      { from: '2026-01-01' },
      { from: '2026-01-01', to: '2026-01-02T00:00:00.000Z' },
      { from: "'; drop", to: '<b>' },
      { range: '__proto__' },
    ];
    for (const address of addresses) expect(rangeOf(address)).to.deep.equal({ preset: 'last_30d' });
  });

  it('is told to the API by preset, days or instants', () => {
    expect(rangeFields({ preset: 'today' })).to.deep.equal({ preset: 'today' });
    expect(rangeFields({ first: '2026-01-01', last: '2026-01-31' })).to.deep.equal({
      startDate: '2026-01-01',
      endDate: '2026-01-31',
    });
    expect(rangeFields({ from: 'a', to: 'b' })).to.deep.equal({ startDate: 'a', endDate: 'b' });
  });

  it('offers hours as long as the API computes them', () => {
    const days = (count: number): Range => ({
      first: new Date(Date.parse('2026-11-23') - (count - 1) * 86_400_000).toISOString().slice(0, 10),
      last: TODAY,
    });
    expect(granularitiesOf(days(MAX_DAYS.hourly), TODAY)).to.deep.equal([
      'hourly',
      'daily',
      'weekly',
      'monthly',
    ]);
    expect(granularitiesOf(days(MAX_DAYS.hourly + 1), TODAY)).not.to.include('hourly');
    expect(granularitiesOf(days(1), TODAY)).to.deep.equal(['hourly']);
    expect(granularitiesOf(days(7), TODAY)).to.deep.equal(['hourly', 'daily']);
    expect(granularityOf('hourly', days(90), TODAY)).to.equal('daily');
    expect(granularityOf(undefined, days(1), TODAY)).to.equal('hourly');
    expect(granularityOf('weekly', days(90), TODAY)).to.equal('weekly');
    expect(granularityOf(undefined, days(3_000), TODAY)).to.equal('monthly');
  });

  it('steps by its own length', () => {
    expect(step({ preset: 'last_7d' }, -1)).to.deep.equal({ first: '2026-11-10', last: '2026-11-16' });
    expect(step({ preset: 'today' }, -1)).to.deep.equal({ first: '2026-11-22', last: '2026-11-22' });
    expect(step({ first: '2026-11-10', last: '2026-11-16' }, 1)).to.deep.equal({
      first: '2026-11-17',
      last: '2026-11-23',
    });
    expect(step({ from: '2026-11-22T10:00:00.000Z', to: '2026-11-22T12:00:00.000Z' }, 1)).to.deep.equal({
      from: '2026-11-22T12:00:00.000Z',
      to: '2026-11-22T14:00:00.000Z',
    });
  });

  it('steps by the calendar from weeks, months and years', () => {
    expect(step({ preset: 'this_week' }, -1)).to.deep.equal({ first: '2026-11-15', last: '2026-11-21' });
    expect(step({ preset: 'last_week' }, -1)).to.deep.equal({ first: '2026-11-08', last: '2026-11-14' });
    expect(step({ preset: 'this_month' }, -1)).to.deep.equal({ first: '2026-10-01', last: '2026-10-31' });
    expect(step({ preset: 'last_month' }, -1)).to.deep.equal({ first: '2026-09-01', last: '2026-09-30' });
    expect(step({ preset: 'last_month' }, 1)).to.deep.equal({ first: '2026-11-01', last: '2026-11-30' });
    expect(step({ preset: 'this_year' }, -1)).to.deep.equal({ first: '2025-01-01', last: '2025-12-31' });
    expect(step({ first: '2024-01-01', last: '2024-03-31' }, 1)).to.deep.equal({
      first: '2024-04-01',
      last: '2024-06-30',
    });
    expect(step({ first: '2024-03-01', last: '2024-03-31' }, -1)).to.deep.equal({
      first: '2024-02-01',
      last: '2024-02-29',
    });
  });

  it('never steps into a time that has not begun', () => {
    for (const preset of ['today', 'last_7d', 'this_week', 'this_month', 'this_year'] as const) {
      expect(step({ preset }, 1), preset).to.equal(null);
    }
    expect(step({ preset: 'yesterday' }, 1)).to.deep.equal({ first: TODAY, last: TODAY });
    expect(step({ from: '2026-11-23T09:00:00.000Z', to: '2026-11-23T10:30:00.000Z' }, 1)).to.equal(null);
  });
});
