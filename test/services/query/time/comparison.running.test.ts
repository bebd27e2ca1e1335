/** The other period of ranges that are running, or have not begun: as much of it as has passed. */
import { expect } from 'chai';
import { periodOf } from '../../../support/query/period-of.ts';

describe('the period that a running range is compared with', () => {
  const running: readonly [
    title: string,
    zone: string,
    now: string,
    range: readonly [string, string],
    period: 'previous' | 'year' | readonly [string, string],
    expected: readonly [string, string],
  ][] = [
    [
      'yesterday until 14:00',
      'UTC',
      '2025-04-02T14:00:00.000Z',
      ['2025-04-02', '2025-04-02'],
      'previous',
      ['2025-04-01T00:00:00.000Z', '2025-04-01T14:00:00.000Z'],
    ],
    [
      'yesterday until 14:00 of the clock, after a short day',
      'Europe/Berlin',
      '2025-03-31T12:00:00.000Z',
      ['2025-03-31', '2025-03-31'],
      'previous',
      ['2025-03-29T23:00:00.000Z', '2025-03-30T12:00:00.000Z'],
    ],
    [
      'yesterday until 14:00 of the clock, on a long day',
      'Europe/Berlin',
      '2025-10-26T13:00:00.000Z',
      ['2025-10-26', '2025-10-26'],
      'previous',
      ['2025-10-24T22:00:00.000Z', '2025-10-25T12:00:00.000Z'],
    ],
    [
      'until the change, when the clock skipped the time of now',
      'Europe/Berlin',
      '2025-03-31T00:30:00.000Z',
      ['2025-03-31', '2025-03-31'],
      'previous',
      ['2025-03-29T23:00:00.000Z', '2025-03-30T01:00:00.000Z'],
    ],
    [
      'until the first 02:30, when the clock showed it twice',
      'Europe/Berlin',
      '2025-10-27T01:30:00.000Z',
      ['2025-10-27', '2025-10-27'],
      'previous',
      ['2025-10-25T22:00:00.000Z', '2025-10-26T00:30:00.000Z'],
    ],
    [
      'the same part of the last year, on 29 February until its end',
      'UTC',
      '2024-02-29T10:00:00.000Z',
      ['2024-02-01', '2024-02-29'],
      'year',
      ['2023-02-01', '2023-02-28'],
    ],
    [
      'as much of longer dates as has passed',
      'UTC',
      '2025-04-02T10:00:00.000Z',
      ['2025-04-01', '2025-04-02'],
      ['2025-03-01', '2025-03-31'],
      ['2025-03-01T00:00:00.000Z', '2025-03-02T10:00:00.000Z'],
    ],
    [
      'all of shorter dates that have passed',
      'UTC',
      '2025-04-02T10:00:00.000Z',
      ['2025-04-01', '2025-04-30'],
      ['2025-03-01', '2025-03-01'],
      ['2025-03-01', '2025-03-01'],
    ],
    [
      'the time that has passed, before date-times',
      'UTC',
      '2025-04-02T14:00:00.000Z',
      ['2025-04-02T09:00:00.000Z', '2025-04-02T18:00:00.000Z'],
      'previous',
      ['2025-04-02T00:00:00.000Z', '2025-04-02T05:00:00.000Z'],
    ],
    [
      'nothing of the days before, while the range has not begun',
      'UTC',
      '2025-04-02T14:00:00.000Z',
      ['2025-04-03', '2025-04-04'],
      'previous',
      ['2025-04-01T00:00:00.000Z', '2025-04-01T00:00:00.000Z'],
    ],
  ];
  for (const [title, zone, now, range, period, expected] of running) {
    it(`is ${title}: it is ${now}`, () => {
      expect(periodOf(zone, range, period, { now: Date.parse(now) })).to.deep.equal(expected);
    });
  }
});
