/** What became of the events of a website: each is counted once, as stored or by the reason why it was not, for the website it was sent to. */
import { expect } from 'chai';
import { PUBLIC_CALLER } from '../../../../services/shared/access/caller.ts';
import { createTrackingFixture, type TrackingFixture } from '../tracking-fixture.ts';

const EVENT = { name: 'seen', anonymousId: 'v1', path: '/' };

describe('the events of a website', () => {
  let service: TrackingFixture;

  beforeEach(async () => {
    service = await createTrackingFixture();
    for (const id of ['org_a', 'org_b']) {
      const organization = { id, organizationId: id, name: id, plan: 'free', limits: {} };
      await service.documents.organizations.insert(organization);
    }
    await service.website('web_1', { domain: 'example.com' });
    await service.website('web_2', { domain: 'second.example', settings: { honorPrivacySignals: true } });
    await service.website('web_off', { domain: 'off.example', settings: { keylessTracking: false } });
    await service.website('web_other', { organizationId: 'org_b', domain: 'example.org' });
  });
  afterEach(() => service.close());

  /** Of each website, by what became of its events. */
  async function counted(organizationId = 'org_a'): Promise<Record<string, Record<string, number>>> {
    await service.activity.flush();
    const found: Record<string, Record<string, number>> = {};
    for (const { websiteId, series, counts } of await service.documents.activity.all(organizationId)) {
      if (!series.includes(' hour ')) continue;
      for (const [name, count] of Object.entries(counts)) {
        const of = found[websiteId ?? ''] ?? {};
        found[websiteId ?? ''] = of;
        const outcome = name.slice(name.indexOf('|') + 1);
        of[outcome] = (of[outcome] ?? 0) + count;
      }
    }
    return found;
  }

  it('are counted apart in an array for several websites, repeats where they were sent again', async () => {
    const events = [
      { ...EVENT, websiteId: 'web_1', eventId: 'a' },
      { ...EVENT, websiteId: 'web_2', eventId: 'b' },
      { ...EVENT, websiteId: 'web_2', eventId: 'c' },
      { ...EVENT },
    ];
    expect((await service.post('/track', events)).status).to.equal(200);
    expect(
      (await service.post('/track', [events[0], events[2], { ...events[2], eventId: 'd' }])).status,
    ).to.equal(200);
    expect(await counted()).to.deep.equal({
      web_1: { stored: 1, repeated: 1 },
      web_2: { stored: 3, repeated: 1 },
    });
  });

  it('are counted for the website that a faulty request, or its first event, names', async () => {
    const faulty = { ...EVENT, name: '' };
    expect((await service.post('/track', [EVENT, faulty], { search: '?website_id=web_1' })).status).to.equal(
      400,
    );
    expect((await service.post('/track', [{ ...faulty, websiteId: 'web_2' }, EVENT])).status).to.equal(400);
    expect((await service.post('/track', [faulty])).status).to.equal(400);
    expect((await service.post('/track', [{ ...faulty, websiteId: 'web_other' }])).status).to.equal(400);
    expect(await counted()).to.deep.equal({ web_1: { faulty: 2 }, web_2: { faulty: 2 } });
    expect(await counted('org_b')).to.deep.equal({});
  });

  it('without a key are counted by why the website refused them, and those of an unknown one nowhere', async () => {
    const send = (website: string, body: unknown, headers: Record<string, string> = {}) =>
      service.post('/events', body, { caller: PUBLIC_CALLER, search: `?client_id=${website}`, headers });
    await send('web_1', EVENT);
    await send('web_1', EVENT, { origin: 'https://elsewhere.example' });
    await send('web_1', { ...EVENT, websiteId: 'web_2' });
    await send('web_1', { name: '' });
    await send('web_off', EVENT);
    await send('web_2', EVENT, { 'sec-gpc': '1' });
    await send('web_none', EVENT);
    expect(await counted()).to.deep.equal({
      web_1: { stored: 1, origin_foreign: 1, website_other: 1, faulty: 1 },
      web_off: { keyless_off: 1 },
      web_2: { privacy_signal: 1 },
    });
  });

  it('count calls of /identify too', async () => {
    const person = { profileId: 'user-1', websiteId: 'web_1' };
    expect((await service.post('/identify', person)).status).to.equal(200);
    expect(await counted()).to.deep.equal({ web_1: { stored: 1 } });
  });
});
