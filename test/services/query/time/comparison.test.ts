/** The other period of ranges: leap years, short and long days, weekdays, and ranges that are running. */
import { expect } from 'chai';
import fc from 'fast-check';
import { type CompareWith, comparisonOf, startIn } from '../../../../services/query/time/comparison.ts';
import { createZone, DAY_MS } from '../../../../services/query/time/zone.ts';
import { LONG_AFTER, periodOf } from '../../../support/query/period-of.ts';

describe('the period that a range is compared with', () => {
  const periods: readonly [
    title: string,
    zone: string,
    range: readonly [string, string],
    period: 'previous' | 'year' | readonly [string, string],
    expected: readonly [string, string],
    align?: CompareWith['align'],
  ][] = [
    ['the day before', 'UTC', ['2025-03-01', '2025-03-01'], 'previous', ['2025-02-28', '2025-02-28']],
    ['as many days before', 'UTC', ['2025-03-01', '2025-03-31'], 'previous', ['2025-01-29', '2025-02-28']],
    [
      'days before, over 29 February',
      'UTC',
      ['2024-03-01', '2024-03-31'],
      'previous',
      ['2024-01-30', '2024-02-29'],
    ],
    [
      'days before a short day',
      'Europe/Berlin',
      ['2025-03-30', '2025-03-30'],
      'previous',
      ['2025-03-29', '2025-03-29'],
    ],
    [
      'days before a long day',
      'Europe/Berlin',
      ['2025-10-26', '2025-10-26'],
      'previous',
      ['2025-10-25', '2025-10-25'],
    ],
    [
      'a short day before',
      'Europe/Berlin',
      ['2025-03-31', '2025-03-31'],
      'previous',
      ['2025-03-30', '2025-03-30'],
    ],
    [
      'a day whose midnight the clock skipped',
      'America/Sao_Paulo',
      ['2018-11-04', '2018-11-04'],
      'previous',
      ['2018-11-03', '2018-11-03'],
    ],
    [
      'the same time before, of date-times',
      'UTC',
      ['2025-03-01T10:00:00.000Z', '2025-03-01T11:30:00.000Z'],
      'previous',
      ['2025-03-01T08:30:00.000Z', '2025-03-01T10:00:00.000Z'],
    ],
    [
      'the same dates a year before',
      'UTC',
      ['2025-01-31', '2025-02-28'],
      'year',
      ['2024-01-31', '2024-02-28'],
    ],
    [
      'up to 28 February for the 29th',
      'UTC',
      ['2024-02-01', '2024-02-29'],
      'year',
      ['2023-02-01', '2023-02-28'],
    ],
    [
      'from 1 March for 29 February',
      'UTC',
      ['2024-02-29', '2024-03-02'],
      'year',
      ['2023-03-01', '2023-03-02'],
    ],
    [
      '28 February for the 29th alone',
      'UTC',
      ['2024-02-29', '2024-02-29'],
      'year',
      ['2023-02-28', '2023-02-28'],
    ],
    [
      'the same times of the clock a year before',
      'Europe/Berlin',
      // 12:00 to 14:00; clocks went forward on 31 March 2024.
      ['2025-03-30T10:00:00.000Z', '2025-03-30T12:00:00.000Z'],
      'year',
      ['2024-03-30T11:00:00.000Z', '2024-03-30T13:00:00.000Z'],
    ],
    [
      'dates',
      'UTC',
      ['2025-03-01', '2025-03-31'],
      ['2025-02-01', '2025-02-28'],
      ['2025-02-01', '2025-02-28'],
    ],
    [
      'the nearest same weekday before',
      'UTC',
      // A Wednesday; 30 days before is a Monday, 28 days before a Wednesday.
      ['2025-03-05', '2025-04-03'],
      'previous',
      ['2025-02-05', '2025-03-06'],
      'weekday',
    ],
    [
      'the same weekday of the week before, of a day',
      'UTC',
      ['2025-04-02', '2025-04-02'],
      'previous',
      ['2025-03-26', '2025-03-26'],
      'weekday',
    ],
    ['364 days before', 'UTC', ['2025-04-02', '2025-04-08'], 'year', ['2024-04-03', '2024-04-09'], 'weekday'],
    [
      '364 days before, as many days, in a leap year',
      'UTC',
      ['2024-02-26', '2024-03-03'],
      'year',
      ['2023-02-27', '2023-03-05'],
      'weekday',
    ],
    [
      'dates moved to the nearest same weekday',
      'UTC',
      // A Wednesday, and a Saturday three days after one.
      ['2025-04-02', '2025-04-08'],
      ['2025-03-01', '2025-03-09'],
      ['2025-02-26', '2025-03-06'],
      'weekday',
    ],
    [
      'the same 24 hours of the clock a week before',
      'Europe/Berlin',
      ['2025-03-30T10:00:00.000Z', '2025-03-31T10:00:00.000Z'],
      'previous',
      ['2025-03-23T11:00:00.000Z', '2025-03-24T11:00:00.000Z'],
      'weekday',
    ],
  ];
  for (const [title, zone, range, period, expected, align] of periods) {
    it(`is ${title}: ${range.join(' to ')} in ${zone}`, () => {
      expect(periodOf(zone, range, period, align && { align })).to.deep.equal(expected);
    });
  }

  it('keeps the order of instants, and starts and ends where the range does, in every zone', () => {
    const zones = [
      'UTC',
      'Europe/Berlin',
      'America/Havana',
      'America/Sao_Paulo',
      'Australia/Lord_Howe',
      'Pacific/Apia',
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: 9_000 }),
        fc.integer({ min: 1, max: 400 }),
        fc.constantFrom('previous' as const, 'year' as const),
        fc.constantFrom('date' as const, 'weekday' as const),
        (name, first, days, period, align) => {
          const zone = createZone(name);
          const dayAt = (index: number) => zone.instantOf(Date.UTC(2003, 0, 1) + index * DAY_MS);
          const range = { from: dayAt(first), to: dayAt(first + days) };
          fc.pre(range.from < range.to);
          const { range: other, shift } = comparisonOf(range, { period, align }, zone, LONG_AFTER * 2);
          expect(other.from).to.be.at.most(other.to);
          expect(startIn(shift, range.from, zone)).to.equal(other.from);
          if (period === 'previous' && align === 'date') expect(other.to).to.equal(range.from);
          if (align === 'weekday') {
            const weekday = (instant: number) => new Date(zone.localOf(instant)).getUTCDay();
            expect(weekday(other.from)).to.equal(weekday(range.from));
          }
          let before = other.from;
          for (let day = 0; day <= days; day++) {
            const at = startIn(shift, dayAt(first + day), zone);
            expect(at).to.be.at.least(before);
            before = at;
          }
        },
      ),
      { numRuns: 100 },
    );
  });
});
