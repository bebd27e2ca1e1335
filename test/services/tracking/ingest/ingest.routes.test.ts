/** What each ingest route answers, and that all of them make the same record of the same event. */
import { expect } from 'chai';
import { PUBLIC_CALLER } from '../../../../services/shared/access/caller.ts';
import type { RawRow } from '../../../../services/shared/ports/event-store.ts';
import { createTrackingFixture, expectError, type TrackingFixture, toAnswer } from '../tracking-fixture.ts';

/** An event with every field that all routes carry; numbers and truths too, so that the pixel must tell them from text. */
const FULL = {
  timestamp: Date.UTC(2026, 6, 1, 8, 20, 30, 456),
  anonymousId: 'visitor',
  sessionId: 'session',
  profileId: 'profile',
  eventId: 'event',
  path: 'https://www.example.com/shop/?utm_source=news&x=1#top',
  referrer: 'https://www.google.com/search',
  title: 'Shop & more',
  utm_medium: 'mail',
  properties: { a: [1, { b: null }] },
  namespace: 'billing',
  source: 'page',
  screen_resolution: '1920x1080',
  viewport_size: '800x600',
  timezone: 'Europe/Berlin',
  language: 'de-DE',
  time_on_page: 12.5,
  scroll_depth: 80,
  interaction_count: 3,
  page_count: 2,
  load_time: 1200.5,
  ttfb: 80,
  dom_ready_time: 900,
  render_time: 300,
  metricName: 'CLS',
  metricValue: 0.05,
  message: 'x is not a function',
  errorType: 'TypeError',
  filename: '/app.js',
  lineno: 7,
  colno: 9,
  stack: 'at x (/app.js:7:9)',
  href: 'https://elsewhere.example/',
  text: 'elsewhere',
} as const;

describe('ingest routes', () => {
  let service: TrackingFixture;

  beforeEach(async () => {
    service = await createTrackingFixture();
    await service.website('web_1', { domain: 'example.com' });
  });
  afterEach(() => service.close());

  async function pixel(query: Readonly<Record<string, string>>, method = 'GET'): Promise<Response> {
    const headers = {
      'x-request-id': 'request-1',
      ...(await service.identity.headersFor(PUBLIC_CALLER, 'GET /px.gif')),
    };
    return fetch(`${service.url}/px.gif?${new URLSearchParams(query)}`, { method, headers });
  }

  /** The one stored event of a name. */
  async function only(name: string): Promise<RawRow> {
    const [row, ...others] = await service.stored(name);
    if (!row || others.length > 0) throw new Error(`${others.length + (row ? 1 : 0)} events ${name}`);
    return row;
  }

  const search = '?client_id=web_1';

  it('make one and the same record of the same event', async () => {
    const texts = Object.entries(FULL).map(([field, value]): [string, string] => [
      field,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]);
    // An id of its own for each: a repeat would not be stored.
    const full = (eventId: string) => ({ ...FULL, eventId });
    await service.track({ name: 'by track', ...full('by track') }, { search });
    await service.post('/events', [{ eventName: 'by events', ...full('by events') }], { search });
    await service.post('/vitals', [full('web_vitals')], { search });
    await service.post('/errors', [full('error')], { search });
    await service.post('/batch', [{ type: 'custom', name: 'by batch', ...full('by batch') }], { search });
    await service.post('/', { type: 'track', name: 'by root', ...full('by root') }, { search });
    const query = { ...Object.fromEntries(texts), eventId: 'by pixel' };
    const image = await pixel({ client_id: 'web_1', name: 'by pixel', ...query });
    expect(image.status).to.equal(200);

    const { event_name: _name, event_id: _id, ...record } = await only('by track');
    expect(record).to.include({
      website_id: 'web_1',
      referrer_group: 'campaign',
      hostname: 'www.example.com',
    });
    const names = ['by events', 'web_vitals', 'error', 'by batch', 'by root', 'by pixel'];
    for (const name of names) {
      // The picture came without a key.
      const is_keyless = name === 'by pixel' ? true : null;
      expect(await only(name)).to.deep.equal({ event_name: name, event_id: name, ...record, is_keyless });
    }
  });

  it('answer with the type of the route and the number of events', async () => {
    const answers = [
      await service.post('/events', [{ eventName: 'a' }, { name: 'b' }]),
      await service.post('/vitals', [{ metricName: 'LCP', metricValue: 1 }]),
      await service.post('/errors', { message: '' }),
    ];
    const common = { status: 'success', success: true };
    expect(answers.map(({ body }) => body)).to.deep.equal([
      { ...common, type: 'custom_event', count: 2 },
      { ...common, type: 'web_vitals', count: 1 },
      { ...common, type: 'error', count: 1 },
    ]);
  });

  it('answer an older client with the type and eventId of its event', async () => {
    const common = { status: 'success', success: true };
    const one = await service.post('/', { type: 'custom', name: 'a', eventId: 'e1' });
    expect(one.body).to.deep.equal({ ...common, type: 'custom', eventId: 'e1' });
    const bare = await service.post('/', { name: 'a' });
    expect(bare.body).to.deep.equal({ ...common, type: 'track' });
    const batch = await service.post('/batch', [
      { type: 'custom', name: 'a', eventId: 'e2' },
      { type: 'outgoing_link', href: 'https://elsewhere.example/' },
      { type: 'web_vitals', metricName: 'FCP', metricValue: 900 },
    ]);
    expect(batch.body).to.deep.equal({
      ...common,
      batch: true,
      processed: 3,
      results: [
        { status: 'success', type: 'custom', eventId: 'e2' },
        { status: 'success', type: 'outgoing_link' },
        { status: 'success', type: 'web_vitals' },
      ],
    });
  });

  it('name the events of an older client by their type, or as they say', async () => {
    const types = ['screen_view', 'page_exit', 'outgoing_link'];
    const named = ['track', 'custom', 'custom_event', 'event', null];
    const events = [
      ...types.map((type) => ({ type, name: 'ignored' })),
      { type: 'error', message: 'broken' },
      { type: 'web_vitals', metricName: 'LCP', metricValue: 1 },
      ...named.map((type) => ({ type, name: 'as it says' })),
    ];
    expect((await service.post('/batch', events)).status).to.equal(200);
    for (const name of [...types, 'error', 'web_vitals'])
      expect(await only(name)).to.include({ event_name: name });
    expect(await service.stored('as it says')).to.have.length(named.length);
    expect(await service.stored('ignored')).to.deep.equal([]);
  });

  it('read beacons in text/plain', async () => {
    const headers = { 'content-type': 'text/plain;charset=UTF-8' };
    for (const path of ['/events', '/batch', '/']) {
      const answer = await service.post(path, JSON.stringify({ name: `beacon ${path}` }), { headers });
      expect(answer.status).to.equal(200);
      await only(`beacon ${path}`);
    }
  });

  describe('GET /px.gif', () => {
    it('answers a transparent pixel that no cache keeps and any page may show', async () => {
      const answer = await pixel({ client_id: 'web_1', path: '/welcome' });
      const bytes = Buffer.from(await answer.arrayBuffer());
      expect(answer.status).to.equal(200);
      expect(answer.headers.get('content-type')).to.equal('image/gif');
      expect(answer.headers.get('content-length')).to.equal(String(bytes.length));
      expect(answer.headers.get('cache-control')).to.equal('private, no-store');
      expect(answer.headers.get('cross-origin-resource-policy')).to.equal('cross-origin');
      expect(bytes.subarray(0, 6).toString()).to.equal('GIF89a');
      expect([bytes.readUInt16LE(6), bytes.readUInt16LE(8)]).to.deep.equal([1, 1]);
      expect(await only('screen_view')).to.include({ website_id: 'web_1', path: '/welcome' });
    });

    it('stores nothing for HEAD, and refuses it as GET', async () => {
      const answer = await pixel({ client_id: 'web_1' }, 'HEAD');
      expect([answer.status, answer.headers.get('content-type')]).to.deep.equal([200, 'image/gif']);
      expect((await pixel({}, 'HEAD')).status).to.equal(401);
      expect((await pixel({ client_id: 'web_1', scroll_depth: '101' }, 'HEAD')).status).to.equal(400);
      expect(await service.count()).to.equal(0);
    });

    it('names every fault of the query string at once, repeated parameters too', async () => {
      const headers = {
        'x-request-id': 'request-1',
        ...(await service.identity.headersFor(PUBLIC_CALLER, 'GET /px.gif')),
      };
      const query = 'client_id=web_1&scroll_depth=far&properties=%7B&title=a&title=b&timestamp=soon';
      const answer = await toAnswer(await fetch(`${service.url}/px.gif?${query}`, { headers }));
      expectError(answer, 400, 'VALIDATION_ERROR');
      expect(answer.body.details?.map(({ field }) => field).sort()).to.deep.equal([
        'properties',
        'scroll_depth',
        'timestamp',
        'title',
      ]);
    });

    it('takes an empty parameter for an absent one, and leaves unknown ones', async () => {
      const answer = await pixel({ client_id: 'web_1', name: '', time_on_page: '', timestamp: '', cb: '17' });
      expect(answer.status).to.equal(200);
      expect(await only('screen_view')).to.include({ time_on_page: null, timestamp: service.clock.now() });
    });
  });
});
