/** WebSockets through the gateway: who may open one, what the backend learns, and how they end. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { PrometheusMetrics } from '../../../services/shared/metrics/prometheus-metrics.ts';
import { eventually } from '../../support/eventually.ts';
import { withForeignBackends } from '../../support/foreign-backends.ts';
import { startGateway, startUpstream, type TestGateway } from '../../support/start-gateway.ts';
import { checkShop, type ShopOptions } from '../../support/start-shop-gateway.ts';
import type { TempDirectory } from '../../support/temp-directory.ts';
import { startWebSocketBackend, type WebSocketBackend } from '../../support/web-socket-backend.ts';
import { askForWebSocket, openWebSocket } from '../../support/web-socket-client.ts';

describe('WebSockets through the gateway', () => {
  let backend: WebSocketBackend;
  let gateway: TestGateway;
  let folder: TempDirectory;
  const metrics = new PrometheusMetrics();
  /** Paths of ordinary requests that the backend got. */
  const asked: (string | undefined)[] = [];
  /** Connections of a backend that never answers, once a request came there. */
  const waiting: Socket[] = [];
  let silent: Awaited<ReturnType<typeof startUpstream>>;

  before(async () => {
    backend = await startWebSocketBackend(
      (req) => (req.url?.startsWith('/live/refused') ? 403 : null),
      async (req, res) => {
        asked.push(req.url);
        if (req.url === '/live/slow') await sleep(2_000);
        res.end('plain');
      },
    );
    silent = await startUpstream(() => {});
    silent.server.on('upgrade', (_req, socket: Socket) => {
      waiting.push(socket);
      socket.on('error', () => socket.destroy()).on('end', () => socket.destroy());
      socket.resume();
    });
    const service = [`url: ${backend.origin}`, 'identity: headers'];
    folder = withForeignBackends({
      live: { service, proxy: 'webSocket: {}' },
      open: { service, proxy: 'webSocket: {}', endpoint: ['access: public', 'cors: open'] },
      impatient: { service, proxy: 'webSocket: { idleSeconds: 1 }' },
      few: { service, proxy: 'webSocket: { mostPerOrganization: 2 }' },
      narrow: { service, proxy: 'webSocket: {}', endpoint: ['access: session', 'roles: [owner]'] },
      plain: { service },
      silent: { service: [`url: ${silent.origin}`], proxy: 'webSocket: { mostPerOrganization: 1 }' },
    });
    gateway = await startGateway({
      upstream: 'http://127.0.0.1:1',
      configDir: folder.path,
      metrics,
      retiredMs: 10_000,
    });
  });
  afterEach(async () => {
    await eventually(openNow).equals(0);
    backend.opened.length = 0;
    backend.closes.length = 0;
  });
  after(async () => {
    await gateway.close();
    await backend.close();
    await silent.close();
    folder.remove();
  });

  const key = () => ({ 'x-api-key': gateway.key });
  async function openNow(): Promise<number> {
    return Number(/^tidegate_websockets (\d+)$/m.exec(await metrics.text())?.[1] ?? 0);
  }
  const open = (path: string, headers: Record<string, string> = key(), protocols: string[] = []) =>
    openWebSocket(`${gateway.origin}${path}`, headers, protocols);
  const ask = (path: string, headers: Record<string, string> = {}) =>
    askForWebSocket(`${gateway.origin}${path}`, headers);

  it('carry messages of all sizes both ways, and end as the client ends them', async () => {
    const { socket, messages } = await open('/live/chat?room=1', key(), ['chat', 'other']);
    expect(socket.protocol).to.equal('chat');
    const large = Buffer.alloc(1_000_000, 'tide');
    for (const message of ['a', large]) socket.send(message);
    await eventually(() => messages.length).equals(2);
    expect(messages[0]).to.equal('a');
    expect((messages[1] as Buffer).equals(large)).to.equal(true);
    expect(await openNow()).to.equal(1);
    socket.close(1000, 'done');
    await eventually(() => backend.closes).equals([1000]);
  });

  it('tell the backend who calls, and nothing that a client forged', async () => {
    const { socket } = await open('/live', {
      ...key(),
      'x-user-id': 'forged',
      'x-gateway-identity': 'forged',
      'x-gateway-organization': 'forged',
      'x-gateway-user': 'forged',
      cookie: 'a=b',
      'x-mine': 'kept',
    });
    const [seen] = backend.opened;
    const text = JSON.stringify(seen?.rawHeaders);
    expect(text).to.not.include('forged').and.not.include(gateway.key);
    expect(text).to.include('org_t');
    expect(seen?.headers).to.include({ 'x-mine': 'kept', upgrade: 'websocket' });
    expect(seen?.headers).to.not.have.property('cookie');
    socket.close();
  });

  it("answer their open with the headers of every answer, and none that is the gateway's own to set", async () => {
    const answer = await ask('/live', key());
    expect(answer.status).to.equal(101);
    expect(answer.headers).to.include({ connection: 'Upgrade', upgrade: 'websocket' });
    expect(answer.headers).to.include.keys('x-request-id', 'x-ratelimit-limit', 'sec-websocket-accept');
    expect(answer.headers).to.not.have.any.keys('x-powered-by', 'content-length');
  });

  it('are refused like any request, with the body of an error', async () => {
    const cases: [path: string, headers: Record<string, string>, status: number, code: string][] = [
      ['/live', {}, 401, 'AUTH_REQUIRED'],
      ['/live', { 'x-api-key': 'tg_wrong' }, 401, 'INVALID_API_KEY'],
      ['/narrow', key(), 403, 'ACCESS_DENIED'],
      ['/plain', key(), 400, 'VALIDATION_ERROR'],
      ['/no/where/at/all', key(), 404, 'NOT_FOUND'],
    ];
    for (const [path, headers, status, code] of cases) {
      const answer = await ask(path, headers);
      expect([answer.status, JSON.parse(answer.text).code], path).to.deep.equal([status, code]);
      expect(answer.headers, path).to.include({ connection: 'close' });
      expect(answer.headers, path).to.include.keys('x-request-id', 'x-ratelimit-limit');
    }
    expect(backend.opened).to.deep.equal([]);
  });

  it('pass on the answer of a backend that refuses', async () => {
    const answer = await ask('/live/refused', key());
    expect([answer.status, answer.text, answer.headers['x-why']]).to.deep.equal([403, 'no', 'no']);
    await eventually(openNow).equals(0);
  });

  it('are not opened by foreign pages, unless their pages may read the answers', async () => {
    const foreign = { origin: 'https://evil.example' };
    const refused = await ask('/live', { ...key(), ...foreign });
    expect([refused.status, JSON.parse(refused.text).code]).to.deep.equal([403, 'ACCESS_DENIED']);
    expect((await ask('/live', { ...key(), origin: 'http://localhost:3000' })).status).to.equal(101);
    expect((await ask('/open', foreign)).status).to.equal(101);
    const cookie = { cookie: 'tidegate_access=x; __Host-tidegate_access=x', ...foreign };
    expect((await ask('/narrow', cookie)).status).to.equal(403);
    expect(backend.opened).to.have.length(2);
  });

  it('are bounded in number for each organization, and one that ends makes room', async () => {
    const two = [await open('/few'), await open('/few')];
    const third = await ask('/few', key());
    expect([third.status, third.headers['retry-after']]).to.deep.equal([429, '1']);
    expect(JSON.parse(third.text)).to.include({ code: 'RATE_LIMIT_EXCEEDED', limit: 2, remaining: 0 });
    two[0]?.socket.close();
    await eventually(async () => (await ask('/few', key())).status).equals(101);
    two[1]?.socket.close();
  });

  it('end when neither side sends anything, and not while one does', async () => {
    const heard = await open('/impatient');
    await eventually(() => heard.closed).equals({ code: 1001, reason: 'nothing was sent for too long' });
    await eventually(() => backend.closes).equals([1001]);
  });

  it('end in good order when a reload replaced their configuration, and new ones open', async () => {
    const heard = await open('/live');
    const { gateway: running } = gateway.reloadParts;
    await running.reload(running.configuration);
    heard.socket.send('still there');
    await eventually(() => heard.messages).equals(['still there']);
    const next = await open('/live');
    await eventually(() => heard.closed).equals({ code: 1001, reason: 'the gateway restarts' });
    expect(next.closed).to.equal(null);
    next.socket.close();
  });

  it('leave a request as it is that asks for another protocol, or has a body', async () => {
    const h2c = await askForWebSocket(`${gateway.origin}/plain`, {
      ...key(),
      connection: 'Upgrade, HTTP2-Settings',
      upgrade: 'h2c',
    });
    expect([h2c.status, h2c.text]).to.deep.equal([200, 'plain']);
    expect((await askForWebSocket(`${gateway.origin}/live`, key(), 'POST')).status).to.equal(200);
  });

  it('do not open behind an answer that is still under way on the connection', async () => {
    const { hostname, port } = new URL(gateway.origin);
    const text = (path: string, further: string) =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\nx-api-key: ${gateway.key}\r\n${further}\r\n`;
    const socket = connect(Number(port), hostname);
    let answers = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      answers += chunk;
    });
    const ended = once(socket, 'end');
    const upgrade = text('/live', 'Connection: Upgrade\r\nUpgrade: websocket\r\n');
    socket.write(text('/plain', '') + upgrade + text('/plain', ''));
    await ended;
    expect(answers.match(/HTTP\/1\.1 \d+/g)).to.deep.equal(['HTTP/1.1 200', 'HTTP/1.1 200']);
    expect(backend.opened).to.deep.equal([]);
  });

  it('leave nothing behind a request for another protocol that is executed, such as the rest of a body', async () => {
    const { hostname, port } = new URL(gateway.origin);
    const text = (line: string, further: string) =>
      `${line} HTTP/1.1\r\nHost: x\r\nx-api-key: ${gateway.key}\r\n${further}\r\n`;
    const inner = text('GET /live/smuggled', '');
    const socket = connect(Number(port), hostname);
    let answers = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      answers += chunk;
    });
    const ended = once(socket, 'end');
    asked.length = 0;
    socket.write(
      text('GET /live/slow', 'Connection: Upgrade\r\nUpgrade: h2c\r\n') +
        text('POST /live/second', `Content-Type: text/plain\r\nContent-Length: ${inner.length}\r\n`),
    );
    await eventually(() => asked).equals(['/live/slow']);
    socket.write(inner);
    await ended;
    expect(answers.match(/HTTP\/1\.1 \d+/g)).to.deep.equal(['HTTP/1.1 200']);
    expect(answers).to.match(/^connection: close\r$/im);
    expect(asked).to.deep.equal(['/live/slow']);
  });

  it('are given up when the client leaves before the backend answers', async () => {
    const { hostname, port } = new URL(gateway.origin);
    const socket = connect(Number(port), hostname);
    socket.write(
      `GET /silent HTTP/1.1\r\nHost: x\r\nx-api-key: ${gateway.key}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    );
    await eventually(() => waiting.length).equals(1);
    expect((await ask('/silent', key())).status).to.equal(429);
    socket.end();
    await eventually(() => waiting[0]?.destroyed).equals(true);
    const next = connect(Number(port), hostname);
    next.write(
      `GET /silent HTTP/1.1\r\nHost: x\r\nx-api-key: ${gateway.key}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    );
    await eventually(() => waiting.length).equals(2);
    next.destroy();
    await eventually(() => waiting[1]?.destroyed).equals(true);
  });
});

describe('webSocket of a proxy', () => {
  const at = 'gateway.config.yml pipelines.shop.policies[4].proxy[0].action';
  const checked = (parameters: string, more: Partial<ShopOptions> = {}) =>
    checkShop({
      steps: [],
      plugins: [],
      answer: `- proxy: [{ action: { ${parameters} } }]`,
      services: { shop: 'http://shop.test:8080' },
      ...more,
    });

  it('is refused where no WebSocket can be opened', async () => {
    const found = [
      await checked('serviceEndpoint: shop, webSocket: { idle: 5 }'),
      await checked('serviceEndpoint: shop, webSocket: { idleSeconds: 0 }'),
      await checked('serviceEndpoint: shop, webSocket: {}', {
        endpoint: ['paths: "/shop/*"', 'access: optional', 'methods: [POST]'],
      }),
      await checked('serviceEndpoint: shop, webSocket: {}', {
        endpoint: ['paths: "/shop/*"', 'access: optional', 'host: shop.test'],
      }),
    ].map((faults) => (Array.isArray(faults) ? faults[0] : 'no fault'));
    expect(found).to.deep.equal([
      `${at}.webSocket.idle: unknown key "idle"; allowed: idleSeconds, mostPerOrganization`,
      `${at}.webSocket.idleSeconds: 0 is not allowed; allowed: an integer from 1 to 86400`,
      `${at}.webSocket: no endpoint of this pipeline answers GET, by which a WebSocket is opened`,
      `${at}.webSocket: works in the dispatch table alone: no host, regular expression or condition in its pipeline`,
    ]);
    const own = await checked('serviceEndpoint: query, webSocket: {}', { services: {} });
    expect(own).to.include(`${at}.webSocket: "query" is a service of Tidegate, and none takes WebSockets`);
  });
});

describe('a gateway that closes', () => {
  it('ends its WebSockets in good order, and waits for none', async () => {
    const backend = await startWebSocketBackend();
    const folder = withForeignBackends({
      live: { service: [`url: ${backend.origin}`], proxy: 'webSocket: {}' },
    });
    const gateway = await startGateway({ upstream: 'http://127.0.0.1:1', configDir: folder.path });
    const heard = await openWebSocket(`${gateway.origin}/live`, { 'x-api-key': gateway.key });
    await gateway.close();
    await eventually(() => heard.closed).equals({ code: 1001, reason: 'the gateway restarts' });
    await eventually(() => backend.closes).equals([1001]);
    await backend.close();
    folder.remove();
  });
});
