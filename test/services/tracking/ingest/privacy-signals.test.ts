/** DNT and Sec-GPC, honoured where the website says so: the same answer, and nothing stored. */
import { expect } from 'chai';
import { PUBLIC_CALLER } from '../../../../services/shared/access/caller.ts';
import { createTrackingFixture, type TrackingFixture } from '../tracking-fixture.ts';

const EVENT = { name: 'seen', anonymousId: 'v1', path: '/' };
const BODIES: Readonly<Record<string, unknown>> = {
  '/events': [EVENT, EVENT],
  '/vitals': { metricName: 'LCP', metricValue: 1 },
  '/errors': { message: 'broken' },
  '/batch': [{ type: 'custom', ...EVENT }],
  '/': EVENT,
  '/identify': { profileId: 'user-1', anonymousId: 'v1' },
};
const SIGNALS: readonly Record<string, string>[] = [{ dnt: '1' }, { 'sec-gpc': '1' }];

describe('a browser that asks not to be followed', () => {
  let service: TrackingFixture;

  beforeEach(async () => {
    service = await createTrackingFixture();
    await service.website('web_1', { domain: 'example.com', settings: { honorPrivacySignals: true } });
    await service.website('web_2', { domain: 'second.example' });
  });
  afterEach(() => service.close());

  const send = (path: string, headers: Record<string, string>, website = 'web_1', keyed = false) =>
    service.post(path, BODIES[path], {
      headers,
      search: `?client_id=${website}`,
      ...(keyed ? {} : { caller: PUBLIC_CALLER }),
    });
  const profiles = async () => (await service.documents.profiles.all('org_a')).length;
  const visitors = async () => (await service.documents.visitorProfiles.all('org_a')).length;

  for (const path of Object.keys(BODIES)) {
    it(`is answered alike on POST ${path}, and nothing of it is stored`, async () => {
      const count = Array.isArray(BODIES[path]) ? BODIES[path].length : 1;
      for (const signal of SIGNALS) {
        for (const keyed of [false, true]) {
          const asked = await send(path, signal, 'web_1', keyed);
          expect(asked.status).to.equal(200);
          expect(await service.count()).to.equal(0);
          expect([await profiles(), await visitors()]).to.deep.equal([0, 0]);
          const unasked = await send(path, {}, 'web_2', keyed);
          expect(asked.body).to.deep.equal(unasked.body);
          await service.events.erase({ organizationId: 'org_a', websiteId: null, anonymousId: null });
          for (const { id } of await service.documents.profiles.all('org_a')) {
            await service.documents.profiles.remove('org_a', id);
          }
          for (const { id } of await service.documents.visitorProfiles.all('org_a')) {
            await service.documents.visitorProfiles.remove('org_a', id);
          }
        }
      }
      expect(service.counts.of('privacy_signal')).to.equal(4 * count);
    });
  }

  it('is answered with the pixel, and nothing is stored', async () => {
    for (const signal of SIGNALS) {
      const headers = { ...signal, ...(await service.identity.headersFor(PUBLIC_CALLER, 'GET /px.gif')) };
      const answer = await fetch(`${service.url}/px.gif?client_id=web_1&path=/`, { headers });
      expect([answer.status, answer.headers.get('content-type')]).to.deep.equal([200, 'image/gif']);
    }
    expect(await service.count()).to.equal(0);
    expect(service.counts.of('privacy_signal')).to.equal(2);
  });

  it('is stored where the website does not honour it, by other values, and by servers on /track', async () => {
    expect((await send('/', { dnt: '1', 'sec-gpc': '1' }, 'web_2')).status).to.equal(200);
    expect((await send('/', { dnt: '0', 'sec-gpc': '0' })).status).to.equal(200);
    expect(
      (await service.track({ ...EVENT, websiteId: 'web_1' }, { headers: { dnt: '1' } })).status,
    ).to.equal(200);
    expect(await service.count()).to.equal(3);
    expect(service.counts.of('privacy_signal')).to.equal(0);
  });

  it('loses only the events of the website that honours it', async () => {
    const body = ['web_1', 'web_2', 'web_1'].map((websiteId) => ({ ...EVENT, websiteId }));
    const answer = await service.post('/events', body, { headers: { 'sec-gpc': '1' } });
    expect(answer.body).to.include({ success: true, count: 3 });
    const rows = await service.stored('seen');
    expect(rows.map(({ website_id }) => website_id)).to.deep.equal(['web_2']);
    expect(service.counts.of('privacy_signal')).to.equal(2);
  });

  it('leaves the eventId free for those who do not ask', async () => {
    const body = { ...EVENT, eventId: 'order-1' };
    const from = { search: '?client_id=web_1', caller: PUBLIC_CALLER };
    await service.post('/events', body, { ...from, headers: { dnt: '1' } });
    await service.post('/events', body, from);
    expect(await service.count()).to.equal(1);
  });

  it('is judged before: a faulty event is 400, and an unknown website 403', async () => {
    const from = { headers: { dnt: '1' }, caller: PUBLIC_CALLER };
    expect((await service.post('/events', {}, { ...from, search: '?client_id=web_1' })).status).to.equal(400);
    expect((await service.post('/events', EVENT, { ...from, search: '?client_id=none' })).status).to.equal(
      403,
    );
  });
});
