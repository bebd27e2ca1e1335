/** Addresses that are killed, replaced and restarted while clients ask: no request fails that need not, and no write is repeated. */

import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { startConfigurationReload } from '../../../gateway/process/reload/configuration-reload.ts';
import { PrometheusMetrics } from '../../../services/shared/metrics/prometheus-metrics.ts';
import { samplesOf } from '../../support/metric-samples.ts';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';
import type { TempDirectory } from '../../support/temp-directory.ts';
import { until } from '../../support/until.ts';
import { balancedConfiguration, UpstreamService } from '../../support/upstream-service.ts';

const CLIENTS = 6;
const WATCH = 'healthCheck: { intervalSeconds: 0.1 }';

/** A request and what came of it: a status, or the fault of its connection. */
interface Outcome {
  readonly id: string;
  readonly method: 'GET' | 'POST';
  readonly result: number | string;
}

describe('addresses under load', () => {
  let services: UpstreamService[];
  let metrics: PrometheusMetrics;
  let folder: TempDirectory;
  let gateway: TestGateway;

  beforeEach(async () => {
    services = [await UpstreamService.start(), await UpstreamService.start()];
    for (const service of services) {
      // They wait, so that requests are under way whenever something happens, and the clients do not take a whole processor.
      service.answer = (_req, res) => {
        setTimeout(() => res.end('{}'), service.count % 2 === 0 ? 20 : 10);
      };
    }
    metrics = new PrometheusMetrics();
    folder = balancedConfiguration(WATCH);
    gateway = await startGateway({
      upstream: services.map(({ origin }) => origin).join(','),
      configDir: folder.path,
      metrics,
    });
  });
  afterEach(async () => {
    await gateway.close();
    for (const service of services) await service.kill();
    folder.remove();
  });

  /** Requests that each client has ended. */
  let asked: number[];

  /** Resolves once every request that is under way now has ended, and its client has begun another. */
  async function allAskedAnew(): Promise<void> {
    const before = [...asked];
    await until('every client to ask anew', () =>
      asked.every((count, client) => count >= (before[client] ?? 0) + 2),
    );
  }

  /** Asks without a pause while `action` runs. */
  async function whileAsking(action: () => Promise<void>): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    let running = true;
    asked = new Array<number>(CLIENTS).fill(0);
    const clients = Array.from({ length: CLIENTS }, async (_, client) => {
      for (let count = 0; running; count++) {
        const id = `${client}-${count}`;
        const method = (client + count) % 2 === 0 ? 'GET' : 'POST';
        outcomes.push({ id, method, result: await ask(id, method) });
        asked[client] = count;
      }
    });
    try {
      await action();
    } finally {
      running = false;
      await Promise.all(clients);
    }
    return outcomes;
  }

  async function ask(id: string, method: Outcome['method']): Promise<number | string> {
    const path = method === 'GET' ? '/v1/query/websites' : '/track';
    try {
      const response = await fetch(`${gateway.origin}${path}`, {
        method,
        headers: { 'x-api-key': gateway.key, 'x-id': id, 'content-type': 'application/json' },
        ...(method === 'POST' ? { body: '{}' } : {}),
      });
      await response.arrayBuffer();
      return response.status;
    } catch (fault) {
      return fault instanceof Error ? fault.message : String(fault);
    }
  }

  /** Whether the gateway sends requests for every service to this address. */
  const takes = async ({ port }: UpstreamService, expected: boolean) => {
    const samples = samplesOf(await metrics.text());
    return ['query', 'tracking'].every(
      (name) =>
        samples[`tidegate_upstream_healthy{service="${name}",address="127.0.0.1:${port}"}`] ===
        Number(expected),
    );
  };
  const failures = (outcomes: readonly Outcome[]) => outcomes.filter(({ result }) => result !== 200);
  const timesSeen = (id: string) => services.reduce((sum, { seen }) => sum + (seen.get(id) ?? 0), 0);

  it('fail no read when they are killed at random in turn, and repeat no write', async () => {
    const outcomes = await whileAsking(async () => {
      for (let round = 0; round < 12; round++) {
        const service = services[round % 2] as UpstreamService;
        await sleep(Math.random() * 150);
        await service.kill();
        await sleep(Math.random() * 250);
        await service.listen();
        // One kill in the life of a request is what one retry outlasts, and the gateway must know who is back.
        await allAskedAnew();
        await until('both to take requests', async () =>
          (await Promise.all(services.map((each) => takes(each, true)))).every(Boolean),
        );
      }
    });
    expect(failures(outcomes).filter(({ method }) => method === 'GET')).to.deep.equal([]);
    for (const { id, method, result } of outcomes) {
      if (method === 'GET') continue;
      if (result === 200) expect(timesSeen(id), `the acknowledged write ${id}`).to.equal(1);
      else {
        // It was on its way when its service died: whether it arrived, its client must find out.
        expect(result, id).to.equal(502);
        expect(timesSeen(id), `the write ${id}`).to.be.at.most(1);
      }
    }
    expect(outcomes.length).to.be.at.least(12 * CLIENTS);
  });

  it('fail no request in a rolling restart of services that say so first', async () => {
    const outcomes = await whileAsking(async () => {
      for (let round = 0; round < 4; round++) {
        const service = services[round % 2] as UpstreamService;
        await service.drain(async () => {
          await until('the gateway to choose it no more', () => takes(service, false));
          await allAskedAnew();
        });
        await service.listen();
        await until('it to take requests', () => takes(service, true));
        const { count } = service;
        await until('requests to come back', () => service.count > count);
      }
    });
    expect(failures(outcomes)).to.deep.equal([]);
    expect(outcomes.length).to.be.at.least(4 * CLIENTS);
  });

  it('fail no request when reloads replace them', async () => {
    const closers: (() => Promise<unknown>)[] = [];
    // Services of the platform stand where their variables say, and nowhere else.
    const variables = { ...gateway.reloadParts.variables };
    const { reload } = await startConfigurationReload({ ...gateway.reloadParts, variables }, closers);
    const third = await UpstreamService.start();
    services.push(third);
    const file = folder.file('gateway.config.yml');
    const text = readFileSync(file, 'utf8');
    const [one, two] = services as [UpstreamService, UpstreamService];
    const sets = [[two, third], [third, one], [third], [one, two]];
    const outcomes = await whileAsking(async () => {
      for (let round = 0; round < 8; round++) {
        const now = sets[round % sets.length] as UpstreamService[];
        const origins = now.map(({ origin }) => origin).join(',');
        for (const name of ['QUERY_URL', 'TRACKING_URL', 'RESOURCES_URL']) variables[name] = origins;
        writeFileSync(file, `${text}# round ${round}\n`);
        expect((await reload('test')).outcome).to.not.equal('refused');
        const counts = new Map(now.map((service) => [service, service.count]));
        await until('requests to reach the new ones', () =>
          now.every((service) => service.count > (counts.get(service) ?? 0)),
        );
      }
    });
    for (const close of closers) await close();
    expect(failures(outcomes)).to.deep.equal([]);
    expect(outcomes.every(({ id }) => timesSeen(id) === 1)).to.equal(true);
    const samples = samplesOf(await metrics.text());
    expect(samples[`tidegate_upstream_healthy{service="query",address="127.0.0.1:${one.port}"}`]).to.equal(1);
    expect(
      samples[`tidegate_upstream_healthy{service="query",address="127.0.0.1:${third.port}"}`],
    ).to.deep.equal(Number.NaN);
  });
});
