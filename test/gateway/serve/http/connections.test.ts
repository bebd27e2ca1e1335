/** Connections of clients: a share for each address, a bound on all, a first byte in time; others are served meanwhile. */
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { ConnectionBounds } from '../../../../gateway/serve/http/connection-bounds.ts';
import {
  defaultConnections,
  defaultConnectionsPerAddress,
  openFileLimit,
} from '../../../../gateway/serve/http/open-files.ts';
import { PrometheusMetrics } from '../../../../services/shared/metrics/prometheus-metrics.ts';
import { samplesOf } from '../../../support/metric-samples.ts';
import { startGateway, startUpstream, type TestGateway } from '../../../support/start-gateway.ts';
import { until } from '../../../support/until.ts';

const SHARE = 50;
const MOST = 120;

/** The other addresses of loopback are there on Linux alone. */
const HAS_ADDRESSES = process.platform === 'linux';

describe('the connections of clients', () => {
  let gateway: TestGateway;
  let upstream: Awaited<ReturnType<typeof startUpstream>>;
  let metrics: PrometheusMetrics;
  const sockets: Socket[] = [];

  before(async function () {
    if (!HAS_ADDRESSES) this.skip();
    upstream = await startUpstream((req, res) => req.resume().on('end', () => res.end('{"ok":true}')));
    metrics = new PrometheusMetrics();
    gateway = await startGateway({
      upstream: upstream.origin,
      metrics,
      trustedProxies: ['127.0.0.9'],
      connections: { most: MOST, mostPerAddress: SHARE },
    });
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await until('all are closed', async () => (await sample('tidegate_connections')) === 0);
  });
  after(async () => {
    await gateway?.close();
    await upstream?.close();
  });

  const sample = async (name: string) => samplesOf(await metrics.text())[name] ?? 0;
  const refused = (reason: string) => sample(`tidegate_connections_refused_total{reason="${reason}"}`);

  /** A connection from that address; what it is told is gathered. */
  async function open(localAddress: string): Promise<{ socket: Socket; told: () => string }> {
    const socket = connect({ port: Number(new URL(gateway.origin).port), host: '127.0.0.1', localAddress });
    sockets.push(socket);
    let told = '';
    socket.on('data', (chunk) => {
      told += chunk.toString('latin1');
    });
    socket.on('error', () => undefined);
    await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
    return { socket, told: () => told };
  }
  const openMany = (count: number, from: string) =>
    Promise.all(Array.from({ length: count }, () => open(from)));

  /** The status of a request on a connection of its own. */
  function ask(localAddress: string, path = '/v1/query/websites'): Promise<number> {
    return new Promise((resolve, reject) => {
      const headers = { 'x-api-key': gateway.key };
      const req = request(gateway.origin + path, { localAddress, headers, agent: false }, (res) => {
        res.resume().on('end', () => resolve(res.statusCode ?? 0));
      });
      req.on('error', reject);
      req.end();
    });
  }

  it('1,000 idle ones of one address take its share, and service is whole for others', async () => {
    const before = await refused('address');
    await openMany(1_000, '127.0.0.2');
    await until('the rest is refused', async () => (await refused('address')) - before === 1_000 - SHARE);
    expect(await sample('tidegate_connections')).to.equal(SHARE);
    const statuses = await Promise.all(Array.from({ length: 40 }, () => ask('127.0.0.3')));
    expect(statuses).to.deep.equal(Array(40).fill(200));
  });

  it('one beyond the share is told with 503 where that can be read, and the share comes back', async () => {
    const held = await openMany(SHARE, '127.0.0.2');
    const { socket, told } = await open('127.0.0.2');
    await until('it is closed', () => socket.destroyed);
    expect(told()).to.match(/^HTTP\/1\.1 503 UPSTREAM_UNAVAILABLE\r\n/);
    expect(told())
      .to.include('Connection: close')
      .and.to.match(/X-RateLimit-Limit: \d+/i);
    expect(told())
      .to.match(/X-Request-Id: req_/)
      .and.to.include('"success":false');
    held[0]?.socket.destroy();
    await until('one is free', async () => (await sample('tidegate_connections')) < SHARE);
    expect(await ask('127.0.0.2')).to.equal(200);
  });

  it('all addresses together are bounded, and no address of a trusted proxy has a share', async () => {
    const before = await refused('all');
    await openMany(MOST, '127.0.0.9');
    await until('all are open', async () => (await sample('tidegate_connections')) === MOST);
    const { socket, told } = await open('127.0.0.3');
    await until('it is closed', () => socket.destroyed);
    expect(told()).to.match(/^HTTP\/1\.1 503 /);
    expect((await refused('all')) - before).to.equal(1);
  });

  it('one that says nothing for 10 s is closed, one that was asked on is not', async () => {
    const before = await refused('silent');
    const startedMs = performance.now();
    const silent = await open('127.0.0.2');
    const speaks = await open('127.0.0.2');
    speaks.socket.write(`GET /health HTTP/1.1\r\nHost: x\r\n\r\n`);
    await until('the silent one is closed', () => silent.socket.destroyed);
    expect(performance.now() - startedMs).to.be.above(9_000);
    expect([silent.told(), speaks.socket.destroyed]).to.deep.equal(['', false]);
    expect((await refused('silent')) - before).to.equal(1);
    expect(speaks.told()).to.match(/^HTTP\/1\.1 200 /);
  });

  it('are logged at most once a minute', () => {
    const lines = gateway.log.filter((line) => line.includes('client connections were closed'));
    expect(lines).to.have.length.of.at.least(1);
    const times = lines.map((line) => (JSON.parse(line) as { time: number }).time);
    for (const [index, time] of times.slice(1).entries())
      expect(time - (times[index] ?? 0)).to.be.at.least(59_000);
  });
});

describe('the bounds on connections', () => {
  it('count an IPv6 /64 as one address', () => {
    const bounds = new ConnectionBounds({
      limits: { most: 10, mostPerAddress: 2 },
      isTrustedProxy: () => false,
      metrics: new PrometheusMetrics(),
      logger: { warn: () => undefined } as never,
      refusal: () => '',
    });
    const admitted = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::1', '2001:db8:1:2::9', '2001:db8:1:3::1'].map(
      (remoteAddress) => {
        const calls = { once: () => undefined, on: () => undefined, end: () => undefined };
        return bounds.admit({
          ...calls,
          remoteAddress,
          resume: () => undefined,
          destroy: () => undefined,
        } as never);
      },
    );
    expect(admitted).to.deep.equal([true, true, false, true]);
    bounds.close();
  });

  it('follow from the files that the process may open', () => {
    const limits = (soft: string) =>
      `Limit                     Soft Limit           Hard Limit           Units     \nMax open files            ${soft}                 1048576              files     \n`;
    expect(openFileLimit(limits('20000'))).to.equal(20_000);
    expect(openFileLimit(limits('unlimited'))).to.be.above(1_000_000);
    expect(openFileLimit(null)).to.equal(4_096);
    expect([256, 1_024, 4_096, 10_000, 1_048_576].map(defaultConnections)).to.deep.equal([
      128, 512, 2_048, 7_952, 16_384,
    ]);
    expect([1, 128, 2_048, 16_384].map(defaultConnectionsPerAddress)).to.deep.equal([1, 32, 512, 1_024]);
  });
});
