/** Which pages may read which answers, errors and preflights included, and that a preflight costs nobody anything. */
import { expect } from 'chai';
import { expectCommonHeaders } from '../../../support/answers.ts';
import {
  OWN_ORIGIN,
  type SessionGateway,
  startSessionGateway,
} from '../../../support/start-session-gateway.ts';
import type { Answer } from '../../../support/start-tidegate.ts';

const FOREIGN = 'https://shop.example.net';
const OPEN = [
  ['POST', '/track'],
  ['GET', '/v1/query/types'],
  ['GET', '/openapi.json'],
] as const;
const CLOSED = [
  ['POST', '/v1/query'],
  ['GET', '/v1/websites'],
  ['GET', '/v1/websites/web_1'],
  ['POST', '/v1/auth/login'],
  ['GET', '/v1/auth/session'],
  ['GET', '/v1/nothing/here'],
  ['GET', '/health'],
] as const;

const EXPOSED =
  'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Request-Id, ETag, Location, X-Query-Failed, X-Truncated, X-Next-Cursor, Content-Disposition';

describe('CORS', () => {
  let gateway: SessionGateway;

  before(async () => {
    gateway = await startSessionGateway();
  });
  after(() => gateway.close());

  /** CORS headers, and where there are any whether `Vary` names the origin: what else it names is another matter. */
  const corsOf = (answer: Answer): Record<string, string> => {
    const cors = [...answer.headers].filter(([name]) => name.startsWith('access-control-'));
    const names = answer.headers.get('vary')?.split(', ') ?? [];
    return Object.fromEntries(
      cors.length > 0 && names.includes('Origin') ? [...cors, ['vary', 'Origin']] : cors,
    );
  };
  const preflight = (path: string, origin: string, method: string) =>
    gateway.call('OPTIONS', path, {
      origin,
      headers: [
        ['Access-Control-Request-Method', method],
        ['Access-Control-Request-Headers', 'x-api-key,content-type'],
      ],
    });
  const bodyFor = (method: string) => (method === 'POST' ? {} : undefined);

  for (const [method, path] of OPEN) {
    it(`lets any page read ${method} ${path} without credentials, its errors too`, async () => {
      for (const key of [gateway.key, 'nonsense']) {
        const answer = await gateway.call(method, path, { origin: FOREIGN, key, body: bodyFor(method) });
        // Public endpoints read no key, so that a wrong one is no matter there.
        expect(answer.status).to.equal(key === 'nonsense' && method === 'POST' ? 401 : 200);
        expect(corsOf(answer)).to.deep.equal({
          'access-control-allow-origin': '*',
          'access-control-expose-headers': EXPOSED,
          vary: 'Origin',
        });
      }
    });

    it(`answers the preflight of ${method} ${path} for any page`, async () => {
      const answer = await preflight(path, FOREIGN, method);
      expect([answer.status, answer.body]).to.deep.equal([204, null]);
      const cors = corsOf(answer);
      expect(cors['access-control-allow-origin']).to.equal('*');
      expect(cors).to.not.have.property('access-control-allow-credentials');
      expect(cors['access-control-allow-methods']?.split(', ')).to.include(method);
    });
  }

  for (const [method, path] of CLOSED) {
    it(`gives pages of other sites no CORS headers on ${method} ${path}`, async () => {
      for (const origin of [FOREIGN, 'null', 'https://example.com.evil.com']) {
        const answer = await gateway.call(method, path, { origin, body: bodyFor(method) });
        expect(corsOf(answer)).to.deep.equal({});
        const asked = await preflight(path, origin, method);
        expect([asked.status, corsOf(asked)]).to.deep.equal([204, {}]);
      }
    });
  }

  for (const [method, path] of [...OPEN, ...CLOSED]) {
    it(`echoes an own origin with credentials on ${method} ${path}, errors and preflight too`, async () => {
      const cookies = await gateway.login('owner@example.com');
      for (const key of [undefined, 'nonsense']) {
        const answer = await gateway.call(method, path, { cookies, key, body: bodyFor(method) });
        expect(corsOf(answer)).to.deep.equal({
          'access-control-allow-origin': OWN_ORIGIN,
          'access-control-allow-credentials': 'true',
          'access-control-expose-headers': EXPOSED,
          vary: 'Origin',
        });
      }
      const asked = await preflight(path, OWN_ORIGIN, method);
      expect(asked.status).to.equal(204);
      expect(asked.headers.get('access-control-allow-origin')).to.equal(OWN_ORIGIN);
      expect(asked.headers.get('access-control-allow-credentials')).to.equal('true');
      expect(asked.headers.get('vary')).to.equal('Origin');
      const allowed = asked.headers.get('access-control-allow-headers')?.toLowerCase().split(', ');
      expect(allowed).to.include.members([
        'x-api-key',
        'authorization',
        'content-type',
        'if-match',
        'databuddy-client-id',
        'databuddy-sdk-name',
        'databuddy-sdk-version',
      ]);
      expectCommonHeaders(asked.headers, gateway.clock.now());
    });
  }

  it('never counts a preflight, with a key neither', async () => {
    const headers = [
      ['Access-Control-Request-Method', 'GET'],
      ['X-Forwarded-For', '192.0.2.200'],
    ] as const;
    for (let times = 0; times < 120; times++) {
      const answer = await gateway.call('OPTIONS', '/v1/query/types', {
        origin: FOREIGN,
        headers,
        key: gateway.key,
      });
      expect(answer.status).to.equal(204);
      expect(answer.headers.get('x-ratelimit-remaining')).to.equal('100');
    }
    const { headers: counted } = await gateway.call('GET', '/v1/query/websites', { key: gateway.key });
    const first = Number(counted.get('x-ratelimit-remaining'));
    await preflight('/v1/query/websites', OWN_ORIGIN, 'GET');
    const { headers: next } = await gateway.call('GET', '/v1/query/websites', { key: gateway.key });
    expect(Number(next.get('x-ratelimit-remaining'))).to.equal(first - 1);
  });

  it('answers 405 to an OPTIONS that is no preflight, with the headers that its page may read', async () => {
    const answer = await gateway.call('OPTIONS', '/v1/query/types', { origin: OWN_ORIGIN });
    expect([answer.status, answer.headers.get('allow')]).to.deep.equal([405, 'GET, HEAD']);
    expect(answer.headers.get('access-control-allow-origin')).to.equal(OWN_ORIGIN);
  });

  it('lets a page read 429 too', async () => {
    const headers = [['X-Forwarded-For', '192.0.2.201']] as const;
    const call = () => gateway.call('GET', '/v1/query/types', { origin: FOREIGN, headers });
    const answers: Answer[] = [];
    for (let times = 0; times < 101; times++) answers.push(await call());
    const refused = answers.at(-1);
    expect(refused?.status).to.equal(429);
    expect(refused?.headers.get('access-control-allow-origin')).to.equal('*');
  });

  it('says what a cache must know of an open answer that no page asked for', async () => {
    const answer = await gateway.call('GET', '/v1/query/types', { origin: null });
    expect(corsOf(answer)).to.include({ 'access-control-allow-origin': '*', vary: 'Origin' });
    expect(
      corsOf(await gateway.call('GET', '/v1/websites', { origin: null, key: gateway.key })),
    ).to.deep.equal({});
  });
});
