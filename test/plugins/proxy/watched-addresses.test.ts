/** Addresses that die, hang and come back: what their checks and breakers make of it, and what clients see. */
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import { PrometheusMetrics } from '../../../services/shared/metrics/prometheus-metrics.ts';
import { samplesOf } from '../../support/metric-samples.ts';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';
import type { TempDirectory } from '../../support/temp-directory.ts';
import { until } from '../../support/until.ts';
import { balancedConfiguration, UpstreamService } from '../../support/upstream-service.ts';

describe('an address that is watched', () => {
  let one: UpstreamService;
  let two: UpstreamService;
  let metrics: PrometheusMetrics;
  let folder: TempDirectory | null = null;
  let gateway: TestGateway;

  async function start(settings: string, origins = [one.origin, two.origin], timeoutSeconds?: number) {
    metrics = new PrometheusMetrics();
    folder = balancedConfiguration(settings, timeoutSeconds);
    gateway = await startGateway({ upstream: origins.join(','), configDir: folder.path, metrics });
  }

  beforeEach(async () => {
    one = await UpstreamService.start();
    two = await UpstreamService.start();
  });
  afterEach(async () => {
    await gateway.close();
    await one.kill();
    await two.kill();
    folder?.remove();
  });

  const get = async () => {
    const response = await fetch(`${gateway.origin}/v1/query/websites`, {
      headers: { 'x-api-key': gateway.key },
    });
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      body: await response.text(),
    };
  };
  const sample = async (name: string) => samplesOf(await metrics.text())[name];
  const healthy = ({ port }: UpstreamService) =>
    sample(`tidegate_upstream_healthy{service="query",address="127.0.0.1:${port}"}`);

  it('gets no requests while its check fails, and gets them again after', async () => {
    await start('balance: round-robin\nbreaker: none\nhealthCheck: { intervalSeconds: 0.1 }');
    for (let count = 0; count < 10; count++) expect((await get()).status).to.equal(200);
    expect([one.count, two.count]).to.deep.equal([5, 5]);
    one.isReady = false;
    await until('the check to fail', async () => (await healthy(one)) === 0);
    for (let count = 0; count < 10; count++) expect((await get()).status).to.equal(200);
    expect([one.count, two.count]).to.deep.equal([5, 15]);
    one.isReady = true;
    await until('the check to pass', async () => (await healthy(one)) === 1);
    for (let count = 0; count < 10; count++) expect((await get()).status).to.equal(200);
    expect([one.count, two.count]).to.deep.equal([10, 20]);
  });

  it('is found dead and alive by its check without any request', async () => {
    await start('healthCheck: { intervalSeconds: 0.1 }');
    await one.kill();
    await until('the check to fail', async () => (await healthy(one)) === 0);
    expect(await healthy(two)).to.equal(1);
    await one.listen();
    await until('the check to pass', async () => (await healthy(one)) === 1);
    expect(one.count + two.count).to.equal(0);
  });

  it('is still tried when every address fails its check', async () => {
    await start('healthCheck: { intervalSeconds: 0.1 }');
    one.isReady = false;
    two.isReady = false;
    await until('both to fail', async () => (await healthy(one)) === 0 && (await healthy(two)) === 0);
    expect((await get()).status).to.equal(200);
  });

  it('is refused for at once while every breaker is open, and is back with a trial', async () => {
    await start('healthCheck: none\nretries: 0\nbreaker: { failures: 1, openSeconds: 5 }');
    await one.kill();
    await two.kill();
    for (const _ of [1, 2]) expect((await get()).status).to.equal(502);
    const refused = await get();
    expect(refused.status).to.equal(503);
    expect(Number(refused.retryAfter)).to.be.within(1, 5);
    expect(JSON.parse(refused.body)).to.include({ success: false, code: 'UPSTREAM_UNAVAILABLE' });
    expect(await sample('tidegate_upstream_failures_total{service="query",kind="unavailable"}')).to.equal(1);
    expect(await sample('tidegate_upstream_breaker_opens_total{service="query"}')).to.equal(2);
    await one.listen();
    await two.listen();
    await until('an answer', async () => (await get()).status === 200);
    await until('both to be back', async () => {
      await get();
      return (await healthy(one)) === 1 && (await healthy(two)) === 1;
    });
  });

  it('that accepts and never answers costs a bounded wait, and is out after it', async () => {
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.resume();
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    await start(
      'balance: round-robin\nhealthCheck: none\nbreaker: { failures: 2, openSeconds: 600 }',
      [`http://127.0.0.1:${port}`, two.origin],
      3,
    );
    const answers: { status: number; ms: number }[] = [];
    for (let count = 0; count < 12; count++) {
      const begun = performance.now();
      const { status } = await get();
      answers.push({ status, ms: performance.now() - begun });
    }
    expect(answers.filter(({ status }) => status === 504)).to.have.length(2);
    expect(answers.filter(({ status }) => status === 200)).to.have.length(10);
    expect(Math.max(...answers.map(({ ms }) => ms))).to.be.below(10_000);
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => silent.close(resolve));
  });

  it('leaves the gateway ready while another serves, and says that the service is degraded', async () => {
    await start('healthCheck: { intervalSeconds: 60 }');
    const checks = async () => {
      const response = await fetch(`${gateway.origin}/health/ready`);
      const { checks: found } = (await response.json()) as { checks: Record<string, string> };
      return [response.status, found.query];
    };
    expect(await checks()).to.deep.equal([200, 'ok']);
    await one.kill();
    await until('one to be missed', async () => (await checks())[1] === 'degraded');
    expect((await checks())[0]).to.equal(200);
    two.isReady = false;
    await until('both to be missed', async () => (await checks())[1] === 'failed');
    expect((await checks())[0]).to.equal(503);
  });
});
