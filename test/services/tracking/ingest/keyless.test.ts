/** Events without a key: which website takes them, from which pages, how fresh its settings are, and how refusals are counted. */
import { expect } from 'chai';
import { PUBLIC_CALLER } from '../../../../services/shared/access/caller.ts';
import { ApiError } from '../../../../services/shared/errors/api-error.ts';
import { DROP_REASONS, type DropReason } from '../../../../services/shared/model/drop-reasons.ts';
import { shippedGrant } from '../../../support/shipped-grants.ts';
import {
  createTrackingFixture,
  expectError,
  type TrackingFixture,
  type TrackOptions,
} from '../tracking-fixture.ts';

const EVENT = { name: 'seen', anonymousId: 'v1', path: '/' };
/** Every route that takes events without a key, with a body that it takes. */
const BODIES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  '/identify': { profileId: 'user-1' },
  '/events': EVENT,
  '/vitals': { metricName: 'LCP', metricValue: 1 },
  '/errors': { message: 'broken' },
  '/batch': EVENT,
  '/': EVENT,
};

describe('ingest without a key', () => {
  let service: TrackingFixture;

  beforeEach(async () => {
    service = await createTrackingFixture();
    await service.website('web_1', { domain: 'example.com' });
    await service.website('web_2', { domain: 'second.example' });
    await service.website('web_off', { domain: 'off.example', settings: { keylessTracking: false } });
    await service.website('web_more', {
      domain: 'more.example',
      settings: { keylessTracking: true, allowedOrigins: ['https://partner.example.net:8443'] },
    });
    await service.website('web_other', { organizationId: 'org_b', domain: 'example.org' });
  });
  afterEach(() => service.close());

  /** A request of nobody in particular. */
  const send = (path: string, body: unknown, from: TrackOptions = {}) =>
    service.post(path, body, { ...from, caller: PUBLIC_CALLER });
  /** The answer to an event for a website from a page of `origin`. */
  const from = (origin: string | undefined, website = 'web_1') =>
    send('/events', EVENT, {
      search: `?client_id=${website}`,
      ...(origin === undefined ? {} : { headers: { origin } }),
    });
  /** What was dropped since the service started, by reason. */
  const dropped = () =>
    Object.fromEntries(
      DROP_REASONS.map((reason) => [reason, service.counts.of(reason)] as const).filter(([, n]) => n > 0),
    ) as Partial<Record<DropReason, number>>;

  for (const [path, body] of Object.entries(BODIES)) {
    describe(`POST ${path}`, () => {
      it('takes what names its website in the query string, by each of its names, or in the header', async () => {
        for (const search of ['?website_id=web_1', '?websiteId=web_1', '?client_id=web_1']) {
          expect((await send(path, body, { search })).status, search).to.equal(200);
        }
        const headers = { 'databuddy-client-id': 'web_1' };
        expect((await send(path, body, { headers })).status).to.equal(200);
        const named = { ...body, websiteId: 'web_1' };
        expect((await send(path, named, { search: '?client_id=web_1' })).status).to.equal(200);
      });

      it('refuses what names no website there with 401 AUTH_REQUIRED, even when the event names one', async () => {
        for (const sent of [body, { ...body, websiteId: 'web_1' }]) {
          const answer = await send(path, sent);
          expectError(answer, 401, 'AUTH_REQUIRED');
          expect(answer.headers.get('www-authenticate')).to.equal('Bearer');
        }
        expect(await service.count()).to.equal(0);
        expect(dropped()).to.deep.equal({ website_unnamed: 2 });
      });

      it('refuses an event that names another website with 403 ACCESS_DENIED', async () => {
        const answer = await send(path, { ...body, websiteId: 'web_2' }, { search: '?client_id=web_1' });
        expectError(answer, 403, 'ACCESS_DENIED');
        expect(await service.count()).to.equal(0);
        expect(dropped()).to.deep.equal({ website_other: 1 });
      });

      it('refuses an unknown website, and one that wants a key, alike with 403 ACCESS_DENIED', async () => {
        const answers = [
          await send(path, body, { search: '?client_id=web_none' }),
          await send(path, body, { search: '?client_id=web_off' }),
          await send(path, body, { headers: { 'databuddy-client-id': 'x'.repeat(5_000) } }),
        ];
        for (const answer of answers) expectError(answer, 403, 'ACCESS_DENIED');
        const texts = answers.map(({ body: { error } }) => String(error).replace(/"[^"]+"/, '"…"'));
        expect(new Set(texts).size).to.equal(1);
        expect(await service.count()).to.equal(0);
        expect(dropped()).to.deep.equal({ website_unknown: 2, keyless_off: 1 });
      });

      it('refuses a page of another site with 403 ACCESS_DENIED', async () => {
        const headers = { origin: 'https://evil.example.net' };
        expectError(await send(path, body, { search: '?client_id=web_1', headers }), 403, 'ACCESS_DENIED');
        expect(await service.count()).to.equal(0);
        expect(dropped()).to.deep.equal({ origin_foreign: 1 });
      });
    });
  }

  it('never opens /track: 401 AUTH_REQUIRED, whatever is named', async () => {
    const search = '?client_id=web_1';
    expectError(await send('/track', EVENT, { search }), 401, 'AUTH_REQUIRED');
    const shipped = shippedGrant('tracking', 'POST', '/track');
    for (const access of ['keyless', 'public', 'optional'] as const) {
      const headers = await service.identity.headersFor(PUBLIC_CALLER, { ...shipped, access });
      const from = { search, headers: { ...headers, origin: 'https://example.com' } };
      expectError(await send('/track', EVENT, from), 401, 'AUTH_REQUIRED');
    }
    expect(await service.count()).to.equal(0);
  });

  it('keeps the event under the organization of its website, whosever it is', async () => {
    expect((await from('https://example.org', 'web_other')).status).to.equal(200);
    const [row] = await service.stored('seen');
    expect(row).to.include({ organization_id: 'org_b', website_id: 'web_other' });
  });

  it('takes requests without Origin, which come from servers', async () => {
    expect((await from(undefined)).status).to.equal(200);
  });

  it('takes pages of the domain and below it, on any port, and origins that the website allows', async () => {
    for (const origin of [
      'https://example.com',
      'http://example.com',
      'https://example.com:8443',
      'https://www.example.com',
      'https://a.b.example.com',
      'https://EXAMPLE.com',
    ]) {
      expect((await from(origin)).status, origin).to.equal(200);
    }
    expect((await from('https://partner.example.net:8443', 'web_more')).status).to.equal(200);
    expect((await from('https://more.example', 'web_more')).status).to.equal(200);
  });

  it('refuses look-alikes of the domain and of allowed origins', async () => {
    for (const origin of [
      'null',
      'https://notexample.com',
      'https://example.com.evil.net',
      'https://example.community',
      'https://example.com.',
      'https://.example.com',
      'https://a..example.com',
      'https://user@example.com',
      'https://example.com/',
      'https://example.com/path',
      'https://example.com:99999',
      'https://example.com https://evil.net',
      'https://example.com, https://example.com',
      'example.com',
      'ftp://example.com',
      'file://example.com',
      'https://com',
      'https://xn--exmple-cua.com',
    ]) {
      expectError(await from(origin), 403, 'ACCESS_DENIED');
    }
    for (const origin of ['https://partner.example.net', 'http://partner.example.net:8443']) {
      expectError(await from(origin, 'web_more'), 403, 'ACCESS_DENIED');
    }
    expectError(await from('https://sub.partner.example.net:8443', 'web_more'), 403, 'ACCESS_DENIED');
    expect(await service.count()).to.equal(0);
  });

  it('judges no Origin of a request with a key', async () => {
    const headers = { origin: 'https://evil.example.net' };
    const answer = await service.post('/events', EVENT, { search: '?client_id=web_1', headers });
    expect(answer.status).to.equal(200);
  });

  it('learns of a changed setting, a new and a deleted website within 5 seconds', async () => {
    expect((await from(undefined)).status).to.equal(200);
    expectError(await from(undefined, 'web_new'), 403, 'ACCESS_DENIED');
    const website = await service.documents.websites.get('org_a', 'web_1');
    await service.documents.websites.update('org_a', 'web_1', website?.version ?? 0, {
      settings: { keylessTracking: false },
    });
    await service.documents.websites.remove('org_a', 'web_2');
    await service.website('web_new', { domain: 'new.example' });
    service.clock.advance(5_000);
    expectError(await from(undefined), 403, 'ACCESS_DENIED');
    expectError(await from(undefined, 'web_2'), 403, 'ACCESS_DENIED');
    expect((await from(undefined, 'web_new')).status).to.equal(200);
  });

  it('reads a website once for all requests of some seconds, also one that is unknown', async () => {
    let reads = 0;
    const { websites } = service.documents;
    const findUnique = websites.findUnique.bind(websites);
    websites.findUnique = (index, values) => {
      reads += 1;
      return findUnique(index, values);
    };
    for (let i = 0; i < 10; i++) {
      await from(undefined);
      await from(undefined, 'web_none');
    }
    expect(reads).to.equal(2);
  });

  it('answers 503 while the document store is down, and looks again at the next request', async () => {
    const { websites } = service.documents;
    const findUnique = websites.findUnique.bind(websites);
    websites.findUnique = () => Promise.reject(new ApiError('SERVICE_UNAVAILABLE'));
    const answer = await from(undefined);
    expectError(answer, 503, 'UPSTREAM_UNAVAILABLE');
    expect(dropped()).to.deep.equal({ not_stored: 1 });
    websites.findUnique = findUnique;
    expect((await from(undefined)).status).to.equal(200);
  });

  it('counts what passed each step and what was dropped, by reason', async () => {
    await service.track([EVENT, EVENT]);
    await service.track([EVENT, { name: '' }, EVENT]);
    await service.track({ ...EVENT, websiteId: 'web_none' });
    await from('https://evil.example.net');
    const passed = (
      ['received', 'validateSender', 'validateEvents', 'putWebsites', 'writeEvents'] as const
    ).map((step) => service.counts.of(step));
    expect(passed).to.deep.equal([7, 6, 3, 2, 2]);
    expect(dropped()).to.deep.equal({ faulty: 3, website_unreachable: 1, origin_foreign: 1 });
    await service.events.close();
    await service.track([EVENT, EVENT]);
    expect(dropped()).to.include({ not_stored: 2 });
  });
});
