/** POST /v1/query in lines, through the whole server: the same datasets as in JSON, and the usual errors. */
import { expect } from 'chai';
import { expectCommonHeaders, expectSuccess } from '../support/answers.ts';
import { allLines, linesOf } from '../support/lines.ts';
import { startGateway, type TestGateway } from '../support/start-gateway.ts';
import { startTidegate, type TestServer } from '../support/start-tidegate.ts';
import { until } from '../support/until.ts';
import { UpstreamService } from '../support/upstream-service.ts';

const PATH = '/v1/query?website_id=web_shop';
const DAY = { startDate: '2025-01-15', endDate: '2025-01-15' };

describe('POST /v1/query in lines, through the gateway', () => {
  let server: TestServer;
  before(async () => {
    server = await startTidegate();
    const events = ['/', '/pricing', '/"quoted"\nline'].map((path) => ({
      name: 'screen_view',
      websiteId: 'web_shop',
      anonymousId: 'ada',
      path,
      timestamp: '2025-01-15T10:00:00Z',
    }));
    expectSuccess(await server.call('POST', '/track', { key: server.keys.all, body: events }));
  });
  after(() => server.close());

  const openAs = (key: string, body: unknown) =>
    fetch(`${server.origin}${PATH}`, {
      method: 'POST',
      headers: {
        accept: 'application/x-ndjson',
        'accept-encoding': 'gzip, br',
        'content-type': 'application/json',
        'x-api-key': key,
      },
      body: JSON.stringify(body),
    });

  it('has the datasets and the meta of the JSON answer, uncompressed and with the headers of every answer', async () => {
    const body = { parameters: ['pages', 'summary', 'events_by_date'], ...DAY };
    const json = await server.call('POST', PATH, { key: server.keys.readOnly, body });
    expectSuccess(json);
    expect(json.body.data[0].data).to.have.length(3);
    const response = await openAs(server.keys.readOnly, body);
    expect(response.status).to.equal(200);
    expectCommonHeaders(response.headers);
    expect(response.headers.get('content-type')).to.equal('application/x-ndjson');
    expect(response.headers.get('content-encoding')).to.equal(null);
    const lines = await allLines<Record<string, unknown>>(response);
    expect(lines).to.deep.equal([
      ...json.body.data.map((dataset: object, index: number) => ({ request: 0, dataset: index, ...dataset })),
      { meta: json.body.meta },
    ]);
  });

  it('is the usual error for a key without the scope, and for a request that is refused', async () => {
    const refused = await openAs(server.keys.trackOnly, { parameters: ['pages'], ...DAY });
    expect([refused.status, ((await refused.json()) as { code: string }).code]).to.deep.equal([
      403,
      'INSUFFICIENT_SCOPE',
    ]);
    const wrong = await openAs(server.keys.readOnly, { parameters: ['nonsense'], ...DAY });
    expect([wrong.status, ((await wrong.json()) as { code: string }).code]).to.deep.equal([
      400,
      'INVALID_QUERY_TYPE',
    ]);
  });
});

describe('lines of a query service, through the gateway', () => {
  let upstream: UpstreamService;
  let gateway: TestGateway;
  before(async () => {
    upstream = await UpstreamService.start();
    gateway = await startGateway({ upstream: upstream.origin });
  });
  after(async () => {
    await gateway.close();
    await upstream.kill();
  });

  const open = (signal?: AbortSignal) =>
    fetch(`${gateway.origin}${PATH}`, {
      method: 'POST',
      signal: signal ?? null,
      headers: {
        accept: 'application/x-ndjson',
        'content-type': 'application/json',
        'x-api-key': gateway.key,
      },
      body: JSON.stringify({ parameters: ['pages', 'summary'], ...DAY }),
    });

  it('reach the caller one by one, each before the next is written', async () => {
    let write: (line: object | null) => void = () => {};
    upstream.answer = (req, res) => {
      expect(req.headers.accept).to.equal('application/x-ndjson');
      res.writeHead(200, { 'content-type': 'application/x-ndjson' });
      write = (line) => (line === null ? res.end() : res.write(`${JSON.stringify(line)}\n`));
      write({ dataset: 0 });
    };
    const lines = linesOf<object>(await open());
    expect((await lines.next()).value).to.deep.equal({ dataset: 0 });
    write({ dataset: 1 });
    expect((await lines.next()).value).to.deep.equal({ dataset: 1 });
    write(null);
    expect((await lines.next()).done).to.equal(true);
  });

  it('end at the service when the caller leaves', async () => {
    let hasLeft = false;
    upstream.answer = (_req, res) => {
      res.on('close', () => {
        hasLeft = true;
      });
      res.writeHead(200, { 'content-type': 'application/x-ndjson' });
      res.write('{"dataset":0}\n');
    };
    const left = new AbortController();
    await linesOf<object>(await open(left.signal)).next();
    left.abort();
    await until('the service learns of it', () => hasLeft);
  });
});
