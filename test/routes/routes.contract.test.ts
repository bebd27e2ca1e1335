/** The contract of every endpoint, status by status, through the whole server: a listing of this file shows any gap. */
import { expect } from 'chai';
import { expectError, expectSuccess } from '../support/answers.ts';
import { bodyCases, protectedRouteCases } from '../support/route-cases.ts';
import { startTidegate, type TestServer } from '../support/start-tidegate.ts';

const MIB = 1024 * 1024;

describe('the contract of every endpoint', () => {
  let started: TestServer;
  const server = () => started;

  before(async () => {
    started = await startTidegate();
  });
  after(() => started.close());

  describe('POST /track', () => {
    const body = { name: 'signup', websiteId: 'web_shop', properties: { plan: 'pro' } };
    const route = { method: 'POST', path: '/track', body, wrongMethods: ['GET', 'PUT', 'PATCH', 'DELETE'] };

    it('answers 200 once the event is stored', async () => {
      const answer = await server().call('POST', '/track', { key: server().keys.trackOnly, body });
      expectSuccess(answer);
      expect(answer.body).to.deep.equal({ status: 'success', success: true, type: 'custom_event', count: 1 });
    });

    it('takes an array of events, and a beacon in text/plain', async () => {
      const key = server().keys.trackOnly;
      const answer = await server().call('POST', '/track', { key, body: [body, body, body] });
      expectSuccess(answer);
      expect(answer.body.count).to.equal(3);
      const beacon = {
        key,
        body: JSON.stringify(body),
        headers: { 'content-type': 'text/plain;charset=UTF-8' },
      };
      expectSuccess(await server().call('POST', '/track', beacon));
    });

    it('takes the key as Authorization: Bearer too, the scheme in any case', async () => {
      for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
        const headers = { authorization: `${scheme} ${server().keys.trackOnly}` };
        expectSuccess(await server().call('POST', '/track', { body, headers }));
      }
    });

    it('answers 400 VALIDATION_ERROR naming the faulty element, and stores nothing of the request', async () => {
      const events = [{ ...body, name: 'must_not_be_stored' }, { websiteId: 'web_shop' }];
      const answer = await server().call('POST', '/track', { key: server().keys.trackOnly, body: events });
      expectError(answer, 400, 'VALIDATION_ERROR');
      expect(answer.body.details.map((detail: { field: string }) => detail.field)).to.deep.equal([
        'events[1].name',
      ]);
      const query = { parameters: ['custom_events'], preset: 'last_7d' };
      const path = '/v1/query?website_id=web_shop';
      const read = await server().call('POST', path, { key: server().keys.readOnly, body: query });
      const names = read.body.data[0].data.map((row: { name: string }) => row.name);
      expect(names).to.include('signup').and.not.include('must_not_be_stored');
    });

    it('says status error in every error body', async () => {
      for (const options of [{}, { key: server().keys.readOnly }, { key: server().keys.all, body: '{' }]) {
        const answer = await server().call('POST', '/track', { body, ...options });
        expect(answer.status).to.be.at.least(400);
        expect(answer.body.status).to.equal('error');
      }
    });

    it('answers 403 ACCESS_DENIED alike for a missing, a foreign and an unlisted website', async () => {
      const texts = new Set<string>();
      for (const websiteId of ['web_none', 'web_free', 'web_blog']) {
        const event = { name: 'signup', websiteId };
        const answer = await server().call('POST', '/track', { key: server().keys.shopOnly, body: event });
        expectError(answer, 403, 'ACCESS_DENIED');
        texts.add(answer.body.error.replace(websiteId, 'WEBSITE'));
      }
      expect(texts.size).to.equal(1);
    });

    protectedRouteCases(server, route, 'track:events', 'readOnly');
    bodyCases(server, route, { maxBytes: 2 * MIB, acceptsText: true });
  });

  describe('POST /v1/query', () => {
    const body = { parameters: ['summary', 'pages', 'traffic'], preset: 'last_7d' };
    const path = '/v1/query?website_id=web_shop';
    const route = { method: 'POST', path, body, wrongMethods: ['GET', 'PUT', 'DELETE'] };
    const call = (sent: unknown, at = path) =>
      server().call('POST', at, { key: server().keys.readOnly, body: sent });

    it('answers 200 with one result for each dataset, in the shape of the contract', async () => {
      const answer = await call({ id: 'mine', ...body });
      expectSuccess(answer);
      expect(answer.body.success).to.equal(true);
      expect(answer.body.queryId).to.equal('mine');
      const names = answer.body.data.map((result: { parameter: string }) => result.parameter);
      expect(names).to.deep.equal(['summary', 'pages', 'traffic']);
      expect(answer.body.data[0].data).to.have.length(7);
      expect(answer.body.meta.total_parameters).to.equal(3);
    });

    it('answers a batch in request order', async () => {
      const answer = await call([
        { id: 'a', ...body },
        { id: 'b', parameters: ['custom_events'], preset: 'today' },
      ]);
      expectSuccess(answer);
      expect(answer.body.batch).to.equal(true);
      expect(answer.body.results.map((result: { queryId: string }) => result.queryId)).to.deep.equal([
        'a',
        'b',
      ]);
    });

    it('answers 400 VALIDATION_ERROR with every fault at once', async () => {
      const answer = await call({
        parameters: [],
        startDate: 7,
        filters: [{ field: 'path', op: 'near', value: 'x' }],
      });
      expectError(answer, 400, 'VALIDATION_ERROR');
      expect(answer.body.details.length).to.be.greaterThan(2);
    });

    it('answers 400 INVALID_QUERY_TYPE with the nearest name', async () => {
      const answer = await call({ parameters: ['sumary'], preset: 'today' });
      expectError(answer, 400, 'INVALID_QUERY_TYPE');
      expect(answer.body.details[0].suggestion).to.equal('summary');
    });

    it('answers 400 INVALID_DATE_RANGE when the start lies after the end or a date does not exist', async () => {
      for (const [startDate, endDate] of [
        ['2026-02-02', '2026-02-01'],
        ['2026-02-30', '2026-03-01'],
      ]) {
        expectError(await call({ parameters: ['pages'], startDate, endDate }), 400, 'INVALID_DATE_RANGE');
      }
    });

    it('answers 400 MISSING_PROJECT_ID only to a website-specific key without exactly one website', async () => {
      const at = '/v1/query';
      expectError(
        await server().call('POST', at, { key: server().keys.twoWebsites, body }),
        400,
        'MISSING_PROJECT_ID',
      );
      expectSuccess(await server().call('POST', at, { key: server().keys.shopOnly, body }));
      expectSuccess(await server().call('POST', at, { key: server().keys.readOnly, body }));
    });

    it('answers 403 ACCESS_DENIED alike for a missing, a foreign and an unlisted website', async () => {
      const texts = new Set<string>();
      for (const id of ['web_none', 'web_free', 'web_blog']) {
        const at = `/v1/query?website_id=${id}`;
        const answer = await server().call('POST', at, { key: server().keys.shopOnly, body });
        expectError(answer, 403, 'ACCESS_DENIED');
        texts.add(answer.body.error.replace(id, 'WEBSITE'));
      }
      expect(texts.size).to.equal(1);
    });

    protectedRouteCases(server, route, 'read:data', 'trackOnly');
    bodyCases(server, route, { maxBytes: 2 * MIB, acceptsText: false });
  });

  describe('GET /v1/query/websites', () => {
    const route = { method: 'GET', path: '/v1/query/websites', wrongMethods: ['POST', 'DELETE'] };

    it('answers 200 with the websites that the caller reaches', async () => {
      const all = await server().call('GET', route.path, { key: server().keys.readOnly });
      expectSuccess(all);
      expect(all.body.total).to.equal(2);
      expect(all.body.websites.map((website: { id: string }) => website.id)).to.deep.equal([
        'web_blog',
        'web_shop',
      ]);
      const one = await server().call('GET', route.path, { key: server().keys.shopOnly });
      expect(one.body.websites.map((website: { id: string }) => website.id)).to.deep.equal(['web_shop']);
    });

    protectedRouteCases(server, route, 'read:data', 'trackOnly');
  });

  describe('GET /v1/query/types', () => {
    const route = { method: 'GET', path: '/v1/query/types', wrongMethods: ['POST', 'DELETE'] };

    it('answers 200 to anybody and reads no key, good or wrong', async () => {
      const answer = await server().call('GET', route.path);
      expectSuccess(answer);
      expect(answer.body.types).to.include.members(['summary', 'events_by_date', 'pages', 'custom_events']);
      for (const key of [server().keys.trackOnly, server().keys.unknown]) {
        const keyed = await server().call('GET', route.path, { key });
        expectSuccess(keyed);
        expect(keyed.headers.get('x-ratelimit-limit')).to.equal('100');
      }
    });

    it('answers 405 with Allow to a wrong method', async () => {
      for (const method of route.wrongMethods) {
        expectError(await server().call(method, route.path), 405, 'METHOD_NOT_ALLOWED');
      }
    });

    it('answers 429 to the 101st anonymous request of an address within a minute', async () => {
      const calls = Array.from({ length: 101 }, () =>
        server().call('GET', route.path, { address: '192.0.2.7' }),
      );
      const refused = (await Promise.all(calls)).filter((answer) => answer.status === 429);
      expect(refused).to.have.length(1);
      for (const answer of refused) expectError(answer, 429, 'RATE_LIMIT_EXCEEDED');
    });
  });
});
