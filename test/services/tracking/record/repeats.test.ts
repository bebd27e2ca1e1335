/** Repeats by eventId and a full queue, as clients of the tracking service see them (contract.md section 6). */
import { expect } from 'chai';
import { PUBLIC_CALLER } from '../../../../services/shared/access/caller.ts';
import { createTrackingFixture, type TrackingFixture } from '../tracking-fixture.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

describe('repeats of an eventId', () => {
  let service: TrackingFixture;

  before(async () => {
    service = await createTrackingFixture();
    await service.website('web_1', { domain: 'example.com' });
    await service.website('web_2', { domain: 'second.example' });
  });
  after(() => service.close());

  it('are answered like the first, counted in the answer and in the metrics, and stored once', async () => {
    const first = await service.track({ name: 'order', eventId: 'o-1' });
    const again = await service.track({ name: 'order', eventId: 'o-1', properties: { other: true } });
    expect(again.status).to.equal(200);
    expect(again.body).to.deep.equal(first.body);
    expect(service.counts.of('repeated')).to.equal(1);
    const [row, ...others] = await service.stored('order');
    expect(others).to.deep.equal([]);
    expect(row?.properties).to.equal(null);
  });

  it('are left out of an array, whose answer counts every event of it', async () => {
    const before = { repeated: service.counts.of('repeated'), written: service.counts.of('writeEvents') };
    const ids = ['a-1', 'a-2', 'a-1', 'a-3', 'a-2'];
    const answer = await service.track(ids.map((eventId) => ({ name: 'array', eventId })));
    expect(answer.body).to.include({ success: true, count: 5 });
    expect(await service.stored('array')).to.have.length(3);
    expect(service.counts.of('repeated') - before.repeated).to.equal(2);
    expect(service.counts.of('writeEvents') - before.written).to.equal(3);
  });

  it('are none for another website or for the organization', async () => {
    for (const websiteId of ['web_1', 'web_2', null]) {
      const answer = await service.track({ name: 'places', eventId: 'p-1', websiteId });
      expect(answer.status).to.equal(200);
    }
    expect(await service.stored('places')).to.have.length(3);
  });

  it('are known whichever route took the first', async () => {
    const search = '?client_id=web_1';
    const typed = [{ type: 'custom', name: 'routes', eventId: 'r-1' }];
    const answer = await service.post('/batch', typed, { search });
    expect(answer.body).to.deep.include({ processed: 1 });
    const repeated = await service.post('/batch', typed, { search });
    expect(repeated.body).to.deep.equal(answer.body);
    await service.track({ name: 'routes', eventId: 'r-1', websiteId: 'web_1' });
    expect(await service.stored('routes')).to.have.length(1);
  });

  it('are none of what a stranger sent without a key under the same id, on whatever route and whoever was first', async () => {
    const search = '?client_id=web_1';
    const caller = PUBLIC_CALLER;
    const noise = { name: 'noise', eventId: 'order-1' };
    const order = { name: 'order-1', eventId: 'order-1', websiteId: 'web_1' };
    for (const [path, body] of [
      ['/events', [noise]],
      ['/batch', [noise]],
      ['/', { type: 'custom', ...noise }],
      ['/vitals', [{ metricName: 'LCP', metricValue: 1, eventId: 'order-1' }]],
      ['/errors', [{ message: 'broken', eventId: 'order-1' }]],
    ] as const) {
      expect((await service.post(path, body, { caller, search })).status, path).to.equal(200);
    }
    expect(await service.stored('noise'), 'of one space').to.have.length(1);
    expect((await service.track(order)).body).to.include({ success: true, count: 1 });
    expect(await service.stored('order-1'), 'the order of the owner').to.have.length(1);
    const session = { kind: 'session', id: 'ses_1', userId: 'usr_1', role: 'owner' } as const;
    await service.track(order, { caller: session });
    expect(await service.stored('order-1'), 'sessions are keyed').to.have.length(1);
    await service.track({ name: 'first', eventId: 'order-2', websiteId: 'web_1' });
    await service.post('/events', [{ name: 'second', eventId: 'order-2' }], { caller, search });
    expect(await service.stored('second')).to.have.length(1);
  });

  it('are stored anew once a day has passed', async () => {
    await service.track({ name: 'daily', eventId: 'd-1' });
    service.clock.advance(DAY_MS + 1_000);
    await service.track({ name: 'daily', eventId: 'd-1' });
    expect(await service.stored('daily')).to.have.length(2);
  });

  it('are stored once when 40 requests carry one eventId at the same time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => service.track({ name: 'race', eventId: 'race-1' })),
    );
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
    expect(await service.stored('race')).to.have.length(1);
  });

  it('of a request with a faulty event are not remembered', async () => {
    const faulty = await service.track([{ name: 'faulty', eventId: 'f-1' }, { name: '' }]);
    expect(faulty.status).to.equal(400);
    await service.track({ name: 'faulty', eventId: 'f-1' });
    expect(await service.stored('faulty')).to.have.length(1);
  });
});

describe('a full queue', () => {
  let service: TrackingFixture;

  before(async () => {
    service = await createTrackingFixture({ maxWaitingEvents: 100 });
  });
  after(() => service.close());

  it('answers 503 UPSTREAM_UNAVAILABLE with Retry-After, stores all of a request or nothing, and takes it later', async () => {
    const send = (request: number) =>
      service.track(
        Array.from({ length: 60 }, (_, i) => ({ name: `request ${request}`, eventId: `${request}-${i}` })),
      );
    const answers = await Promise.all(Array.from({ length: 30 }, (_, request) => send(request)));
    const refused = answers.flatMap(({ status }, request) => (status === 200 ? [] : [request]));
    expect(refused, 'refused requests').to.not.have.length(0);
    for (const request of refused) {
      expect(answers[request]?.status).to.equal(503);
      expect(answers[request]?.body).to.include({ success: false, code: 'UPSTREAM_UNAVAILABLE' });
      expect(Number(answers[request]?.headers.get('retry-after'))).to.be.at.least(1);
      expect(await service.stored(`request ${request}`)).to.deep.equal([]);
    }
    expect(service.counts.of('not_stored')).to.equal(refused.length * 60);
    expect(await service.count()).to.equal((30 - refused.length) * 60);
    for (const request of refused) expect((await send(request)).status).to.equal(200);
    expect(await service.count()).to.equal(30 * 60);
    expect(service.counts.of('repeated')).to.equal(0);
  });
});
