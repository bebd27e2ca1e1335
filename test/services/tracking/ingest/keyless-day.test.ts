/** What a website takes of keyless senders on a day, on every route: bytes, new profiles, and nothing while the disk is low. */
import { expect } from 'chai';
import { PUBLIC_CALLER } from '../../../../services/shared/access/caller.ts';
import { keylessUsageId } from '../../../../services/shared/model/keyless-usage.ts';
import { PROFILES_PER_DAY } from '../../../../services/tracking/budget/keyless-budget.ts';
import {
  type Answer,
  createTrackingFixture,
  expectError,
  type TrackingFixture,
  toAnswer,
} from '../tracking-fixture.ts';

const WEBSITE = '?client_id=web_1';
const EVENT = { name: 'seen', anonymousId: 'v1' };

describe('the day of a website without a key', () => {
  let service: TrackingFixture;
  let addresses = 0;

  beforeEach(async () => {
    service = await createTrackingFixture();
    await service.website('web_1', { domain: 'example.com', settings: { keylessBytesPerDay: 20_000 } });
    await service.website('web_2', { domain: 'second.example' });
  });
  afterEach(() => service.close());

  /** A request of nobody in particular, from an address that never sent before unless one is given. */
  const send = (path: string, body: unknown, address = `10.0.0.${++addresses}`, search = WEBSITE) =>
    service.post(path, body, { caller: PUBLIC_CALLER, search, headers: { 'x-forwarded-for': address } });
  const padded = (bytes: number) => ({ ...EVENT, pad: 'x'.repeat(bytes) });
  function expectFull(answer: Answer, limit: number): void {
    expectError(answer, 429, 'RATE_LIMIT_EXCEEDED');
    const midnight = new Date(service.clock.now()).setUTCHours(24, 0, 0, 0);
    const retryAfter = Math.ceil((midnight - service.clock.now()) / 1000);
    const reset = new Date(midnight).toISOString();
    expect(answer.body).to.include({ limit, remaining: 0, reset, retryAfter });
    expect(answer.headers.get('retry-after')).to.equal(String(retryAfter));
  }

  it('takes its bytes from many addresses, then refuses every keyless route, while keys and other websites go on', async () => {
    for (let n = 0; n < 10; n++) expect((await send('/events', padded(1_900))).status).to.equal(200);
    const stored = await service.count();
    expect(stored).to.equal(10);
    for (const [path, body] of Object.entries({
      '/events': padded(900),
      '/vitals': { metricName: 'LCP', metricValue: 1, pad: 'x'.repeat(900) },
      '/errors': { message: 'broken', pad: 'x'.repeat(900) },
      '/batch': [padded(900)],
      '/': padded(900),
      '/identify': { profileId: 'p', pad: 'x'.repeat(900) },
    })) {
      expectFull(await send(path, body), 20_000);
    }
    const pixel = await fetch(`${service.url}/px.gif${WEBSITE}&title=${'x'.repeat(500)}`, {
      headers: {
        'x-request-id': 'request-1',
        'x-forwarded-for': '10.9.9.9',
        ...(await service.identity.headersFor(PUBLIC_CALLER, 'GET /px.gif')),
      },
    });
    expectFull(await toAnswer(pixel), 20_000);
    expect(await service.count()).to.equal(stored);
    expect(service.counts.of('day_full')).to.equal(7);
    const keyed = { ...padded(900), websiteId: 'web_1' };
    expect((await service.track(keyed)).status).to.equal(200);
    expect((await service.post('/events', padded(900), { search: WEBSITE })).status, 'with a key').to.equal(
      200,
    );
    expect((await send('/events', padded(900), '10.1.1.1', '?client_id=web_2')).status).to.equal(200);
    service.clock.advance(86_400_000);
    expect((await send('/events', padded(900))).status, 'the next day').to.equal(200);
  });

  it('gives one address a tenth', async () => {
    expect((await send('/events', padded(1_500), '10.2.2.2')).status).to.equal(200);
    expectFull(await send('/events', padded(1_500), '10.2.2.2'), 2_000);
    expect((await send('/events', padded(1_500), '10.2.2.3')).status).to.equal(200);
  });

  it('counts nothing of what is faulty, or of what a store did not take', async () => {
    for (let n = 0; n < 5; n++) {
      expect((await send('/events', { pad: 'x'.repeat(1_500) }, '10.3.3.3')).status).to.equal(400);
    }
    expect((await send('/events', padded(1_500), '10.3.3.3')).status).to.equal(200);
    await service.events.close();
    for (let n = 0; n < 2; n++) expect((await send('/events', padded(300), '10.3.3.3')).status).to.equal(503);
    expect(service.counts.of('day_full')).to.equal(0);
  });

  it('takes so many new people and visitors, and of known ones any number of times', async () => {
    const identify = (profileId: string, anonymousId?: string) =>
      send('/identify', { profileId, anonymousId, traits: { at: addresses } });
    expect((await identify('known', 'v-known')).status).to.equal(200);
    await service.budget.flush();
    const id = keylessUsageId('web_1');
    const usage = await service.documents.keylessUsage.get('org_a', id);
    expect(usage).to.include({ profiles: 2 });
    await service.close();
    service = await createTrackingFixture();
    const website = await service.website('web_1', { domain: 'example.com' });
    const day = new Date(service.clock.now()).toISOString().slice(0, 10);
    await service.documents.keylessUsage.insert({
      ...{ id, organizationId: website.organizationId, websiteId: 'web_1', day },
      ...{ bytes: 0, profiles: PROFILES_PER_DAY - 3 },
    });
    expect((await identify('p1', 'v1')).status).to.equal(200);
    expect((await identify('p2')).status).to.equal(200);
    expectFull(await identify('p3'), PROFILES_PER_DAY);
    expectFull(await identify('p1', 'v2'), PROFILES_PER_DAY);
    expect((await identify('p1', 'v1')).status, 'known').to.equal(200);
    const body = { profileId: 'p4', websiteId: 'web_1' };
    expect((await service.post('/identify', body)).status, 'with a key').to.equal(200);
    expect(await service.documents.profiles.all('org_a')).to.have.length(3);
  });

  it('takes nothing while the disk is low, and what comes with a key all the same', async () => {
    service.disk.isFull = true;
    for (const path of ['/events', '/identify']) {
      const answer = await send(path, { ...EVENT, profileId: 'p' });
      expectError(answer, 503, 'UPSTREAM_UNAVAILABLE');
      expect(answer.headers.get('retry-after')).to.equal('60');
      expect(answer.body.error).to.include('short of disk space');
    }
    expect(service.counts.of('disk_low')).to.equal(2);
    expect((await service.track({ ...EVENT, websiteId: 'web_1' })).status).to.equal(200);
    expect((await service.post('/events', EVENT, { search: WEBSITE })).status).to.equal(200);
    service.disk.isFull = false;
    expect((await send('/events', EVENT)).status).to.equal(200);
  });
});
