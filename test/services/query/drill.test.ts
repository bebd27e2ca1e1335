/** Filters that keep whole sessions and visitors, and groups of filters, over a log whose answers are worked out by hand. */
import { expect } from 'chai';
import fc from 'fast-check';
import { eventRecord } from '../../support/query/event.ts';
import { GOLDEN_NOW } from '../../support/query/golden-log.ts';
import { anySingle } from '../../support/query/naive/filters.ts';
import {
  datasetsOf,
  rowsOf,
  type StartedQueryService,
  startQueryService,
} from '../../support/query/start-query-service.ts';

const DAYS = { startDate: '2025-01-15', endDate: '2025-01-16' };
const newsletter = { field: 'utm_source', op: 'eq', value: 'newsletter' };

/** s1 came by the newsletter, viewed two pages and signed up; s2 is ada again, s3 spans midnight; then no session. */
const LOG = [
  { at: '2025-01-15T10:00:00Z', session_id: 's1', anonymous_id: 'ada', path: '/', utm_source: 'newsletter' },
  { at: '2025-01-15T10:01:00Z', session_id: 's1', anonymous_id: 'ada', path: '/pricing' },
  {
    at: '2025-01-15T10:02:00Z',
    session_id: 's1',
    anonymous_id: 'ada',
    event_name: 'signup',
    properties: '{"seats":3}',
  },
  { at: '2025-01-15T12:00:00Z', session_id: 's2', anonymous_id: 'ada', path: '/docs' },
  { at: '2025-01-15T23:59:00Z', session_id: 's3', anonymous_id: 'ben', path: '/', utm_source: 'ads' },
  {
    at: '2025-01-16T00:01:00Z',
    session_id: 's3',
    anonymous_id: 'ben',
    path: '/docs',
    properties: '{"seats":"9"}',
  },
  { at: '2025-01-16T09:00:00Z', path: '/', utm_source: 'newsletter' },
].map(eventRecord);

describe('filters that drill', () => {
  let service: StartedQueryService;
  before(async () => {
    service = await startQueryService({ log: LOG, now: GOLDEN_NOW });
  });
  after(() => service.close());

  const ask = async (name: string, filters: readonly object[], dates: object = DAYS) =>
    rowsOf(await service.query({ parameters: [name], ...DAYS, ...dates, filters }));
  /** Events, sessions and bounce rate. */
  const summary = async (filters: readonly object[], dates: object = DAYS) => {
    const [row] = await ask('summary_metrics', filters, dates);
    return [row?.total_events, row?.sessions, row?.bounce_rate];
  };

  it('of session: the session of the newsletter is no bounce, and its signup counts', async () => {
    expect(await summary([newsletter])).to.deep.equal([2, 1, 100]);
    const filters = [{ ...newsletter, of: 'session' }];
    expect(await ask('summary_metrics', filters)).to.deep.equal([
      {
        pageviews: 2,
        unique_visitors: 1,
        visitors: 1,
        sessions: 1,
        bounce_rate: 0,
        median_session_duration: 120,
        avg_session_duration: 120,
        total_events: 3,
        pages_per_session: 2,
      },
    ]);
    expect(
      (await ask('custom_events', filters)).map(({ name, total_events }) => [name, total_events]),
    ).to.deep.equal([['signup', 1]]);
    expect((await ask('exit_pages', filters)).map(({ name }) => name)).to.deep.equal(['/pricing']);
  });

  it('of visitor: both sessions of the visitor are kept', async () => {
    expect(await summary([{ ...newsletter, of: 'visitor' }])).to.deep.equal([4, 2, 50]);
  });

  it('a session that spans midnight is kept by what it did in range alone', async () => {
    const ads = [{ field: 'utm_source', op: 'eq', value: 'ads', of: 'session' }];
    expect(await summary(ads)).to.deep.equal([2, 1, 0]);
    expect(await summary(ads, { startDate: '2025-01-15', endDate: '2025-01-15' })).to.deep.equal([1, 1, 100]);
    expect(await summary(ads, { startDate: '2025-01-16', endDate: '2025-01-16' })).to.deep.equal([0, 0, 0]);
  });

  it('an event without a session or visitor is kept by none, but by the complement', async () => {
    const without = { not: { ...newsletter, of: 'session' } };
    expect(await summary([without])).to.deep.equal([4, 2, 50]);
    expect(
      await summary([
        { ...newsletter, of: 'visitor' },
        { field: 'session_id', op: 'missing' },
      ]),
    ).to.deep.equal([0, 0, 0]);
  });

  it('several filters of a session may be met by different events of it, of any name', async () => {
    const filters = [
      { ...newsletter, of: 'session' },
      { field: 'event_name', op: 'eq', value: 'signup', of: 'session' },
    ];
    expect((await ask('pages', filters)).map(({ path }) => path)).to.deep.equal(['/', '/pricing']);
    const noEvent = [newsletter, { field: 'path', op: 'eq', value: '/pricing' }];
    expect(await ask('pages', noEvent)).to.deep.equal([]);
  });

  it('groups: any, all and not, three deep', async () => {
    const docs = { field: 'path', op: 'eq', value: '/docs' };
    expect(await summary([{ any: [newsletter, docs] }])).to.deep.equal([4, 3, 100]);
    expect(
      await summary([{ all: [docs, { not: { field: 'visitor_id', op: 'eq', value: 'ben' } }] }]),
    ).to.deep.equal([1, 1, 100]);
    expect(await summary([{ not: { any: [{ all: [newsletter, docs] }, docs] } }])).to.deep.equal([5, 2, 50]);
    const answer = await service.query({
      parameters: ['pages'],
      ...DAYS,
      filters: [{ any: [newsletter, docs] }],
    });
    expect(answer.body.meta).to.include({ filters_applied: 2 });
  });

  it('missing, present, matches and numbers', async () => {
    const kept = async (filter: object) => (await summary([filter]))[0];
    expect(await kept({ field: 'path', op: 'missing' })).to.equal(1);
    expect(await kept({ field: 'path', op: 'present' })).to.equal(6);
    expect(await kept({ field: 'path', op: 'matches', value: '^/(docs|pricing)$' })).to.equal(3);
    expect(await kept({ field: 'path', op: 'matches', value: 'DOCS' })).to.equal(0);
    expect(await kept({ field: 'path', op: 'matches', value: '(?i)DOCS' })).to.equal(2);
    // A text of digits is no number.
    expect(await kept({ field: 'properties.seats', op: 'gte', value: 3 })).to.equal(1);
    expect(await kept({ field: 'properties.seats', op: 'gt', value: 3 })).to.equal(0);
    expect(await kept({ field: 'properties.seats', op: 'lt', value: 3.5 })).to.equal(1);
    expect(await kept({ field: 'entry_path', op: 'eq', value: '/' })).to.equal(5);
    expect(await kept({ field: 'exit_path', op: 'eq', value: '/docs', of: 'visitor' })).to.equal(6);
  });

  it('fields of numbers take numbers in any spelling', async () => {
    const timed = eventRecord({
      at: '2025-02-01T10:00:00Z',
      website_id: 'web_b',
      load_time: 16.5,
      lineno: 16,
    });
    await service.events.append([timed]);
    const kept = async (filter: object) => {
      const body = {
        parameters: ['summary_metrics'],
        startDate: '2025-02-01',
        endDate: '2025-02-01',
        filters: [filter],
      };
      const answer = await service.call('/v1/query?website_id=web_b', { method: 'POST', body });
      return rowsOf(answer)[0]?.total_events;
    };
    for (const value of [16.5, '16.5', '1.65e1', ' 16.50 ']) {
      expect(await kept({ field: 'load_time', op: 'eq', value })).to.equal(1);
      expect(await kept({ field: 'load_time', op: 'not_in', value: [value, 1e300] })).to.equal(0);
    }
    expect(await kept({ field: 'lineno', op: 'in', value: ['0x10', -1e300] })).to.equal(1);
    expect(await kept({ field: 'lineno', op: 'lt', value: 1e300 })).to.equal(1);
    expect(await kept({ field: 'lineno', op: 'gte', value: 16.000_1 })).to.equal(0);
    expect(await kept({ field: 'ttfb', op: 'missing' })).to.equal(1);
    expect(await kept({ field: 'ttfb', op: 'ne', value: 0 })).to.equal(1);
  });

  it('refuses alone a dataset whose field does not take the operator or value', async () => {
    const errorOf = async (filter: object) =>
      datasetsOf(await service.query({ parameters: ['pages'], ...DAYS, filters: [{ any: [filter] }] }))[0]
        ?.error;
    expect(await errorOf({ field: 'path', op: 'gt', value: 3 })).to.match(
      /^The operator gt is not for the field "path"/,
    );
    expect(await errorOf({ field: 'load_time', op: 'eq', value: 'fast' })).to.equal(
      'The field "load_time" holds numbers; "fast" is none.',
    );
    expect(await errorOf({ field: 'nonsense', op: 'missing', of: 'session' })).to.match(
      /^The session has no filter field "nonsense"/,
    );
  });

  it('finds events without a value beside another test of it', async () => {
    const all = (await summary([]))[0];
    for (const [field, value] of [
      ['scroll_depth', 0],
      ['utm_term', 'x'],
    ]) {
      const isNot = { field, op: 'ne', value };
      const others = typeof value === 'number' ? ['gt', 'lt', 'eq', 'ne'] : ['eq', 'ne', 'contains'];
      for (const op of others) {
        expect((await summary([{ any: [isNot, { field, op, value }] }]))[0], `${field} ${op}`).to.equal(all);
        expect((await summary([{ not: { any: [isNot, { field, op, value }] } }]))[0]).to.equal(0);
      }
    }
  });

  it('another member of any never loses events, another filter of a session never gains some', () =>
    fc.assert(
      fc.asyncProperty(anySingle, anySingle, async (first, second) => {
        const total = async (filters: readonly object[]) => Number((await summary(filters))[0]);
        const alone = await total([{ any: [first] }]);
        expect(await total([{ any: [first, second] }])).to.be.at.least(alone);
        expect(await total([first, { ...second, of: 'session' }])).to.be.at.most(alone);
        expect((await total([{ not: first }])) + alone).to.equal(LOG.length);
      }),
      { numRuns: 60 },
    )).timeout(60_000);
});
