/** Hostile bodies through a running gateway: no 5xx, and all of a request is stored or nothing. */
import { expect } from 'chai';
import fc from 'fast-check';
import { startTidegate, type TestServer } from '../support/start-tidegate.ts';

const PATHS = ['/track', '/events', '/vitals', '/errors', '/batch', '/'] as const;
const RUNS = 30;
/** What every route takes. */
const VALID = { name: 'valid', type: 'custom', message: 'm', metricName: 'LCP', metricValue: 1 };

const oddText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\0', '\ud800', '__proto__', '%', "'--", 'x'.repeat(3_000)),
);
const oddValue = fc.oneof(oddText, fc.double(), fc.constantFrom(null, true, -1, 1e308), fc.jsonValue());
const FIELDS = ['name', 'title', 'path', 'properties', 'stack', 'sessionId', 'ttfb', 'lineno', '__proto__'];
/** An event of which one field is odd. */
const nearlyValid = fc
  .tuple(fc.constantFrom(...FIELDS), oddValue)
  .map(([field, value]) => Object.fromEntries([...Object.entries(VALID), [field, value]]));
const jsonBody = fc
  .oneof(
    fc.jsonValue(),
    nearlyValid,
    fc.array(nearlyValid, { maxLength: 3 }).map((odd) => [VALID, ...odd]),
  )
  .map((value) => Buffer.from(JSON.stringify(value)));
const body = fc.oneof(
  { weight: 4, arbitrary: jsonBody },
  {
    weight: 1,
    arbitrary: fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  },
);

describe('hostile bodies through the gateway', () => {
  let server: TestServer;
  before(async () => {
    server = await startTidegate();
  });
  after(() => server.close());

  async function countStored(): Promise<number> {
    const answer = await server.call('POST', '/v1/query?website_id=web_shop', {
      key: server.keys.all,
      body: { parameters: ['summary_metrics'], preset: 'last_7d' },
    });
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    return answer.body.data[0].data[0].total_events;
  }

  /** Sends them as one request; how many events were taken. */
  async function send(path: string, bytes: Buffer, type: string): Promise<number> {
    const response = await fetch(`${server.origin}${path}?client_id=web_shop`, {
      method: 'POST',
      headers: { 'x-api-key': server.keys.all, 'content-type': type },
      body: new Uint8Array(bytes),
    });
    const text = await response.text();
    const label = `${path} ${JSON.stringify(bytes.toString('latin1').slice(0, 200))}: ${text.slice(0, 300)}`;
    expect(response.status, label).to.be.oneOf([200, 400]);
    const answer = JSON.parse(text);
    if (response.status === 200) return Number(answer.count ?? answer.processed ?? 1);
    expect(answer.code, label).to.equal('VALIDATION_ERROR');
    expect(answer.details, label).to.not.deep.equal([]);
    return 0;
  }

  it('are taken whole or refused with every fault named, and the gateway goes on', async () => {
    let stored = await countStored();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...PATHS),
        body,
        fc.constantFrom('application/json', 'text/plain'),
        async (path, bytes, type) => {
          const count = await send(path, bytes, type);
          const now = await countStored();
          expect(now - stored, `${path} ${bytes.toString().slice(0, 300)}`).to.equal(count);
          stored = now;
        },
      ),
      { numRuns: RUNS, endOnFailure: true },
    );
    expect(await send('/track', Buffer.from(JSON.stringify([VALID, VALID])), 'application/json')).to.equal(2);
    expect(await countStored()).to.equal(stored + 2);
  });
});
