/** Retention over logs written by hand: month ends, changes of the clock, weeks from Sunday on, exact and rolling. */
import { expect } from 'chai';
import { eventRecord } from '../../../../support/query/event.ts';
import { expectError } from '../../../../support/query/expect-error.ts';
import {
  datasetsOf,
  rowsOf,
  type StartedQueryService,
  startQueryService,
} from '../../../../support/query/start-query-service.ts';

/** A pageview, or an event of that name, of a visitor. */
const seen = (anonymous_id: string, at: string, event_name = 'screen_view') =>
  eventRecord({ at, anonymous_id, event_name, path: '/' });

const LOG = [
  // In UTC on 30 and 31 January and 1 February; in Berlin on the 30th, and on 1 February twice.
  seen('a', '2025-01-30T12:00:00Z'),
  seen('a', '2025-01-31T23:30:00Z'),
  seen('a', '2025-02-01T08:00:00Z'),
  // Signs up on 31 January, and is there again on the last day of February.
  seen('b', '2025-01-31T10:00:00Z', 'signup'),
  seen('b', '2025-02-28T10:00:00Z'),
  // February and March.
  seen('c', '2025-02-01T00:00:00Z'),
  seen('c', '2025-02-01T00:00:01Z'),
  seen('c', '2025-03-31T23:59:59.999Z'),
];

describe('the dataset retention', () => {
  let service: StartedQueryService;
  before(async () => {
    service = await startQueryService({ log: LOG, now: Date.parse('2025-04-02T10:00:00Z') });
  });
  after(() => service.close());

  const ask = (given: object, startDate: string, endDate: string, queryString = '') =>
    service.query({ parameters: [{ name: 'retention', ...given }], startDate, endDate }, queryString);
  const rows = async (...asked: Parameters<typeof ask>) => rowsOf(await ask(...asked));
  /** Rows as [date, period, cohort_visitors, visitors, percentage]. */
  const values = async (...asked: Parameters<typeof ask>) =>
    (await rows(...asked)).map((row) => Object.values(row));

  it('by month: a cohort for each month, with every period that has begun', async () => {
    expect(await rows({ unit: 'month' }, '2025-01-01', '2025-01-31')).to.deep.equal([
      { date: '2025-01-01', period: 0, cohort_visitors: 2, visitors: 2, percentage: 100 },
    ]);
    expect(await values({ unit: 'month' }, '2025-01-15', '2025-03-31')).to.deep.equal([
      ['2025-01-01', 0, 2, 2, 100], // a, b
      ['2025-01-01', 1, 2, 2, 100],
      ['2025-01-01', 2, 2, 0, 0],
      ['2025-02-01', 0, 1, 1, 100], // c
      ['2025-02-01', 1, 1, 1, 100], // in the last millisecond of March
      ['2025-03-01', 0, 0, 0, 0],
    ]);
  });

  it('rolling: who returns in a later period counts in those before', async () => {
    const april = ['2025-02-01', '2025-04-01'] as const;
    // b, c in February; c in March; nobody in April.
    expect(await values({ unit: 'month', mode: 'rolling' }, ...april)).to.deep.equal([
      ['2025-02-01', 0, 3, 3, 100],
      ['2025-02-01', 1, 3, 1, 33.33],
      ['2025-02-01', 2, 3, 0, 0],
      ['2025-03-01', 0, 0, 0, 0],
      ['2025-03-01', 1, 0, 0, 0],
      ['2025-04-01', 0, 0, 0, 0],
    ]);
    const day = ['2025-01-30', '2025-02-01'] as const;
    expect((await values({ mode: 'exact' }, ...day)).slice(0, 3)).to.deep.equal([
      ['2025-01-30', 0, 1, 1, 100],
      ['2025-01-30', 1, 1, 1, 100],
      ['2025-01-30', 2, 1, 1, 100],
    ]);
    // In Berlin a skips the 31st.
    const berlin = [...day, '&timezone=Europe/Berlin'] as const;
    expect((await values({ mode: 'exact' }, ...berlin)).slice(0, 3)).to.deep.equal([
      ['2025-01-30', 0, 1, 1, 100],
      ['2025-01-30', 1, 1, 0, 0],
      ['2025-01-30', 2, 1, 1, 100],
    ]);
    expect((await values({ mode: 'rolling' }, ...berlin)).slice(0, 3)).to.deep.equal([
      ['2025-01-30', 0, 1, 1, 100],
      ['2025-01-30', 1, 1, 1, 100],
      ['2025-01-30', 2, 1, 1, 100],
    ]);
  });

  it('by week: weeks start on Sunday, and the first is that of the start', async () => {
    // 26 January and 2 February are Sundays.
    expect(await values({ unit: 'week' }, '2025-01-30', '2025-02-08')).to.deep.equal([
      ['2025-01-26', 0, 3, 3, 100],
      ['2025-01-26', 1, 3, 0, 0],
      ['2025-02-02', 0, 0, 0, 0],
    ]);
  });

  it('starts cohorts by an event, and counts only certain returns', async () => {
    const signup = { type: 'event', match: { op: 'eq', value: 'signup' } };
    const view = { type: 'page', match: { op: 'eq', value: '/' } };
    const range = ['2025-01-01', '2025-02-28'] as const;
    expect(await values({ unit: 'month', start: signup }, ...range)).to.deep.equal([
      ['2025-01-01', 0, 1, 1, 100], // b
      ['2025-01-01', 1, 1, 1, 100],
      ['2025-02-01', 0, 0, 0, 0],
    ]);
    expect(await values({ unit: 'month', returning: signup }, ...range)).to.deep.equal([
      ['2025-01-01', 0, 2, 2, 100], // period 0 is the cohort, signed up or not
      ['2025-01-01', 1, 2, 0, 0],
      ['2025-02-01', 0, 1, 1, 100],
    ]);
    expect(await values({ unit: 'month', start: signup, returning: view }, ...range)).to.deep.equal([
      ['2025-01-01', 0, 1, 1, 100],
      ['2025-01-01', 1, 1, 1, 100],
      ['2025-02-01', 0, 0, 0, 0],
    ]);
  });

  it('cuts days where the clock shows midnight, also when it changes', async () => {
    const before = service;
    // In Berlin the 30 March 2025 has 23 hours: 23:30 and 00:30 lie an hour apart, and a day.
    service = await startQueryService({
      log: [
        seen('v', '2025-03-30T21:30:00Z'),
        seen('v', '2025-03-30T22:30:00Z'),
        seen('w', '2025-03-29T23:30:00Z'),
      ],
      now: Date.parse('2025-04-02T10:00:00Z'),
    });
    try {
      expect(await values({}, '2025-03-30', '2025-03-31', '&timezone=Europe/Berlin')).to.deep.equal([
        ['2025-03-30', 0, 2, 2, 100],
        ['2025-03-30', 1, 2, 1, 50],
        ['2025-03-31', 0, 0, 0, 0],
      ]);
      expect(await values({}, '2025-03-30', '2025-03-31')).to.deep.equal([
        ['2025-03-30', 0, 1, 1, 100],
        ['2025-03-30', 1, 1, 0, 0],
        ['2025-03-31', 0, 0, 0, 0],
      ]);
    } finally {
      await service.close();
      service = before;
    }
  });

  it('is compared cohort by cohort, in their order', async () => {
    const body = {
      parameters: [{ name: 'retention', unit: 'month' }],
      startDate: '2025-02-01',
      endDate: '2025-03-31',
      compare: { startDate: '2024-12-01', endDate: '2025-01-31' },
    };
    const found = rowsOf(await service.query(body)).map(({ date, period, visitors, previous }) => [
      date,
      period,
      visitors,
      previous,
    ]);
    expect(found).to.deep.equal([
      ['2025-02-01', 0, 3, { cohort_visitors: 0, visitors: 0, percentage: 0 }], // December
      ['2025-02-01', 1, 1, { cohort_visitors: 0, visitors: 0, percentage: 0 }],
      ['2025-03-01', 0, 0, { cohort_visitors: 2, visitors: 2, percentage: 100 }], // January
    ]);
  });

  it('refuses more than 100 periods, and what is no unit', async () => {
    const [days] = datasetsOf(await ask({ unit: 'day' }, '2025-01-01', '2025-04-11'));
    expect(days?.error).to.match(/^The range has some 101 periods, of at most 100\./);
    expect(await rows({ unit: 'day' }, '2025-01-01', '2025-04-10')).to.have.length(5_050);
    expect(await rows({ unit: 'week' }, '2025-01-01', '2025-04-11')).to.have.length(120);
    const faults = expectError(
      await ask({ unit: 'year' }, '2025-01-01', '2025-04-11'),
      400,
      'VALIDATION_ERROR',
    );
    expect(faults.map(({ field }) => field)).to.deep.equal(['parameters[0].unit']);
  });
});
