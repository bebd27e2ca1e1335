/** Lists of sessions by what they came by, over a log whose answers are worked out by hand. */
import { expect } from 'chai';
import { type EventFields, eventRecord } from '../../../../support/query/event.ts';
import { GOLDEN_NOW } from '../../../../support/query/golden-log.ts';
import {
  rowsOf,
  type StartedQueryService,
  startQueryService,
} from '../../../../support/query/start-query-service.ts';

const BERLIN = '&timezone=Europe/Berlin';
/** In Berlin the 30th has 23 hours. */
const DAYS = { startDate: '2025-03-29', endDate: '2025-03-31' };

const google = { referrer: 'https://www.google.com/', referrer_host: 'google.com', referrer_group: 'search' };
const newsletter = {
  utm_source: 'newsletter',
  utm_campaign: 'may',
  referrer_host: 'google.com',
  referrer_group: 'campaign',
};
const own = { referrer: 'https://blog.shop.example/', referrer_host: null, referrer_group: 'direct' };

/**
 * | session | visitor | pageviews | duration | came by                                          |
 * | n1      | ada     | 2         | 120 s    | the newsletter, then by search; signed up        |
 * | g1      | ada     | 1         | 0 s      | search                                           |
 * | m1      | ben     | 2         | 120 s    | nothing at 23:59, over midnight of Berlin to an ad |
 * | d1      | cleo    | 1         | 0 s      | an own subdomain                                 |
 * | p1      | ben     | 1         | 0 s      | a paid post, before the skipped hour             |
 * | x1      | dan     | 0         | 0 s      | a signup on a server: no pageview                |
 */
const LOG: EventFields[] = [
  { at: '2025-03-29T10:00:00Z', session_id: 'n1', anonymous_id: 'ada', path: '/', ...newsletter },
  { at: '2025-03-29T10:01:00Z', session_id: 'n1', anonymous_id: 'ada', path: '/pricing', ...google },
  { at: '2025-03-29T10:02:00Z', session_id: 'n1', anonymous_id: 'ada', event_name: 'signup' },
  { at: '2025-03-29T18:00:00Z', session_id: 'g1', anonymous_id: 'ada', path: '/docs', ...google },
  { at: '2025-03-29T22:59:00Z', session_id: 'm1', anonymous_id: 'ben', path: '/' },
  {
    at: '2025-03-29T23:01:00Z',
    session_id: 'm1',
    anonymous_id: 'ben',
    path: '/docs',
    utm_source: 'ads',
    utm_medium: 'cpc',
    referrer_group: 'campaign',
  },
  { at: '2025-03-31T08:00:00Z', session_id: 'd1', anonymous_id: 'cleo', path: '/', ...own },
  {
    at: '2025-03-30T00:59:59.999Z',
    session_id: 'p1',
    anonymous_id: 'ben',
    path: '/',
    utm_source: 'Facebook',
    utm_medium: 'paid',
    referrer_group: 'campaign',
  },
  { at: '2025-03-31T09:00:00Z', session_id: 'x1', anonymous_id: 'dan', event_name: 'signup' },
];

describe('sessions by what they came by', () => {
  let service: StartedQueryService;
  before(async () => {
    service = await startQueryService({ log: LOG.map(eventRecord), now: GOLDEN_NOW });
  });
  after(() => service.close());

  const ask = async (name: string, request: object = {}) =>
    rowsOf(await service.query({ parameters: [name], ...DAYS, ...request }, BERLIN));
  const brief = async (name: string, request: object = {}) =>
    (await ask(name, request)).map((row) => [row.name, row.sessions, row.visitors]);
  const row = (name: string, sessions: number, pageviews: number, bounce_rate: number, median: number) => ({
    name,
    sessions,
    visitors: 1,
    pageviews,
    bounce_rate,
    median_session_duration: median,
    percentage: sessions * 20,
  });

  it('the session of the newsletter is no bounce, and later touches do not count', async () => {
    expect(await ask('session_channels')).to.deep.equal([
      { ...row('direct', 2, 3, 50, 60), visitors: 2 },
      row('email', 1, 2, 0, 120),
      row('paid_social', 1, 1, 100, 0),
      row('search', 1, 1, 100, 0),
    ]);
    expect(await ask('session_utm_campaigns')).to.deep.equal([
      { ...row('Unknown', 4, 5, 75, 0), visitors: 3 },
      row('may', 1, 2, 0, 120),
    ]);
  });

  it('its signup is under its campaign', async () => {
    const of = async (field: string, value: string) => {
      const rows = await ask('custom_events', { filters: [{ field, op: 'eq', value }] });
      return rows.map(({ name, total_events }) => [name, total_events]);
    };
    expect(await of('session_utm_campaign', 'may')).to.deep.equal([['signup', 1]]);
    expect(await of('channel', 'email')).to.deep.equal([['signup', 1]]);
    expect(await of('channel', 'search')).to.deep.equal([]);
  });

  it('a visitor of two sessions is one of each channel', async () => {
    const filters = [{ field: 'visitor_id', op: 'eq', value: 'ada' }];
    expect(await brief('session_channels', { filters })).to.deep.equal([
      ['email', 1, 1],
      ['search', 1, 1],
    ]);
    // Of the visitor, by either of them.
    const ofVisitor = [{ field: 'channel', op: 'eq', value: 'email', of: 'visitor' }];
    expect(await brief('session_channels', { filters: ofVisitor })).to.deep.equal([
      ['email', 1, 1],
      ['search', 1, 1],
    ]);
  });

  it('a source is the utm_source, else the host; own pages are no referrers', async () => {
    expect(await brief('session_sources')).to.deep.equal([
      ['Direct', 2, 2],
      ['Facebook', 1, 1],
      ['google.com', 1, 1],
      ['newsletter', 1, 1],
    ]);
    expect(await brief('session_referrers')).to.deep.equal([
      ['Direct', 3, 2],
      ['google.com', 2, 1],
    ]);
    expect(await brief('session_utm_mediums')).to.deep.equal([
      ['Unknown', 4, 3],
      ['paid', 1, 1],
    ]);
  });

  it('a session across midnight came on each day by its first pageview of the day', async () => {
    const on = (day: string) => brief('session_channels', { startDate: day, endDate: day });
    expect(await on('2025-03-29')).to.deep.equal([
      ['direct', 1, 1],
      ['email', 1, 1],
      ['search', 1, 1],
    ]);
    // 23 hours: m1 after midnight by an ad, p1 right before the skipped hour.
    expect(await on('2025-03-30')).to.deep.equal([
      ['paid_other', 1, 1],
      ['paid_social', 1, 1],
    ]);
  });

  it('sessions by the page that they enter by', async () => {
    expect(await brief('session_entry_pages')).to.deep.equal([
      ['/', 4, 3],
      ['/docs', 1, 1],
    ]);
  });

  it('a filter of events cuts sessions before their first pageview is looked at', async () => {
    const pricing = { field: 'path', op: 'eq', value: '/pricing' };
    expect(await brief('session_channels', { filters: [pricing] })).to.deep.equal([['search', 1, 1]]);
    expect(await brief('session_channels', { filters: [{ ...pricing, of: 'session' }] })).to.deep.equal([
      ['email', 1, 1],
    ]);
  });
});
