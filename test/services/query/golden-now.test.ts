/** Datasets of the last minutes, whatever the dates: each answer worked out by hand. */
import { expect } from 'chai';
import { eventRecord } from '../../support/query/event.ts';
import { expectError } from '../../support/query/expect-error.ts';
import {
  datasetsOf,
  rowsOf,
  type StartedQueryService,
  startQueryService,
} from '../../support/query/start-query-service.ts';

const NOW = Date.parse('2025-04-02T10:00:00.000Z');
const ada = { anonymous_id: 'ada', session_id: 'a1', country: 'DE' };
const ben = { anonymous_id: 'ben', session_id: 'b1', country: 'FR', city: 'Paris', device_type: 'mobile' };

const LOG = [
  { at: '2025-04-02T09:29:59.999Z', path: '/before' },
  { at: '2025-04-02T09:30:00.000Z', path: '/first', anonymous_id: 'zoe', session_id: 'z1' },
  { at: '2025-04-02T09:54:59.999Z', path: '/old', anonymous_id: 'zoe', session_id: 'z1' },
  {
    at: '2025-04-02T09:55:00.000Z',
    path: '/',
    title: 'Home',
    ...ada,
    referrer: 'https://google.com/',
    referrer_host: 'google.com',
    referrer_group: 'search',
  },
  { at: '2025-04-02T09:56:00.000Z', path: '/a', ...ada },
  { at: '2025-04-02T09:57:00.000Z', path: '/', ...ben },
  { at: '2025-04-02T09:58:00.000Z', event_name: 'signup', properties: '{"plan":"pro"}', ...ben },
  { at: '2025-04-02T09:59:00.000Z', path: '/', anonymous_id: 'crawler', is_bot: true },
  { at: '2025-04-02T10:00:00.000Z', event_name: 'paid' },
  { at: '2025-04-02T10:00:00.001Z', path: '/soon', ...ben },
].map((fields) => eventRecord(fields));

describe('datasets of now', () => {
  let service: StartedQueryService;
  before(async () => {
    service = await startQueryService({ log: LOG, now: NOW });
  });
  after(() => service.close());

  const rows = async (name: string, request: object = {}) =>
    rowsOf(await service.query({ parameters: [name], ...request }));

  it('active_now: who and what there was in the last 5 minutes', async () => {
    expect(await rows('active_now')).to.deep.equal([
      { visitors: 2, sessions: 2, pageviews: 3, total_events: 5 },
    ]);
    const filters = [{ field: 'country', op: 'eq', value: 'FR' }];
    expect(await rows('active_now', { filters })).to.deep.equal([
      { visitors: 1, sessions: 1, pageviews: 1, total_events: 2 },
    ]);
  });

  it('active_pages, active_sources, active_countries: by visitors, of pageviews', async () => {
    expect(await rows('active_pages')).to.deep.equal([
      { name: '/', visitors: 2, pageviews: 2 },
      { name: '/a', visitors: 1, pageviews: 1 },
    ]);
    expect(await rows('active_sources')).to.deep.equal([
      { name: 'Direct', visitors: 2, pageviews: 2 },
      { name: 'google.com', visitors: 1, pageviews: 1 },
    ]);
    expect(await rows('active_countries')).to.deep.equal([
      { name: 'DE', visitors: 1, pageviews: 2 },
      { name: 'FR', visitors: 1, pageviews: 1 },
    ]);
    expect(await rows('active_pages', { groupBy: 'country', limit: 1 })).to.deep.equal([
      { country: 'DE', name: '/', visitors: 1, pageviews: 1 },
    ]);
  });

  it('events_live: events of any name of the last 30 minutes, the latest first', async () => {
    const found = await rows('events_live');
    expect(found.map(({ timestamp, event_name, path }) => [timestamp, event_name, path])).to.deep.equal([
      ['2025-04-02T10:00:00.000Z', 'paid', null],
      ['2025-04-02T09:58:00.000Z', 'signup', null],
      ['2025-04-02T09:57:00.000Z', 'screen_view', '/'],
      ['2025-04-02T09:56:00.000Z', 'screen_view', '/a'],
      ['2025-04-02T09:55:00.000Z', 'screen_view', '/'],
      ['2025-04-02T09:54:59.999Z', 'screen_view', '/old'],
      ['2025-04-02T09:30:00.000Z', 'screen_view', '/first'],
    ]);
    const nothing = { title: null, referrer: null, browser_name: null, os_name: null };
    expect(found[1]).to.deep.equal({
      timestamp: '2025-04-02T09:58:00.000Z',
      event_name: 'signup',
      path: null,
      ...nothing,
      country: 'FR',
      city: 'Paris',
      device_type: 'mobile',
      properties: { plan: 'pro' },
      anonymous_id: 'ben',
      session_id: 'b1',
    });
    expect(found[4]).to.include({ title: 'Home', referrer: 'https://google.com/' });
    const filters = [{ field: 'event_name', op: 'ne', value: 'screen_view' }];
    expect((await rows('events_live', { filters })).map(({ event_name }) => event_name)).to.deep.equal([
      'paid',
      'signup',
    ]);
  });

  it('need no dates, and are the same with any', async () => {
    const parameters = ['active_now', 'active_pages', 'active_sources', 'active_countries', 'events_live'];
    const undated = await service.query({ parameters });
    const dated = await service.query({ parameters, startDate: '2020-01-01', endDate: '2020-01-01' });
    expect(datasetsOf(undated)).to.deep.equal(datasetsOf(dated));
  });

  it('a key of other websites is told nothing', async () => {
    const answer = await service.call('/v1/query?website_id=web_a', {
      method: 'POST',
      body: { parameters: ['active_now', 'events_live'] },
      as: 'no-websites',
    });
    expectError(answer, 403, 'ACCESS_DENIED');
    const elsewhere = await service.call('/v1/query?website_id=web_b', {
      method: 'POST',
      body: { parameters: ['events_live'] },
    });
    expect(rowsOf(elsewhere)).to.deep.equal([]);
  });
});
