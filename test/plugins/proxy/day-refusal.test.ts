/** Whose 429 is told with the numbers of the limit `public`: that of tracking to nobody in particular, and no other service's. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { expect } from 'chai';
import { startGateway, startUpstream, type TestGateway } from '../../support/start-gateway.ts';
import { balancedConfiguration } from '../../support/upstream-service.ts';

const MIDNIGHT = 4_102_444_800;
const TOLD: OutgoingHttpHeaders = {
  'content-type': 'application/json',
  'retry-after': '4711',
  'x-ratelimit-reset': `${MIDNIGHT}`,
};
const TEXT = 'The day is over; retry in 4711 s.';
const BODY = JSON.stringify({ error: TEXT, limit: 5, remaining: 3, reset: 'never', retryAfter: 1 });

describe('a 429 of a service', () => {
  let gateway: TestGateway;
  let upstream: Awaited<ReturnType<typeof startUpstream>>;
  let told: OutgoingHttpHeaders;
  let body: string;

  before(async () => {
    upstream = await startUpstream((req, res) => {
      req.resume();
      req.on('end', () => res.writeHead(429, told).end(body));
    });
    gateway = await startGateway({ upstream: upstream.origin });
  });
  beforeEach(() => {
    told = TOLD;
    body = BODY;
  });
  after(async () => {
    await gateway.close();
    await upstream.close();
  });

  const send = async (path: string, init: RequestInit = {}, { origin } = gateway) => {
    const response = await fetch(origin + path, { headers: { 'x-forwarded-for': '192.0.2.7' }, ...init });
    const shown = ['limit', 'remaining', 'reset'].map((name) =>
      Number(response.headers.get(`x-ratelimit-${name}`)),
    );
    return { status: response.status, headers: response.headers, shown, text: await response.text() };
  };
  const event = { method: 'POST', body: '{"name":"seen"}' };
  const keyed = () => ({ ...event, headers: { 'x-api-key': gateway.key } });

  it('of tracking, to a sender without a key, shows the limit public, used up until the instant told', async () => {
    const answer = await send('/events?client_id=web_1', event);
    expect(answer.status).to.equal(429);
    expect(answer.shown).to.deep.equal([100, 0, MIDNIGHT]);
    expect(answer.headers.get('retry-after')).to.equal('4711');
    expect(JSON.parse(answer.text)).to.deep.include({
      ...{ success: false, status: 'error', code: 'RATE_LIMIT_EXCEEDED', error: TEXT, message: TEXT },
      ...{ limit: 100, remaining: 0, reset: '2100-01-01T00:00:00.000Z', retryAfter: 4711 },
    });
    body = '<html>';
    const wordless = await send('/events?client_id=web_1', event);
    expect(JSON.parse(wordless.text)).to.include({ limit: 100, remaining: 0, retryAfter: 4711 });
  });

  it('of tracking passes as it came when it does not tell until when, or the sender has a key', async () => {
    expect((await send('/track', keyed())).text).to.equal(BODY);
    for (const wrong of [undefined, '', '-5', '1e9', 'soon', '0']) {
      const { 'x-ratelimit-reset': _, ...rest } = TOLD;
      told = wrong === undefined ? rest : { ...rest, 'x-ratelimit-reset': wrong };
      const answer = await send('/events?client_id=web_1', event);
      expect([answer.status, answer.text, answer.shown[0]]).to.deep.equal([429, BODY, 100]);
      expect(answer.shown[1], 'what is left').to.be.above(0);
    }
  });

  it('of another service, and of a foreign backend, is believed in nothing', async () => {
    const folder = balancedConfiguration('');
    const backend = await startUpstream((_req, res) => res.writeHead(429, told).end(body));
    const file = folder.file('gateway.config.yml');
    const own = /url: \$\{TRACKING_URL\}\s+audience: tracking\n/;
    writeFileSync(file, readFileSync(file, 'utf8').replace(own, `url: ${backend.origin}\n`));
    const foreign = await startGateway({ upstream: upstream.origin, configDir: folder.path });
    const query = await send('/v1/query/types');
    for (const answer of [query, await send('/events?client_id=web_1', event, foreign)]) {
      expect([answer.status, answer.text]).to.deep.equal([429, BODY]);
      expect([answer.shown[0], answer.shown[1]]).to.deep.equal([100, 99]);
      expect(answer.shown[2]).to.be.below(MIDNIGHT);
    }
    await foreign.close();
    await backend.close();
    folder.remove();
  });
});
