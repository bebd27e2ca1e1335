/** Every dataset over the hand-written log, each answer worked out by hand (test/support/query/golden-log.ts). */
import { expect } from 'chai';
import { describeOnEngines } from '../../support/query/engines.ts';
import { GOLDEN_LOG, GOLDEN_NOW } from '../../support/query/golden-log.ts';
import { rowsOf, type StartedQueryService } from '../../support/query/start-query-service.ts';

const MARCH = { startDate: '2025-03-29', endDate: '2025-03-31' };
const BERLIN = '&timezone=Europe/Berlin';
const NEW_YORK = '&timezone=America/New_York';

describeOnEngines('datasets over the golden log', (start) => {
  let service: StartedQueryService;
  before(async () => {
    service = await start({ log: GOLDEN_LOG, now: GOLDEN_NOW });
  });

  const rows = async (name: string, request: object = {}, queryString = '') =>
    rowsOf(await service.query({ parameters: [name], ...MARCH, ...request }, queryString));

  for (const name of ['summary', 'events_by_date']) {
    it(`${name}: counts by day in UTC, a session once, in the bucket of its first event`, async () => {
      expect(await rows(name)).to.deep.equal([
        {
          date: '2025-03-29',
          pageviews: 4,
          visitors: 2,
          sessions: 3, // s1, s10, s2
          bounce_rate: 66.67, // s10 and s2 of 3
          median_session_duration: 60, // of 0, 60, 120
          pages_per_session: 1.33, // 4 of 3
        },
        {
          date: '2025-03-30',
          pageviews: 4,
          visitors: 2, // v1, v3
          sessions: 3, // s3, s4, s5
          bounce_rate: 66.67, // s4 and s5 of 3
          median_session_duration: 25.01, // of 0, 25.010, 36000
          pages_per_session: 1.33,
        },
        {
          date: '2025-03-31',
          pageviews: 1,
          visitors: 2, // v3 (purchase), v4
          sessions: 0, // s5 began on the 30th
          bounce_rate: 0,
          median_session_duration: 0,
          pages_per_session: 0,
        },
      ]);
    });
  }

  it('summary: cuts days on the wall clock of the timezone, a day of 23 hours is one bucket', async () => {
    expect(await rows('summary', {}, BERLIN)).to.deep.equal([
      {
        date: '2025-03-29',
        pageviews: 4,
        visitors: 2,
        sessions: 3, // s1, s10, s2
        bounce_rate: 66.67,
        median_session_duration: 60,
        pages_per_session: 1.33,
      },
      {
        date: '2025-03-30',
        pageviews: 3,
        visitors: 3, // v2 (signup at 00:00:30), v1, v3
        sessions: 2, // s3, s4
        bounce_rate: 50, // s4
        median_session_duration: 12.51, // (0 + 25.010) / 2 = 12.505, half away from zero
        pages_per_session: 1.5,
      },
      {
        date: '2025-03-31',
        pageviews: 2,
        visitors: 2,
        sessions: 1, // s5
        bounce_rate: 100,
        median_session_duration: 36_000,
        pages_per_session: 2,
      },
    ]);
  });

  it('summary: a day of 23 hours has 23 hourly rows, the skipped hour none', async () => {
    const day = { startDate: '2025-03-30', endDate: '2025-03-30', granularity: 'hourly' };
    const hours = await rows('summary', day, BERLIN);
    expect(hours).to.have.length(23);
    expect(hours.map(({ date }) => date).slice(0, 4)).to.deep.equal([
      '2025-03-30 00:00:00',
      '2025-03-30 01:00:00',
      '2025-03-30 03:00:00',
      '2025-03-30 04:00:00',
    ]);
    expect(hours[1]).to.deep.equal({
      date: '2025-03-30 01:00:00',
      timestamp: '2025-03-30T00:00:00.000Z',
      pageviews: 1, // 01:59:59.999
      visitors: 1,
      sessions: 1, // s3
      bounce_rate: 0,
      median_session_duration: 25.01,
      pages_per_session: 1,
    });
    expect(hours[2]).to.deep.equal({
      date: '2025-03-30 03:00:00',
      timestamp: '2025-03-30T01:00:00.000Z',
      pageviews: 1, // 03:00:00.000
      visitors: 1,
      sessions: 0, // s3 belongs to the hour before
      bounce_rate: 0,
      median_session_duration: 0,
      pages_per_session: 0,
    });
    expect(hours[3]).to.include({ pageviews: 0, visitors: 0, sessions: 0, median_session_duration: 0 });
    expect(hours[22]).to.include({ date: '2025-03-30 23:00:00', pageviews: 1, sessions: 1 });
  });

  it('summary: a day of 25 hours has 25 hourly rows, the repeated hour two', async () => {
    const day = { startDate: '2024-11-03', endDate: '2024-11-03' };
    const hours = await rows('summary', { ...day, granularity: 'hour' }, NEW_YORK);
    expect(hours).to.have.length(25);
    expect(hours[1]).to.include({
      date: '2024-11-03 01:00:00',
      timestamp: '2024-11-03T05:00:00.000Z',
      pageviews: 1,
      sessions: 1,
    });
    expect(hours[2]).to.include({
      date: '2024-11-03 01:00:00',
      timestamp: '2024-11-03T06:00:00.000Z',
      pageviews: 1,
      sessions: 0,
    });
    const [whole, ...others] = await rows('summary', day, NEW_YORK);
    expect(others).to.deep.equal([]);
    expect(whole).to.include({ date: '2024-11-03', pageviews: 3, visitors: 2, sessions: 2, bounce_rate: 50 });
    // Durations 3600 and 0.
    expect(whole).to.include({ median_session_duration: 1800, pages_per_session: 1.5 });
  });

  it('summary: weeks are named by their Sunday, months by their first, even outside the range', async () => {
    const weeks = await rows('summary', { granularity: 'weekly' });
    expect(weeks.map((row) => [row.date, row.pageviews, row.sessions])).to.deep.equal([
      ['2025-03-23', 4, 3],
      ['2025-03-30', 5, 3],
    ]);
    const range = { startDate: '2025-02-15', endDate: '2025-04-01', granularity: 'month' };
    const months = await rows('summary', range);
    expect(months.map((row) => [row.date, row.pageviews, row.visitors, row.sessions])).to.deep.equal([
      ['2025-02-01', 0, 0, 0],
      ['2025-03-01', 9, 4, 6],
      ['2025-04-01', 0, 0, 0],
    ]);
  });

  it('summary_metrics: exactly one row over the whole range', async () => {
    expect(await rows('summary_metrics')).to.deep.equal([
      {
        pageviews: 9,
        unique_visitors: 4,
        visitors: 4,
        sessions: 6,
        bounce_rate: 66.67, // s10, s2, s4, s5 of 6
        median_session_duration: 42.51, // (25.010 + 60) / 2 = 42.505
        avg_session_duration: 42.51,
        total_events: 15,
        pages_per_session: 1.5, // 9 of 6
      },
    ]);
  });

  it('summary_metrics and custom_events_summary: a row of zeros when nothing happened', async () => {
    const nothing = { startDate: '2025-01-01', endDate: '2025-01-01' };
    expect(await rows('summary_metrics', nothing)).to.deep.equal([
      {
        pageviews: 0,
        unique_visitors: 0,
        visitors: 0,
        sessions: 0,
        bounce_rate: 0,
        median_session_duration: 0,
        avg_session_duration: 0,
        total_events: 0,
        pages_per_session: 0,
      },
    ]);
    expect(await rows('custom_events_summary', nothing)).to.deep.equal([
      { total_events: 0, unique_event_types: 0, unique_users: 0, unique_sessions: 0, unique_pages: 0 },
    ]);
  });

  it('pages: by pageviews, ties by path; a missing path is Unknown', async () => {
    expect(await rows('pages')).to.deep.equal([
      { path: '/', pageviews: 4, visitors: 3 },
      { path: '/pricing', pageviews: 2, visitors: 2 },
      { path: '/100%_off', pageviews: 1, visitors: 1 },
      { path: '/docs', pageviews: 1, visitors: 1 },
      { path: 'Unknown', pageviews: 1, visitors: 1 },
    ]);
  });

  it('traffic: by group and host; no referrer and the own domain are Direct', async () => {
    expect(await rows('traffic')).to.deep.equal([
      { source: 'direct', referrer: 'Direct', pageviews: 4, visitors: 3, percentage: 44.44 },
      { source: 'referral', referrer: 'blog.example', pageviews: 2, visitors: 1, percentage: 22.22 },
      { source: 'campaign', referrer: 'Direct', pageviews: 1, visitors: 1, percentage: 11.11 },
      { source: 'campaign', referrer: 'mail.example', pageviews: 1, visitors: 1, percentage: 11.11 },
      { source: 'search', referrer: 'google.com', pageviews: 1, visitors: 1, percentage: 11.11 },
    ]);
  });

  it('custom_events: every name that is not reserved, with users, sessions, times and shares', async () => {
    expect(await rows('custom_events')).to.deep.equal([
      {
        name: 'purchase',
        total_events: 2,
        unique_users: 1, // one came from a server
        unique_sessions: 1,
        first_occurrence: '2025-03-31T08:00:00.000Z',
        last_occurrence: '2025-03-31T12:00:00.000Z',
        events_with_properties: 2,
        percentage: 40,
      },
      {
        name: 'signup',
        total_events: 2,
        unique_users: 2,
        unique_sessions: 2,
        first_occurrence: '2025-03-29T09:02:00.000Z',
        last_occurrence: '2025-03-29T23:00:30.000Z',
        events_with_properties: 1,
        percentage: 40,
      },
      {
        name: 'ping',
        total_events: 1,
        unique_users: 1,
        unique_sessions: 0, // its session is empty text
        first_occurrence: '2025-03-31T13:00:00.000Z',
        last_occurrence: '2025-03-31T13:00:00.000Z',
        events_with_properties: 0, // its properties are {}
        percentage: 20,
      },
    ]);
  });

  it('custom_events_summary: totals over all custom events', async () => {
    expect(await rows('custom_events_summary')).to.deep.equal([
      {
        total_events: 5,
        unique_event_types: 3,
        unique_users: 4,
        unique_sessions: 3, // s1, s2, s5
        unique_pages: 3, // /pricing, /, /checkout
      },
    ]);
  });

  it('shares and sessions are those of the filtered events', async () => {
    const filters = [{ field: 'path', op: 'eq', value: '/' }];
    // Pageviews of /: direct (v1), search (v2), campaign (v1), referral (v3).
    expect(await rows('traffic', { filters })).to.deep.equal([
      { source: 'campaign', referrer: 'Direct', pageviews: 1, visitors: 1, percentage: 25 },
      { source: 'direct', referrer: 'Direct', pageviews: 1, visitors: 1, percentage: 25 },
      { source: 'referral', referrer: 'blog.example', pageviews: 1, visitors: 1, percentage: 25 },
      { source: 'search', referrer: 'google.com', pageviews: 1, visitors: 1, percentage: 25 },
    ]);
    // On /: s1 once, s2 twice in 60 s, s3 twice in 25.009 s, s5 once; each with one pageview.
    const [metrics] = await rows('summary_metrics', { filters });
    expect(metrics).to.include({ sessions: 4, bounce_rate: 100, total_events: 7 });
    expect(metrics).to.include({ median_session_duration: 12.5 }); // (0 + 25.009) / 2 = 12.5045
  });
});
