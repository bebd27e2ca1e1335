/** Datasets with arguments over the golden shop log, each answer worked out by hand. */
import { expect } from 'chai';
import { DATASETS } from '../../../services/query/datasets/index.ts';
import { asked } from '../../support/query/asked-datasets.ts';
import { eventRecord } from '../../support/query/event.ts';
import { GOLDEN_NOW } from '../../support/query/golden-log.ts';
import { GOLDEN_SHOP_ANSWERS } from '../../support/query/golden-shop-answers.ts';
import { GOLDEN_SHOP_LOG } from '../../support/query/golden-shop-log.ts';
import {
  datasetsOf,
  rowsOf,
  type StartedQueryService,
  startQueryService,
} from '../../support/query/start-query-service.ts';

const JANUARY = { startDate: '2025-01-15', endDate: '2025-01-16' };

/** A session that two people share, an event of it from a server, which names nobody, and Anna on another website. */
const FURTHER = [
  { at: '2025-02-01T10:00:00.000Z', anonymous_id: 'first', session_id: 'shared', path: '/' },
  { at: '2025-02-01T10:01:00.000Z', anonymous_id: 'second', session_id: 'shared', path: '/a' },
  { at: '2025-02-01T10:02:00.000Z', event_name: 'paid', anonymous_id: null, session_id: 'shared' },
  { at: '2025-01-15T10:00:00.000Z', website_id: 'web_b', anonymous_id: 'anna', session_id: 'elsewhere' },
].map((fields) => eventRecord(fields));

describe('datasets with arguments over the golden shop log', () => {
  let service: StartedQueryService;
  before(async () => {
    service = await startQueryService({ log: [...GOLDEN_SHOP_LOG, ...FURTHER], now: GOLDEN_NOW });
  });
  after(() => service.close());

  const rows = async (parameter: object, request: object = {}, queryString = '') =>
    rowsOf(await service.query({ parameters: [parameter], ...JANUARY, ...request }, queryString));

  it('visitor_sessions: the rows of sessions that are of the visitor', async () => {
    const [a2, b1, a1] = GOLDEN_SHOP_ANSWERS.sessions ?? [];
    expect(await rows({ name: 'visitor_sessions', visitorId: 'anna' })).to.deep.equal([a2, a1]);
    expect(await rows({ name: 'visitor_sessions', visitorId: 'ben' })).to.deep.equal([b1]);
    // Xaver's session has no pageview.
    for (const visitorId of ['xaver', 'nobody', "' OR 1=1 --"])
      expect(await rows({ name: 'visitor_sessions', visitorId })).to.deep.equal([]);
  });

  it('visitor_sessions: a session is whole, also events that name nobody or somebody else', async () => {
    const february = { startDate: '2025-02-01', endDate: '2025-02-01' };
    for (const visitorId of ['first', 'second']) {
      const [row, ...others] = await rows({ name: 'visitor_sessions', visitorId }, february);
      expect(others).to.deep.equal([]);
      expect(row).to.include({ session_id: 'shared', duration: 120, page_views: 2, visitor_id: 'first' });
    }
  });

  it('visitor_sessions: obeys dates, filters, order and pages, and no other website', async () => {
    const anna = { name: 'visitor_sessions', visitorId: 'anna' };
    const ids = async (request: object, queryString = '') =>
      (await rows(anna, request, queryString)).map(({ session_id }) => session_id);
    expect(await ids({ endDate: '2025-01-15' })).to.deep.equal(['a1']);
    expect(await ids({ filters: [{ field: 'path', op: 'eq', value: '/cart' }] })).to.deep.equal(['a1']);
    expect(await ids({ sortBy: 'first_visit', sortOrder: 'asc' })).to.deep.equal(['a1', 'a2']);
    expect(await ids({ limit: 1, page: 2 })).to.deep.equal(['a1']);
    const elsewhere = await service.call('/v1/query?website_id=web_b', {
      method: 'POST',
      body: { parameters: [anna], ...JANUARY },
    });
    expect(rowsOf(elsewhere).map(({ session_id }) => session_id)).to.deep.equal(['elsewhere']);
  });

  it('session_events: every event in the order of its instant, with the seconds until the next one', async () => {
    const b1 = { name: 'session_events', sessionId: 'b1' };
    const eleven = { timestamp: '2025-01-15T11:00:00.000Z', title: null, properties: null };
    // All at once: by name, path, title, referrer and properties.
    const found = await rows(b1);
    expect(found.map(({ event_name, until_next }) => [event_name, until_next])).to.deep.equal([
      ['error', 0],
      ['outgoing_link', 0],
      ['outgoing_link', 0],
      ['screen_view', null],
    ]);
    expect(found[3]).to.deep.equal({
      ...eleven,
      event_name: 'screen_view',
      path: '/shop',
      referrer: 'https://google.com/search?q=b',
      until_next: null,
    });
    const x1 = await rows({ name: 'session_events', sessionId: 'x1' });
    expect(x1.map((row) => [row.timestamp, row.properties, row.until_next])).to.deep.equal([
      ['2025-01-16T12:00:00.000Z', { plan: 'pro', seats: 3, tags: ['a'], none: null }, 5],
      ['2025-01-16T12:00:05.000Z', { plan: 'pro' }, null],
    ]);
    expect(await rows({ name: 'session_events', sessionId: 'none' })).to.deep.equal([]);
  });

  it('session_events: filters leave events out, not the time until the next one; pages follow on', async () => {
    const a1 = { name: 'session_events', sessionId: 'a1' };
    const filters = [{ field: 'event_name', op: 'eq', value: 'screen_view' }];
    const found = await rows(a1, { filters });
    expect(found.map(({ path, until_next }) => [path, until_next])).to.deep.equal([
      ['/', 0], // a vital at the same instant
      ['/shop', 60.5],
      ['/cart', null],
    ]);
    const whole = await rows(a1);
    const pages = [await rows(a1, { limit: 5 }), await rows(a1, { limit: 5, page: 2 })];
    expect(pages.flat()).to.deep.equal(whole.slice(0, 10));
    expect(await rows(a1, { startDate: '2025-01-16' })).to.deep.equal([]);
    const latest = await rows(a1, { sortBy: 'until_next', limit: 1 });
    expect(latest[0]).to.include({ path: '/shop', until_next: 60.5 });
  });

  it('each is refused under a short link, by itself', async () => {
    const linked = await startQueryService({
      log: GOLDEN_SHOP_LOG,
      now: GOLDEN_NOW,
      findLink: async () => ({ websiteId: 'web_a' }),
    });
    try {
      const parameters = DATASETS.flatMap((dataset) => (dataset.arguments ? [asked(dataset.names[0])] : []));
      const answer = await linked.call('/v1/query?link_id=lnk_1', {
        method: 'POST',
        body: { parameters, ...JANUARY },
      });
      expect(answer.headers.get('x-query-failed')).to.equal(String(parameters.length));
      for (const { error } of datasetsOf(answer)) expect(error).to.include('is not of short links');
    } finally {
      await linked.close();
    }
  });
});
