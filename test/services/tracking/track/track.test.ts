/** POST /track by its contract: success, identity, access, protocol errors, durability (contract.md sections 2, 3 and 6). */

import { expect } from 'chai';
import { SCOPES } from '../../../../services/shared/access/scopes.ts';
import { createTestIdentity, testCaller } from '../../../support/identity.ts';
import { createTrackingFixture, expectError, type TrackingFixture, toAnswer } from '../tracking-fixture.ts';

describe('POST /track', () => {
  let service: TrackingFixture;

  before(async () => {
    service = await createTrackingFixture();
    await service.website('web_1', { domain: 'example.com' });
    await service.website('web_2', { domain: 'second.example' });
    await service.website('web_foreign', { organizationId: 'org_b' });
  });
  after(() => service.close());

  describe('success', () => {
    it('stores one event and says so', async () => {
      const answer = await service.track({ name: 'one', anonymousId: 'v1', properties: { plan: 'pro' } });
      expect(answer.status).to.equal(200);
      expect(answer.body).to.deep.equal({ status: 'success', success: true, type: 'custom_event', count: 1 });
      const [row, ...others] = await service.stored('one');
      expect(others).to.deep.equal([]);
      expect(row).to.include({
        organization_id: 'org_a',
        website_id: null,
        anonymous_id: 'v1',
        properties: '{"plan":"pro"}',
        timestamp: service.clock.now(),
        is_bot: false,
      });
    });

    it('stores an array of 100 events and counts them', async () => {
      const events = Array.from({ length: 100 }, (_, i) => ({ name: 'hundred', eventId: `e${i}` }));
      const answer = await service.track(events);
      expect(answer.body).to.include({ success: true, count: 100 });
      expect(await service.stored('hundred')).to.have.length(100);
    });

    it('reads a body of text/plain, and one without a media type, as JSON', async () => {
      for (const type of ['text/plain', 'text/plain;charset=UTF-8', '']) {
        const answer = await service.track({ name: 'beacon' }, { headers: { 'content-type': type } });
        expect(answer.status, type).to.equal(200);
      }
      expect(await service.stored('beacon')).to.have.length(3);
    });

    it('ignores unknown fields and takes null for absent', async () => {
      const answer = await service.track({
        name: 'lenient',
        type: 'custom',
        unknown: { a: 1 },
        properties: null,
        timestamp: null,
        websiteId: null,
        anonymizeVisitorIds: null,
        time_on_page: null,
      });
      expect(answer.status).to.equal(200);
      expect((await service.stored('lenient'))[0]).to.include({ properties: null, time_on_page: null });
    });

    it('answers only after the events are durable: they are there for the query that follows', async () => {
      await Promise.all(
        Array.from({ length: 20 }, async (_, i) => {
          await service.track({ name: `durable ${i}` });
          expect(await service.stored(`durable ${i}`)).to.have.length(1);
        }),
      );
    });

    it('takes a session as well as a key', async () => {
      const answer = await service.track(
        { name: 'by session' },
        { caller: { kind: 'session', userId: 'usr_1', role: 'member' } },
      );
      expect(answer.status).to.equal(200);
    });
  });

  describe('identity', () => {
    it('refuses a request without identity with 401 AUTH_REQUIRED and stores nothing', async () => {
      const response = await fetch(`${service.url}/track`, {
        method: 'POST',
        headers: { 'x-request-id': 'request-1' },
        body: '{"name":"anonymous"}',
      });
      expectError(await toAnswer(response), 401, 'AUTH_REQUIRED');
      expect(await service.stored('anonymous')).to.deep.equal([]);
    });

    it('refuses an identity of another audience, another issuer, an expired and a forged one with AUTH_REQUIRED', async () => {
      const { identity } = service;
      const forger = await createTestIdentity('tracking', service.clock);
      const tokens = await Promise.all([
        identity.headersFor(testCaller(), 'POST /track', { audience: 'query' }),
        identity.headersFor(testCaller(), 'POST /track', { issuer: 'somebody' }),
        identity.headersFor(testCaller(), 'POST /track', { lifetimeSeconds: -10 }),
        forger.headersFor(testCaller(), 'POST /track'),
        Promise.resolve({ 'x-gateway-identity': 'not a token' }),
      ]);
      for (const headers of tokens) {
        expectError(await service.track({ name: 'impostor' }, { headers }), 401, 'AUTH_REQUIRED');
      }
      expect(await service.stored('impostor')).to.deep.equal([]);
    });

    it('refuses a key without track:events with 403 INSUFFICIENT_SCOPE that names it', async () => {
      const scopes = SCOPES.filter((scope) => scope !== 'track:events');
      const answer = await service.track({ name: 'unscoped' }, { caller: { scopes } });
      expectError(answer, 403, 'INSUFFICIENT_SCOPE');
      expect(answer.body.error).to.include('track:events');
    });
  });

  describe('website', () => {
    const limited = (...websiteIds: string[]) => ({
      caller: { access: { level: 'website' as const, websiteIds } },
    });
    const websiteOf = async (name: string) => (await service.stored(name)).map((row) => row.website_id);

    it("prefers the event's websiteId, then the query string, then the header", async () => {
      const header = { 'databuddy-client-id': 'web_2' };
      await service.track(
        { name: 'w1', websiteId: 'web_1' },
        { search: '?website_id=web_2', headers: header },
      );
      await service.track({ name: 'w2' }, { search: '?website_id=web_1', headers: header });
      await service.track({ name: 'w3' }, { search: '?websiteId=web_1' });
      await service.track({ name: 'w4' }, { search: '?client_id=web_1' });
      await service.track({ name: 'w5' }, { headers: header });
      const found = await Promise.all(['w1', 'w2', 'w3', 'w4', 'w5'].map(websiteOf));
      expect(found.flat()).to.deep.equal(['web_1', 'web_1', 'web_1', 'web_1', 'web_2']);
    });

    it("takes a website-specific key's only website when none is named, deleted ones not counted", async () => {
      expect((await service.track({ name: 'only' }, limited('web_2'))).status).to.equal(200);
      expect((await service.track({ name: 'only' }, limited('web_gone', 'web_2'))).status).to.equal(200);
      expect(await websiteOf('only')).to.deep.equal(['web_2', 'web_2']);
    });

    it('keeps an event of a global key that names none as an event of the organization', async () => {
      await service.track([
        { name: 'mixed', eventId: 'a' },
        { name: 'mixed', eventId: 'b', websiteId: 'web_1' },
      ]);
      expect(await websiteOf('mixed')).to.deep.equal([null, 'web_1']);
    });

    it('asks a key of several websites to name one, with 400 VALIDATION_ERROR for each event that does not', async () => {
      const events = [{ name: 'unclear' }, { name: 'unclear', websiteId: 'web_1' }, { name: 'unclear' }];
      const answer = await service.track(events, limited('web_1', 'web_2'));
      expectError(answer, 400, 'VALIDATION_ERROR');
      expect(answer.body.details?.map(({ field }) => field)).to.deep.equal([
        'events[0].websiteId',
        'events[2].websiteId',
      ]);
      const single = await service.track({ name: 'unclear' }, limited('web_1', 'web_2'));
      expect(single.body.details?.map(({ field }) => field)).to.deep.equal(['websiteId']);
      expect(await service.stored('unclear')).to.deep.equal([]);
    });

    it('answers an unknown, a foreign and an unlisted website alike: 403 ACCESS_DENIED, and stores nothing', async () => {
      const denied = [
        await service.track([{ name: 'denied' }, { name: 'denied', websiteId: 'web_nothing' }]),
        await service.track({ name: 'denied', websiteId: 'web_foreign' }),
        await service.track({ name: 'denied', websiteId: 'web_2' }, limited('web_1')),
        await service.track({ name: 'denied' }, { search: '?website_id=web_foreign' }),
        await service.track({ name: 'denied' }, { headers: { 'databuddy-client-id': 'web_nothing' } }),
      ];
      for (const answer of denied) expectError(answer, 403, 'ACCESS_DENIED');
      const texts = denied.map(({ body }) => String(body.error).replace(/"web_\w+"/, '"…"'));
      expect(new Set(texts).size).to.equal(1);
      expect(await service.stored('denied')).to.deep.equal([]);
    });

    it('denies a key whose websites are all gone, instead of writing to the organization', async () => {
      expectError(await service.track({ name: 'orphan' }, limited('web_gone')), 403, 'ACCESS_DENIED');
      expectError(await service.track({ name: 'orphan' }, limited()), 403, 'ACCESS_DENIED');
      expect(await service.stored('orphan')).to.deep.equal([]);
    });

    it('refuses events of a website as soon as it is deleted', async () => {
      await service.website('web_brief', { domain: 'brief.example' });
      expect((await service.track({ name: 'brief', websiteId: 'web_brief' })).status).to.equal(200);
      await service.documents.websites.remove('org_a', 'web_brief');
      expectError(await service.track({ name: 'brief', websiteId: 'web_brief' }), 403, 'ACCESS_DENIED');
    });

    it('refuses an empty and a repeated selector with 400 VALIDATION_ERROR', async () => {
      for (const search of ['?website_id=', '?website_id=web_1&website_id=web_2']) {
        const answer = await service.track({ name: 'selector' }, { search });
        expectError(answer, 400, 'VALIDATION_ERROR');
        expect(answer.body.details?.map(({ field }) => field)).to.deep.equal(['website_id']);
      }
    });
  });

  describe('protocol', () => {
    it('takes a body of 2 MB and refuses one byte more with 413 PAYLOAD_TOO_LARGE', async () => {
      const body = (bytes: number) => {
        const start = '{"name":"large","ignored":"';
        return `${start}${'x'.repeat(bytes - start.length - 2)}"}`;
      };
      expect((await service.track(body(2 * 1024 * 1024))).status).to.equal(200);
      expectError(await service.track(body(2 * 1024 * 1024 + 1)), 413, 'PAYLOAD_TOO_LARGE');
    });

    it('refuses malformed JSON, no body and a body that is no event with 400 VALIDATION_ERROR', async () => {
      for (const body of ['{"name":', 'name=signup', '"signup"', '7', 'null', 'true']) {
        const answer = await service.track(body);
        expectError(answer, 400, 'VALIDATION_ERROR');
        expect(answer.body.details?.[0]?.field, body).to.equal('body');
      }
      expectError(await service.track(''), 400, 'VALIDATION_ERROR');
    });

    it('refuses other methods with 405 METHOD_NOT_ALLOWED and Allow', async () => {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const headers = {
          'x-request-id': 'request-1',
          ...(await service.identity.headersFor(testCaller(), 'POST /track')),
        };
        const response = await fetch(`${service.url}/track`, { method, headers });
        expect(response.headers.get('allow')).to.equal('POST');
        const { status, body } = await toAnswer(response);
        expect({ status, code: body.code }).to.deep.equal({ status: 405, code: 'METHOD_NOT_ALLOWED' });
      }
    });

    it('answers an unknown path with 404 NOT_FOUND', async () => {
      const headers = await service.identity.headersFor(testCaller(), 'POST /track');
      for (const path of ['/none', '/tracks', '/track/', '/TRACK', '/v1/track']) {
        const response = await fetch(service.url + path, { method: 'POST', headers, body: '{"name":"x"}' });
        expect((await toAnswer(response)).body.code, path).to.equal('NOT_FOUND');
      }
    });
  });

  it('answers 503 UPSTREAM_UNAVAILABLE with Retry-After and without inner words when the event store is down', async () => {
    const down = await createTrackingFixture();
    await down.events.close();
    const answer = await down.track({ name: 'lost' });
    expectError(answer, 503, 'UPSTREAM_UNAVAILABLE');
    expect(answer.headers.get('retry-after')).to.equal('1');
    expect(answer.body.error).to.equal('The service is temporarily unavailable.');
    await down.close();
  });
});
