/** POST /v1/query with compare, worked out by hand: what each row has as `previous`, and what is cut. */
import { expect } from 'chai';
import { COMPARE_LOG, COMPARE_NOW, MARCH, views } from '../../support/query/compare-log.ts';
import { eventRecord } from '../../support/query/event.ts';
import {
  datasetsOf,
  rowsOf,
  type StartedQueryService,
  startQueryService,
} from '../../support/query/start-query-service.ts';

/** Rows of a series with what they are compared with. */
const comparedRows = (answer: Parameters<typeof rowsOf>[0]) =>
  rowsOf(answer) as unknown as readonly {
    readonly date: string;
    readonly previous: { readonly pageviews: number } | null;
  }[];

describe('POST /v1/query with compare', () => {
  let service: StartedQueryService;
  before(async () => {
    service = await startQueryService({ log: COMPARE_LOG, now: COMPARE_NOW });
  });
  after(() => service.close());

  const ask = (request: object, queryString = '') =>
    service.query({ parameters: ['pages'], ...MARCH, compare: 'previous', ...request }, queryString);
  const metaOf = ({ body }: Awaited<ReturnType<typeof ask>>) => body.meta as { compare?: object };

  it('looks the rows of a page up in the other period, also one that was tenth there, and has null for new ones', async () => {
    const answer = await ask({ limit: 3 });
    expect(metaOf(answer).compare).to.deep.equal({ startDate: '2025-03-10', endDate: '2025-03-19' });
    expect(rowsOf(answer)).to.deep.equal([
      { path: '/last', pageviews: 30, visitors: 30, previous: { pageviews: 1, visitors: 1 } },
      { path: '/new', pageviews: 29, visitors: 29, previous: null },
      { path: '/p1', pageviews: 5, visitors: 5, previous: { pageviews: 20, visitors: 20 } },
    ]);
    // Its share is of all of the other period, not of the rows that were looked up: 1 of 147 views.
    const [top] = rowsOf(await ask({ parameters: ['top_pages'], limit: 1 }));
    expect(top?.previous).to.deep.equal({ pageviews: 1, visitors: 1, percentage: 0.68 });
  });

  it('looks rows of further pages up by all that they are grouped by, texts shown for codes included', async () => {
    const request = { parameters: ['countries'], groupBy: ['browser_name'], limit: 1, page: 2 };
    expect(rowsOf(await ask(request))).to.deep.equal([
      {
        browser_name: 'Safari',
        name: 'Germany',
        country_code: 'DE',
        country_name: 'Germany',
        pageviews: 3,
        visitors: 3,
        percentage: 4.41,
        previous: { pageviews: 2, visitors: 2, percentage: 1.36 },
      },
    ]);
  });

  it('has zeros for a row of totals, and pairs up days', async () => {
    const totals = rowsOf(
      await ask({ parameters: ['summary_metrics'], startDate: '2020-01-01', endDate: '2020-01-02' }),
    );
    expect(totals[0]?.previous).to.deep.equal({
      pageviews: 0,
      unique_visitors: 0,
      visitors: 0,
      sessions: 0,
      bounce_rate: 0,
      median_session_duration: 0,
      avg_session_duration: 0,
      total_events: 0,
      pages_per_session: 0,
    });
    const days = comparedRows(await ask({ parameters: ['summary'] }));
    expect(days.slice(0, 3).map(({ date, previous }) => [date, previous?.pageviews])).to.deep.equal([
      ['2025-03-20', 144],
      ['2025-03-21', 1],
      ['2025-03-22', 2],
    ]);
  });

  it('compares today until 14:00 with yesterday until 14:00', async () => {
    const today = { preset: 'today', parameters: ['summary_metrics', 'pages', 'summary'] };
    const answer = await ask(today);
    expect(metaOf(answer).compare).to.deep.equal({
      startDate: '2025-04-01T00:00:00.000Z',
      endDate: '2025-04-01T14:00:00.000Z',
    });
    const [totals, pages, day] = datasetsOf(answer).map(({ data }) => data[0]);
    expect(totals).to.include({ pageviews: 11 });
    expect(totals?.previous).to.include({ pageviews: 6 });
    expect(pages?.previous).to.deep.equal({ pageviews: 6, visitors: 4 });
    expect(day?.previous).to.include({ pageviews: 6 });
  });

  it('cuts the hour that is running, and has nothing for those to come', async () => {
    const running = await startQueryService({
      log: COMPARE_LOG,
      now: Date.parse('2025-04-02T14:00:00.001Z'),
    });
    try {
      const request = {
        parameters: ['summary'],
        preset: 'today',
        granularity: 'hourly',
        compare: 'previous',
      };
      const hours = comparedRows(await running.query(request));
      const shown = hours.map(({ date, previous }) => [date.slice(11, 13), previous?.pageviews ?? null]);
      expect(shown.filter(([, views]) => views !== 0)).to.deep.equal([
        ['09', 4],
        ['13', 2],
        ['14', 8],
        ...Array.from({ length: 9 }, (_, index) => [String(index + 15), null]),
      ]);
    } finally {
      await running.close();
    }
  });

  it('pairs hours by what the clock shows: none for one that the other day skipped, the first for one that it had twice', async () => {
    const log = (midnight: string, hours: number) =>
      Array.from({ length: hours }, (_, hour) =>
        views(new Date(Date.parse(midnight) + hour * 3_600_000).toISOString(), '/', hour + 1),
      ).flat();
    const changing = await startQueryService({
      log: [...log('2025-03-29T23:00:00Z', 23), ...log('2025-10-25T22:00:00Z', 25)],
      now: Date.parse('2026-01-01T00:00:00Z'),
    });
    try {
      const previousOf = async (day: string) => {
        const request = {
          parameters: ['summary'],
          startDate: day,
          endDate: day,
          granularity: 'hourly',
          compare: 'previous',
        };
        const rows = comparedRows(await changing.query(request, '&timezone=Europe/Berlin'));
        return rows.map(({ previous }) => previous?.pageviews ?? null);
      };
      // 03:00 was the third hour of the short day; 02:00 the third of the long one, and 03:00 the fifth.
      expect((await previousOf('2025-03-31')).slice(0, 5)).to.deep.equal([1, 2, null, 3, 4]);
      expect((await previousOf('2025-10-27')).slice(0, 5)).to.deep.equal([1, 2, 3, 5, 6]);
      // And the other way round: the second 02:00 has no counterpart in an ordinary day.
      expect((await previousOf('2025-10-26')).slice(0, 5)).to.deep.equal([0, 0, 0, null, 0]);
    } finally {
      await changing.close();
    }
  });

  it('aligns by weekday', async () => {
    // Wednesday, 2 April until 14:00, with Wednesday before; by date with Tuesday.
    const answer = await ask({ preset: 'today', align: 'weekday' });
    expect(metaOf(answer).compare).to.deep.equal({
      startDate: '2025-03-26T00:00:00.000Z',
      endDate: '2025-03-26T14:00:00.000Z',
    });
  });

  it('gives what the same rows are over the other period asked alone', async () => {
    const parameters = ['pages', 'countries', 'summary_metrics', 'session_duration_distribution', 'summary'];
    for (const range of [MARCH, { preset: 'today' }, { preset: 'last_28d' }, { preset: 'last_24h' }]) {
      for (const compare of ['previous', 'year', { startDate: '2025-03-10', endDate: '2025-03-20' }]) {
        const compared = await ask({ ...range, parameters, compare, limit: 100 });
        const alone = await service.query({ parameters, ...metaOf(compared).compare, limit: 100 });
        const others = datasetsOf(alone);
        for (const [index, { parameter, data }] of datasetsOf(compared).entries()) {
          if (parameter === 'summary') continue;
          const rows = others[index]?.data ?? [];
          for (const { previous, ...own } of data) {
            const names = Object.keys(own).filter(
              (key) => !(key in ((previous ?? own) as unknown as object)),
            );
            const same = rows.filter((row) => names.every((name) => row[name] === own[name]));
            if (previous === null) continue;
            expect(same, `${parameter} ${JSON.stringify(own)}`).to.have.length(1);
            expect(same[0]).to.deep.include(previous as unknown as object);
          }
        }
      }
    }
  });

  it('compares a dataset with dates of its own with their other period, which it tells', async () => {
    const own = { name: 'pages', id: 'own', startDate: '2025-04-01', endDate: '2025-04-01' };
    const answer = await ask({ parameters: [own, 'pages'] });
    expect(metaOf(answer).compare).to.deep.equal({ startDate: '2025-03-10', endDate: '2025-03-19' });
    const told = (answer.body.data as { parameter: string; compare?: object }[]).map(
      ({ parameter, compare }) => [parameter, compare],
    );
    expect(told).to.deep.equal([
      ['own', { startDate: '2025-03-31', endDate: '2025-03-31' }],
      ['pages', undefined],
    ]);
  });

  it('compares today_metrics and active_stats with what was before them, whatever the dates', async () => {
    const parameters = ['today_metrics', 'active_stats'];
    const answer = await ask({ parameters });
    const [today, active] = datasetsOf(answer);
    expect(today?.data[0]?.previous).to.deep.equal({ pageviews: 6, visitors: 4, sessions: 6 });
    expect(active?.data).to.deep.equal([
      { active_users: 3, active_sessions: 3, previous: { active_users: 7, active_sessions: 7 } },
    ]);
    expect((answer.body.data as { compare: object }[])[0]?.compare).to.deep.equal({
      startDate: '2025-04-01T00:00:00.000Z',
      endDate: '2025-04-01T14:00:00.000Z',
    });
    const dated = await ask({ parameters, compare: { startDate: '2025-03-20', endDate: '2025-03-20' } });
    expect(datasetsOf(dated).map(({ data, error }) => error ?? data[0]?.previous)).to.deep.equal([
      { pageviews: 64, visitors: 30, sessions: 64 },
      'The last 5 minutes are compared with previous or year, not with dates.',
    ]);
  });

  it('has null for single events, which have no counterpart', async () => {
    const log = [eventRecord({ at: '2025-03-20T10:00:00Z', event_name: 'signup' })];
    const single = await startQueryService({ log, now: COMPARE_NOW });
    try {
      const request = { parameters: ['custom_events_recent'], ...MARCH, compare: 'previous' };
      expect(rowsOf(await single.query(request))[0]).to.include({ event_name: 'signup', previous: null });
    } finally {
      await single.close();
    }
  });
});
