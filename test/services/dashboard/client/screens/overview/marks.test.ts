/** Checks at which bucket of a line an annotation stands. */
import { expect } from 'chai';
import { marksOf } from '../../../../../../services/dashboard/client/screens/overview/marks.ts';

const days = ['2026-11-20', '2026-11-21', '2026-11-22'].map((date) => ({ date }));
const weeks = ['2026-11-01', '2026-11-08', '2026-11-15'].map((date) => ({ date }));
const hours = ['22', '23'].map((hour) => ({
  date: `2026-11-20 ${hour}:00:00`,
  timestamp: `2026-11-20T${Number(hour) - 1}:00:00.000Z`,
}));
const by = (granularity: 'hourly' | 'daily' | 'weekly') => ({ timezone: 'Europe/Berlin', granularity });
const mark = (at: string, text = at) => ({ at, text });

describe('the annotations of a line', () => {
  it('stand at their day, and at that of their instant in the zone', () => {
    const marks = [
      mark('2026-11-21'),
      mark('2026-11-20T23:30:00Z', 'late'),
      mark('2026-11-22T09:00:00Z', 'two'),
    ];
    expect(marksOf(days, marks, by('daily'))).to.deep.equal([undefined, '2026-11-21 · late', 'two']);
  });

  it('stand at the week that holds their day', () => {
    expect(marksOf(weeks, [mark('2026-11-07'), mark('2026-11-15')], by('weekly'))).to.deep.equal([
      '2026-11-07',
      undefined,
      '2026-11-15',
    ]);
  });

  it('stand at their hour, and a day at its first hour that is shown', () => {
    const marks = [mark('2026-11-20'), mark('2026-11-20T22:59:00Z', 'instant')];
    expect(marksOf(hours, marks, by('hourly'))).to.deep.equal(['2026-11-20', 'instant']);
  });

  it('stand nowhere before or after the range, nor where there is no bucket', () => {
    expect(marksOf(days, [mark('2026-11-19'), mark('2026-11-23')], by('daily'))).to.deep.equal([
      undefined,
      undefined,
      undefined,
    ]);
    expect(
      marksOf(
        hours,
        [mark('2026-11-20T20:00:00Z'), mark('2026-11-20T23:00:00Z'), mark('2026-11-19')],
        by('hourly'),
      ),
    ).to.deep.equal([undefined, undefined]);
    expect(marksOf([], [mark('2026-11-19')], by('daily'))).to.deep.equal([]);
  });
});
