/** Ranges: presets under a fixed clock, days and date-times, overrides of single datasets, limits of length. */
import { expect } from 'chai';
import { type Preset, presetRange } from '../../../services/query/time/presets.ts';
import { createZone, DAY_MS } from '../../../services/query/time/zone.ts';
import { eventRecord } from '../../support/query/event.ts';
import { GOLDEN_LOG, GOLDEN_NOW } from '../../support/query/golden-log.ts';
import {
  datasetsOf,
  rowsOf,
  type StartedQueryService,
  startQueryService,
} from '../../support/query/start-query-service.ts';

/** First day, last day and number of days when it is Wednesday, 2 April 2025, 10:00 UTC. */
const PRESETS: readonly [string, string, string, number][] = [
  ['today', '2025-04-02', '2025-04-02', 1],
  ['yesterday', '2025-04-01', '2025-04-01', 1],
  ['last_7d', '2025-03-27', '2025-04-02', 7],
  ['last_14d', '2025-03-20', '2025-04-02', 14],
  ['last_28d', '2025-03-06', '2025-04-02', 28],
  ['last_30d', '2025-03-04', '2025-04-02', 30],
  ['last_90d', '2025-01-03', '2025-04-02', 90],
  ['last_6m', '2024-10-03', '2025-04-02', 182],
  ['last_12m', '2024-04-03', '2025-04-02', 365],
  ['this_week', '2025-03-30', '2025-04-02', 4],
  ['last_week', '2025-03-23', '2025-03-29', 7],
  ['this_month', '2025-04-01', '2025-04-02', 2],
  ['last_month', '2025-03-01', '2025-03-31', 31],
  ['this_year', '2025-01-01', '2025-04-02', 92],
];

describe('ranges', () => {
  let service: StartedQueryService;
  before(async () => {
    service = await startQueryService({ log: GOLDEN_LOG, now: GOLDEN_NOW });
  });
  after(() => service.close());

  const events = async (request: object, queryString = '') => {
    const answer = await service.query({ parameters: ['summary_metrics'], ...request }, queryString);
    return rowsOf(answer)[0]?.total_events;
  };

  const dates = async (request: object, queryString = '') =>
    rowsOf(await service.query({ parameters: ['summary'], ...request }, queryString)).map(({ date }) => date);

  for (const [preset, first, last, days] of PRESETS) {
    it(`${preset} is ${first} to ${last}, and wins over dates`, async () => {
      const labels = await dates({ preset, startDate: '2020-01-01', endDate: '2020-01-02' });
      expect([labels[0], labels.at(-1), labels.length]).to.deep.equal([first, last, days]);
    });
  }

  it('presets follow the wall clock of the timezone', async () => {
    // 10:00 UTC is midnight of 3 April in Kiritimati (+14) and 23:00 of 1 April in Niue (-11).
    expect(await dates({ preset: 'today' }, '&timezone=Pacific/Kiritimati')).to.deep.equal(['2025-04-03']);
    expect(await dates({ preset: 'today' }, '&timezone=Pacific/Niue')).to.deep.equal(['2025-04-01']);
  });

  const monthEnds: readonly [now: string, preset: string, first: string][] = [
    // 29 February is the last day of its month six and twelve months before these days, or does not exist.
    ['2024-08-31', 'last_6m', '2024-03-01'],
    ['2024-08-29', 'last_6m', '2024-03-01'],
    ['2024-08-28', 'last_6m', '2024-02-29'],
    ['2025-08-31', 'last_6m', '2025-03-01'],
    ['2024-02-29', 'last_12m', '2023-03-01'],
    ['2025-02-28', 'last_12m', '2024-02-29'],
    ['2025-03-31', 'last_6m', '2024-10-01'],
  ];
  for (const [now, preset, first] of monthEnds) {
    it(`${preset} starts on ${first} when it is ${now}`, () => {
      const utc = createZone('UTC');
      const { from, to } = presetRange(preset as Preset, utc, Date.parse(`${now}T10:00:00Z`));
      expect(new Date(from).toISOString()).to.equal(`${first}T00:00:00.000Z`);
      expect(to).to.equal(Date.parse(now) + DAY_MS);
    });
  }

  it('last_24h is the 24 hours before now, on days of any length', async () => {
    const changing = await startQueryService({
      log: [
        // Now is 12:00 in Berlin, of a day whose clocks went forward: 24 hours ago it was 11:00.
        eventRecord({ at: '2025-03-29T09:59:59.999Z' }),
        eventRecord({ at: '2025-03-29T10:00:00.000Z' }),
        eventRecord({ at: '2025-03-30T09:59:59.999Z' }),
        eventRecord({ at: '2025-03-30T10:00:00.000Z' }),
      ],
      now: Date.parse('2025-03-30T10:00:00Z'),
    });
    try {
      const ask = async (granularity: string) => {
        const request = { parameters: ['summary'], preset: 'last_24h', granularity };
        return rowsOf(await changing.query(request, '&timezone=Europe/Berlin'));
      };
      const hours = await ask('hourly');
      expect(hours).to.have.length(24);
      expect(hours[0]).to.include({ date: '2025-03-29 11:00:00', pageviews: 1 });
      expect(hours.at(-1)).to.include({ date: '2025-03-30 11:00:00', pageviews: 1 });
      const minutes = await ask('minute');
      expect(minutes).to.have.length(1440);
      expect(minutes.at(-1)).to.include({
        date: '2025-03-30 11:59:00',
        timestamp: '2025-03-30T09:59:00.000Z',
        pageviews: 1,
      });
    } finally {
      await changing.close();
    }
  });

  it('an end day is inclusive, an end date-time is that instant', async () => {
    expect(await events({ startDate: '2025-03-29', endDate: '2025-03-29' })).to.equal(6);
    // The pageview at 09:00:40.500 lies after the end, then in the last millisecond before it.
    expect(await events({ startDate: '2025-03-29', endDate: '2025-03-29T09:00:40.500Z' })).to.equal(1);
    expect(await events({ startDate: '2025-03-29', endDate: '2025-03-29T09:00:40.501Z' })).to.equal(2);
    expect(await events({ startDate: '2025-03-29T09:00:40.500Z', endDate: '2025-03-29' })).to.equal(5);
    expect(await events({ startDate: '2025-03-29T09:00:40Z', endDate: '2025-03-29T09:00:40Z' })).to.equal(0);
  });

  it('a date-time with offset is that instant, one without is meant in the timezone', async () => {
    const berlin = '&timezone=Europe/Berlin';
    const until = (endDate: string, queryString = '') =>
      events({ startDate: '2025-03-29', endDate }, queryString);
    expect(await until('2025-03-29T10:00:30+01:00')).to.equal(1);
    expect(await until('2025-03-29T10:00:30', berlin)).to.equal(1);
    expect(await until('2025-03-29 10:00:30', berlin)).to.equal(1);
    expect(await until('2025-03-29T10:00:30')).to.equal(3);
    // The hour from 02:00 was skipped: 02:30 is the instant of the change, 01:00 UTC.
    expect(await until('2025-03-30T02:30:00', berlin)).to.equal(7);
  });

  it('dates come from the query string where the body has none', async () => {
    expect(await dates({}, '&start_date=2025-03-29&end_date=2025-03-30')).to.have.length(2);
    expect(await dates({}, '&startDate=2025-03-29&endDate=2025-03-30')).to.have.length(2);
    const body = { startDate: '2025-03-28' };
    expect(await dates(body, '&start_date=2025-03-29&end_date=2025-03-30')).to.have.length(3);
  });

  it('a dataset may carry its own id, dates and granularity', async () => {
    const answer = await service.query({
      parameters: [
        { name: 'summary', id: 'before', startDate: '2025-03-27', endDate: '2025-03-28' },
        { name: 'summary', startDate: '2025-03-30', granularity: 'weekly' },
        'summary_metrics',
      ],
      startDate: '2025-03-29',
      endDate: '2025-03-31',
    });
    const shown = datasetsOf(answer).map(({ parameter, data }) => [parameter, data.map(({ date }) => date)]);
    expect(shown).to.deep.equal([
      ['before', ['2025-03-27', '2025-03-28']],
      ['summary', ['2025-03-30']],
      ['summary_metrics', [undefined]],
    ]);
    expect(answer.body.meta).to.deep.equal({
      parameters: ['summary', 'summary', 'summary_metrics'],
      total_parameters: 3,
      page: 1,
      limit: 100,
      filters_applied: 0,
      failed: 0,
    });
  });

  it('30 days of hours pass, 31 fail that dataset alone', async () => {
    const parameters = ['summary', 'summary_metrics'];
    const range = { startDate: '2025-03-01', endDate: '2025-03-30', granularity: 'hourly' };
    const [hours] = datasetsOf(await service.query({ parameters, ...range }));
    expect(hours?.data).to.have.length(720);
    const answer = await service.query({ parameters, ...range, endDate: '2025-03-31' });
    expect(
      datasetsOf(answer).map(({ parameter, success, error }) => ({ parameter, success, error })),
    ).to.deep.equal([
      { parameter: 'summary_metrics', success: true, error: undefined },
      {
        parameter: 'summary',
        success: false,
        error:
          'With hourly granularity a range is at most 30 days; this one has 31 days. Ask for a shorter range or a wider granularity.',
      },
    ]);
  });

  for (const [day, zone, minutes] of [
    ['2025-03-30', 'Europe/Berlin', 23 * 60],
    ['2025-10-26', 'Europe/Berlin', 25 * 60],
    ['2025-04-06', 'Australia/Lord_Howe', 24 * 60 + 30],
    ['2025-04-02', 'UTC', 24 * 60],
  ] as const) {
    it(`${day} in ${zone} has ${minutes} rows by minute, and more than 24 hours are refused`, async () => {
      const ask = async (endDate: string, granularity = 'minute') => {
        const request = { parameters: ['summary'], startDate: day, endDate, granularity };
        return datasetsOf(await service.query(request, `&timezone=${zone}`))[0];
      };
      const rows = (await ask(day))?.data ?? [];
      expect(rows).to.have.length(minutes);
      expect(rows[0]?.date).to.equal(`${day} 00:00:00`);
      expect(rows.at(-1)?.date).to.equal(`${day} 23:59:00`);
      expect((await ask(day, 'minutely'))?.data).to.deep.equal(rows);
      const next = new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
      expect((await ask(`${next}T01:01:00`))?.error).to.match(
        /^With minute granularity a range is at most 24 hours; this one has 2[56] hours\./,
      );
    });
  }

  const changes: readonly [string, string, number, number][] = [
    // Clocks go from 02:00 to 03:00 at 01:00 UTC, and from 03:00 back to 02:00.
    ['2025-03-30', 'Europe/Berlin', 23, Date.parse('2025-03-29T23:00:00Z')],
    ['2025-10-26', 'Europe/Berlin', 25, Date.parse('2025-10-25T22:00:00Z')],
  ];
  for (const [day, zone, hours, midnight] of changes) {
    it(`${day} in ${zone}: ${hours} hourly rows, each event in the row of its hour, one row by day`, async () => {
      const sent = Array.from({ length: hours }, (_, hour) => midnight + hour * 3_600_000 + 1_800_000);
      const around = [midnight - 1, midnight + hours * 3_600_000];
      const changing = await startQueryService({
        log: [...sent, ...around].map((timestamp) => eventRecord({ at: new Date(timestamp).toISOString() })),
        now: GOLDEN_NOW,
      });
      try {
        const range = { startDate: day, endDate: day };
        const ask = async (granularity: string) =>
          rowsOf(
            await changing.query({ parameters: ['summary'], ...range, granularity }, `&timezone=${zone}`),
          );
        const rows = await ask('hourly');
        const instants = sent.map((timestamp) => new Date(timestamp - 1_800_000).toISOString());
        expect(rows.map(({ timestamp }) => timestamp)).to.deep.equal(instants);
        expect(rows.map(({ pageviews }) => pageviews)).to.deep.equal(sent.map(() => 1));
        const labels = rows.map(({ date }) => String(date).slice(11, 13));
        const [skipped, repeated] = [labels.includes('02'), labels.filter((label) => label === '02').length];
        expect([skipped, repeated]).to.deep.equal(hours === 23 ? [false, 0] : [true, 2]);
        expect((await ask('daily')).map(({ date, pageviews }) => [date, pageviews])).to.deep.equal([
          [day, hours],
        ]);
      } finally {
        await changing.close();
      }
    });
  }

  it('30 days of hours pass too when one of them has 25 hours', async () => {
    const range = { startDate: '2024-10-15', endDate: '2024-11-13', granularity: 'hourly' };
    const answer = await service.query({ parameters: ['summary'], ...range }, '&timezone=America/New_York');
    expect(rowsOf(answer)).to.have.length(721);
  });

  it('3,660 days pass, 3,661 fail', async () => {
    const startDate = '2015-01-01';
    const parameters = ['summary'];
    const passing = await service.query(
      { parameters, startDate, endDate: '2025-01-07' },
      '&timezone=Europe/Berlin',
    );
    expect(rowsOf(passing)).to.have.length(3660);
    const failing = await service.query(
      { parameters, startDate, endDate: '2025-01-08' },
      '&timezone=Europe/Berlin',
    );
    expect(datasetsOf(failing)[0]).to.include({ success: false });
  });

  for (const granularity of ['weekly', 'monthly']) {
    it(`3,660 days pass by ${granularity} buckets too, 3,661 fail`, async () => {
      const range = { parameters: ['summary'], startDate: '2015-01-01', granularity };
      const passing = await service.query({ ...range, endDate: '2025-01-07' });
      expect(datasetsOf(passing)[0]).to.include({ success: true });
      const failing = await service.query({ ...range, endDate: '2025-01-08' });
      expect(datasetsOf(failing)[0]?.error).to.include(
        `With ${granularity} granularity a range is at most 3660 days; this one has 3661 days.`,
      );
    });
  }

  it('reaches from the year 1 to the year 9999', async () => {
    const range = { startDate: '0001-01-01', endDate: '9999-12-31' };
    for (const zone of ['UTC', 'Europe/Berlin']) {
      expect(await events(range, `&timezone=${zone}`), zone).to.equal(18);
    }
    const century = { startDate: '0099-12-31', endDate: '0100-01-01', granularity: 'hourly' };
    const labels = await dates(century, '&timezone=Asia/Kathmandu');
    expect(labels[0]).to.equal('0099-12-31 00:00:00');
    expect(labels.at(-1)).to.equal('0100-01-01 23:00:00');
    expect(labels).to.have.length(48);
  });
});
