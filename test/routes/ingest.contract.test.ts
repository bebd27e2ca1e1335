/** The contract of the ingest routes that need no key, status by status, through the whole server; /track stands with the other routes. */
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { expectCommonHeaders, expectError, expectSuccess } from '../support/answers.ts';
import { bodyCases, keylessRouteCases, type RouteCase } from '../support/route-cases.ts';
import { newAddress, readAnswer, startTidegate, type TestServer } from '../support/start-tidegate.ts';

const MIB = 1024 * 1024;
const WEBSITE = 'client_id=web_shop';
const SUCCESS = { status: 'success', success: true };

interface Case extends RouteCase {
  /** The answer to `body`. */
  readonly answer: unknown;
}

const wrongMethods = ['PUT', 'PATCH', 'DELETE'];
const CASES: readonly Case[] = [
  {
    method: 'POST',
    path: '/identify',
    body: { profileId: 'user-1', anonymousId: 'visitor-1', traits: { plan: 'pro' } },
    answer: { ...SUCCESS, type: 'identify' },
    wrongMethods: ['PUT'],
  },
  {
    method: 'POST',
    path: '/events',
    body: [{ eventName: 'signup' }, { name: 'signup' }],
    answer: { ...SUCCESS, type: 'custom_event', count: 2 },
    wrongMethods,
  },
  {
    method: 'POST',
    path: '/vitals',
    body: [{ metricName: 'LCP', metricValue: 1800 }],
    answer: { ...SUCCESS, type: 'web_vitals', count: 1 },
    wrongMethods,
  },
  {
    method: 'POST',
    path: '/errors',
    body: [{ message: 'x is not a function' }],
    answer: { ...SUCCESS, type: 'error', count: 1 },
    wrongMethods,
  },
  {
    method: 'POST',
    path: '/batch',
    body: [{ type: 'custom', name: 'signup', eventId: 'contract-1' }],
    answer: {
      ...SUCCESS,
      batch: true,
      processed: 1,
      results: [{ status: 'success', type: 'custom', eventId: 'contract-1' }],
    },
    wrongMethods,
  },
  {
    method: 'POST',
    path: '/',
    body: { type: 'custom', name: 'signup', eventId: 'contract-2' },
    answer: { ...SUCCESS, type: 'custom', eventId: 'contract-2' },
    // GET leads to the dashboard.
    wrongMethods,
  },
];

describe('the contract of ingest without a key', () => {
  let started: TestServer;
  const server = () => started;

  before(async () => {
    started = await startTidegate();
  });
  after(() => started.close());

  for (const route of CASES) {
    const naming = `${route.path}?${WEBSITE}`;
    describe(`${route.method} ${route.path}`, () => {
      it('answers 200 to a key, and to nobody for a website that lets them', async () => {
        const { method, body } = route;
        for (const key of [server().keys.trackOnly, server().keys.shopOnly]) {
          const answer = await server().call(method, naming, { key, body });
          expectSuccess(answer);
          expect(answer.body).to.deep.equal(route.answer);
        }
        const answer = await server().call(method, naming, { body });
        expectSuccess(answer);
        expect(answer.body).to.deep.equal(route.answer);
        expect(answer.headers.get('x-ratelimit-limit')).to.equal('100');
      });

      it('answers a beacon in text/plain from a page of the website, for any page to read', async () => {
        const headers = { 'content-type': 'text/plain;charset=UTF-8', origin: 'https://shop.example.com' };
        const beacon = await server().call('POST', naming, { body: JSON.stringify(route.body), headers });
        expectSuccess(beacon);
        expect(beacon.headers.get('access-control-allow-origin')).to.equal('*');
        expect(beacon.headers.get('access-control-allow-credentials')).to.equal(null);
      });

      it('answers the preflight of any page with 204, uncounted', async () => {
        const asked = 'content-type, databuddy-client-id, x-api-key';
        const headers = {
          origin: 'https://shop.example.com',
          'access-control-request-method': 'POST',
          'access-control-request-headers': asked,
          'x-forwarded-for': newAddress(),
        };
        const answer = await fetch(`${server().origin}${naming}`, { method: 'OPTIONS', headers });
        expect(answer.status).to.equal(204);
        expect(answer.headers.get('access-control-allow-origin')).to.equal('*');
        const allowed = answer.headers.get('access-control-allow-headers')?.toLowerCase().split(', ');
        expect(allowed).to.include.members(asked.split(', '));
        expect(answer.headers.get('x-ratelimit-remaining')).to.equal('100');
      });

      it('says status error in every error body, and lets any page read it', async () => {
        const origin = 'https://evil.example.net';
        const answers = [
          await server().call('POST', route.path, { body: route.body }),
          await server().call('POST', naming, { body: route.body, headers: { origin } }),
          await server().call('POST', naming, { key: server().keys.readOnly, body: route.body }),
          await server().call('POST', naming, { body: [] }),
        ];
        expect(answers.map(({ status }) => status)).to.deep.equal([401, 403, 403, 400]);
        for (const answer of answers) {
          expect(answer.body.status).to.equal('error');
          expect(answer.body.details).to.be.an('array');
        }
        expect(answers[1]?.headers.get('access-control-allow-origin')).to.equal('*');
      });

      keylessRouteCases(server, route, naming);
      bodyCases(server, { ...route, path: naming }, { maxBytes: 2 * MIB, acceptsText: true });
    });
  }

  describe('GET /px.gif', () => {
    const route = { method: 'GET', path: '/px.gif', wrongMethods: ['POST', 'PUT', 'DELETE'] };

    it('answers 200 with a picture, to a key and to nobody, who alone is a visitor', async () => {
      for (const options of [{}, { key: server().keys.trackOnly }]) {
        const path = `/px.gif?${WEBSITE}&name=screen_view&path=/newsletter`;
        const answer = await server().call('GET', path, options);
        expectSuccess(answer);
        expect(answer.headers.get('content-type')).to.equal('image/gif');
        expect(answer.body).to.match(/^GIF89a/);
      }
      const query = { parameters: ['pages'], preset: 'last_7d' };
      const key = server().keys.readOnly;
      const read = await server().call('POST', '/v1/query?website_id=web_shop', { key, body: query });
      expect(read.body.data[0].data).to.deep.include({ path: '/newsletter', pageviews: 2, visitors: 1 });
    });

    it('answers HEAD with the headers of the picture and no byte', async () => {
      const headers = { 'x-forwarded-for': newAddress() };
      const answer = await fetch(`${server().origin}/px.gif?${WEBSITE}`, { method: 'HEAD', headers });
      expect([answer.status, answer.headers.get('content-type')]).to.deep.equal([200, 'image/gif']);
      expectCommonHeaders(answer.headers);
      expect((await answer.arrayBuffer()).byteLength).to.equal(0);
    });

    it('answers 400 VALIDATION_ERROR that names the faulty parameter', async () => {
      const answer = await server().call('GET', `/px.gif?${WEBSITE}&scroll_depth=101`);
      expectError(answer, 400, 'VALIDATION_ERROR');
      expect(answer.body.details[0].field).to.equal('scroll_depth');
    });

    keylessRouteCases(server, route, `/px.gif?${WEBSITE}`);
  });

  it('reads compressed bodies, and refuses one that inflates beyond 2 MB with 413', async () => {
    const send = async (text: string) => {
      const headers = { 'content-encoding': 'gzip', 'x-forwarded-for': newAddress() };
      const url = `${server().origin}/events?${WEBSITE}`;
      return readAnswer(await fetch(url, { method: 'POST', headers, body: new Uint8Array(gzipSync(text)) }));
    };
    expectSuccess(await send(JSON.stringify([{ name: 'compressed' }])));
    expectError(await send(`{"name":"bomb","ignored":"${'x'.repeat(3 * MIB)}"}`), 413, 'PAYLOAD_TOO_LARGE');
  });

  it('counts ingest without a key apart from other public requests of the address', async () => {
    const address = newAddress();
    const left = async (method: string, path: string, body?: unknown) => {
      const answer = await server().call(method, path, { address, body });
      return answer.headers.get('x-ratelimit-remaining');
    };
    expect(await left('POST', `/events?${WEBSITE}`, { name: 'counted' })).to.equal('99');
    expect(await left('GET', '/v1/query/types')).to.equal('99');
    expect(await left('POST', `/batch?${WEBSITE}`, { name: 'counted' })).to.equal('98');
  });
});
