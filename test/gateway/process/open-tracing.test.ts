/** A traced request is one trace from the gateway to the stores, as a collector gets it; who may have requests traced; and nothing when off. */
import { expect } from 'chai';
import { createLogWatch } from '../../support/log-watch.ts';
import { startTidegate, type TestServer } from '../../support/start-tidegate.ts';
import {
  type CollectedSpan,
  startTraceCollector,
  type TraceCollector,
} from '../../support/trace-collector.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SENT = `00-${TRACE}-00f067aa0ba902b7-01`;
const [INTERNAL, SERVER, CLIENT] = [1, 2, 3];

describe('tracing', function () {
  this.timeout(30_000);
  let collector: TraceCollector;
  let server: TestServer | null = null;

  beforeEach(async () => {
    collector = await startTraceCollector();
  });
  afterEach(async () => {
    await server?.close();
    server = null;
    await collector.close();
  });

  const start = async (sample: string, settings: Record<string, string> = {}) => {
    server = await startTidegate({
      settings: { TRACING_URL: collector.url, TRACING_SAMPLE: sample, ...settings },
    });
    return server;
  };
  /** Spans wait some seconds to be sent, and at most until the end. */
  async function collected(): Promise<CollectedSpan[]> {
    await server?.close();
    server = null;
    return collector.spans;
  }
  const named = (spans: readonly CollectedSpan[], name: string): CollectedSpan => {
    const found = spans.find((span) => span.name === name);
    expect(found, `${name} in ${spans.map((span) => span.name).join(', ')}`).to.not.equal(undefined);
    return found as CollectedSpan;
  };

  it('joins gateway, policies, backend, service and stores in the trace of the client', async () => {
    const { call, keys } = await start('0');
    const headers = { traceparent: SENT };
    expect((await call('GET', '/v1/websites/web_shop', { key: keys.all, headers })).status).to.equal(200);
    const spans = await collected();
    expect(new Set(spans.map(({ traceId }) => traceId))).to.deep.equal(new Set([TRACE]));
    const gateway = named(spans, 'GET /v1/websites/:id');
    expect(gateway).to.include({
      kind: SERVER,
      parentSpanId: '00f067aa0ba902b7',
      service: 'tidegate',
      failed: false,
    });
    expect(gateway.attributes).to.include({
      'http.request.method': 'GET',
      'http.route': '/v1/websites/:id',
      'tidegate.endpoint': 'websites',
      'tidegate.organization': 'org_main',
    });
    expect(Number(gateway.attributes['http.response.status_code'])).to.equal(200);
    for (const policy of ['auth', 'body', 'scopes', 'rate-limit', 'proxy'])
      expect(named(spans, `policy ${policy}`)).to.include({ kind: INTERNAL, parentSpanId: gateway.spanId });
    const upstream = named(spans, 'upstream resources');
    expect(upstream).to.include({ kind: CLIENT, parentSpanId: named(spans, 'policy proxy').spanId });
    const service = named(spans, 'resources GET /v1/websites/:id');
    expect(service).to.include({ kind: SERVER, parentSpanId: upstream.spanId });
    expect(named(spans, 'store documents.websites.get')).to.include({
      kind: CLIENT,
      parentSpanId: service.spanId,
    });
  });

  it('tells why a request was refused, and holds no secret, query or body', async () => {
    const { call, keys } = await start('1');
    await call('POST', '/v1/query?website_id=web_shop&timezone=Europe/Paris', {
      key: keys.all,
      headers: { 'x-planted': 'in-a-header' },
      body: {
        parameters: ['summary'],
        preset: 'today',
        filters: [{ field: 'path', op: 'eq', value: 'in-the-body' }],
      },
    });
    await call('GET', '/v1/websites', { key: keys.trackOnly });
    await call('GET', '/nowhere/planted-in-the-path');
    const spans = await collected();
    expect(named(spans, 'GET /v1/websites').attributes).to.include({ 'error.type': 'INSUFFICIENT_SCOPE' });
    expect(named(spans, 'store events.run').kind).to.equal(CLIENT);
    const text = collector.bodies.join('\n');
    for (const secret of [
      'in-the-query',
      'in-a-header',
      'in-the-body',
      'planted-in-the-path',
      keys.all,
      keys.trackOnly,
    ])
      expect(text).to.not.include(secret);
  });

  it('traces a share of its own choice of what strangers send, whatever they ask for', async () => {
    const { call, keys } = await start('0', { TRUSTED_PROXIES: '' });
    for (let count = 0; count < 20; count++)
      await call('GET', '/v1/query/websites', { key: keys.all, headers: { traceparent: SENT } });
    expect(await collected()).to.deep.equal([]);
  });

  it('leaves a request alone that its sender does not trace, and one whose header is no trace', async () => {
    const { call, keys } = await start('0');
    for (const traceparent of [
      SENT.replace(/01$/, '00'),
      'nonsense',
      `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    ])
      expect(
        (await call('GET', '/v1/query/websites', { key: keys.all, headers: { traceparent } })).status,
      ).to.equal(200);
    expect(await collected()).to.deep.equal([]);
  });

  it('loses spans and no request while the collector refuses, and says so once', async () => {
    const log = createLogWatch();
    server = await startTidegate({
      settings: { TRACING_URL: collector.url, TRACING_SAMPLE: '1' },
      logger: log.logger,
    });
    collector.answer(400);
    for (let count = 0; count < 5; count++)
      expect((await server.call('GET', '/v1/query/websites', { key: server.keys.all })).status).to.equal(200);
    await collected();
    expect(log.lines.filter((line) => line.includes('spans could not be sent'))).to.have.length(1);
  });
});
