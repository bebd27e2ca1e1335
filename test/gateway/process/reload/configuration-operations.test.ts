/** Taking a configuration back: it is checked, stays in force whatever the files say, and ends with files that change and pass the check. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../../config/settings.ts';
import type { Configurations } from '../../../../gateway/administration/configurations.ts';
import { readPin } from '../../../../gateway/configuration/history/pin.ts';
import type { Closers } from '../../../../gateway/process/all-or-nothing.ts';
import { configurationsOf } from '../../../../gateway/process/reload/configuration-operations.ts';
import {
  type ConfigurationReload,
  startConfigurationReload,
} from '../../../../gateway/process/reload/configuration-reload.ts';
import { ApiError } from '../../../../services/shared/errors/api-error.ts';
import { PrometheusMetrics } from '../../../../services/shared/metrics/prometheus-metrics.ts';
import { samplesOf } from '../../../support/metric-samples.ts';
import { startGateway, startUpstream, type TestGateway } from '../../../support/start-gateway.ts';
import { createTempDirectory, type TempDirectory } from '../../../support/temp-directory.ts';
import { until } from '../../../support/until.ts';

const GATEWAY = 'gateway.config.yml';
const PATH = 'paths: /v1/query/websites';

describe('a rollback', () => {
  let folder: TempDirectory;
  let upstream: Awaited<ReturnType<typeof startUpstream>>;
  let gateway: TestGateway;
  let metrics: PrometheusMetrics;
  let closers: Closers;
  let configuration: ConfigurationReload;
  let operator: Configurations;
  let shipped: string;

  beforeEach(async () => {
    folder = createTempDirectory();
    cpSync(`${PACKAGE_ROOT}/config`, folder.path, { recursive: true });
    shipped = readFileSync(folder.file(GATEWAY), 'utf8');
    metrics = new PrometheusMetrics();
    upstream = await startUpstream((_req, res) => res.end('{}'));
    gateway = await startGateway({ upstream: upstream.origin, configDir: folder.path, metrics });
    closers = [];
    configuration = await startConfigurationReload(gateway.reloadParts, closers);
    const { documents, variables } = gateway.reloadParts;
    const source = { directory: folder.path, variables, customSql: null, readsFiles: true };
    operator = configurationsOf(documents, { source, reload: configuration.reload });
  });
  afterEach(async () => {
    for (const close of closers.reverse()) await close();
    await gateway.close();
    await upstream.close();
    folder.remove();
  });

  const write = (text: string) => writeFileSync(folder.file(GATEWAY), text);
  const withPath = (path: string) => shipped.replace(PATH, `paths: [/v1/query/websites, ${path}]`);
  async function apply(text: string): Promise<void> {
    write(text);
    // The watch of the files may have been faster.
    expect((await configuration.reload('test')).outcome).to.not.equal('refused');
  }
  const statusOf = async (path: string): Promise<number> => {
    const answer = await fetch(gateway.origin + path, { headers: { 'x-api-key': gateway.key } });
    await answer.arrayBuffer();
    return answer.status;
  };
  const health = async () => {
    const answer = (await (await fetch(`${gateway.origin}/health/ready`)).json()) as {
      configuration: { hash: string; pinned?: number };
    };
    return answer.configuration;
  };
  const pinned = () => readPin(gateway.reloadParts.documents).then((pin) => pin?.number ?? null);
  async function faultOf(work: Promise<unknown>): Promise<ApiError> {
    const fault = await work.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    if (fault instanceof ApiError) return fault;
    throw new Error(`not refused, or otherwise: ${fault}`);
  }

  it('is in force at once, told by health and metrics, and writes nothing into the folder', async () => {
    const before = await health();
    await apply(withPath('/v1/query/sites'));
    expect(await statusOf('/v1/query/sites')).to.equal(200);
    expect(await operator.rollback(1, 'ada')).to.deep.equal({ number: 1, applied: true });
    expect(await statusOf('/v1/query/sites')).to.equal(404);
    expect(await statusOf('/v1/query/websites')).to.equal(200);
    expect(await health()).to.deep.include({ hash: before.hash, pinned: 1 });
    const { tidegate_configuration_pinned } = samplesOf(await metrics.text());
    expect(tidegate_configuration_pinned).to.equal(1);
    expect(readFileSync(folder.file(GATEWAY), 'utf8')).to.equal(withPath('/v1/query/sites'));
    const { configurations, pinned: pin } = await operator.listConfigurations();
    expect(pin).to.deep.include({ number: 1, by: 'ada' });
    expect(
      configurations.map(({ number, source, restored, reason }) => ({ number, source, restored, reason })),
    ).to.deep.equal([
      { number: 3, source: 'history', restored: 1, reason: 'rollback to 1 by ada' },
      { number: 2, source: 'files', restored: undefined, reason: configurations[1]?.reason },
      { number: 1, source: 'files', restored: undefined, reason: 'start' },
    ]);
  });

  it('ends by "unpin", and by files that change and pass the check; not by faulty ones', async () => {
    await apply(withPath('/v1/query/sites'));
    await operator.rollback(1, 'ada');
    expect((await configuration.reload('test')).outcome).to.equal('unchanged');
    write(shipped.replace(PATH, 'paths: 7'));
    const faulty = await configuration.reload('test');
    expect(faulty.outcome).to.equal('refused');
    expect(await statusOf('/v1/query/sites')).to.equal(404);
    expect(await faultOf(operator.unpin('ada'))).to.include({ code: 'VALIDATION_ERROR' });
    expect(await pinned()).to.equal(1);

    write(withPath('/v1/query/sites'));
    expect((await configuration.reload('test')).outcome).to.equal('unchanged');
    expect(await operator.unpin('ada')).to.deep.equal({ number: 1, applied: true });
    expect(await statusOf('/v1/query/sites')).to.equal(200);
    expect(await health()).not.to.have.property('pinned');
    expect((await faultOf(operator.unpin('ada'))).code).to.equal('NOT_FOUND');

    await operator.rollback(1, 'ada');
    await apply(withPath('/v1/query/places'));
    expect(await statusOf('/v1/query/places')).to.equal(200);
    expect(await pinned()).to.equal(null);
  });

  it('refuses what was refused, is not there, or does not pass the check now; nothing changes then', async () => {
    write(shipped.replace(PATH, 'paths: 7'));
    expect((await configuration.reload('test')).outcome).to.equal('refused');
    const never = await faultOf(operator.rollback(2, 'ada'));
    expect(never).to.include({ code: 'VALIDATION_ERROR' });
    expect(never.message).to.match(/Configuration 2 was never in force/);
    expect(JSON.stringify(never.details)).to.contain('gateway.config.yml');
    expect((await faultOf(operator.rollback(9, 'ada'))).code).to.equal('NOT_FOUND');

    const { documents } = gateway.reloadParts;
    await apply(shipped);
    const organization = await documents.organizations.get('org_t', 'org_t');
    await documents.organizations.update('org_t', 'org_t', organization?.version ?? 0, { plan: 'gone' });
    const lost = await faultOf(operator.rollback(1, 'ada'));
    expect(JSON.stringify(lost.details)).to.contain('org_t: plan \\"gone\\"');
    expect(await pinned()).to.equal(null);
    expect(await statusOf('/v1/query/websites')).to.not.equal(404);
  });

  it('fails no request under load', async () => {
    await apply(withPath('/v1/query/sites'));
    let running = true;
    const statuses = new Map<number, number>();
    const clients = Array.from({ length: 4 }, async () => {
      while (running) {
        const status = await statusOf('/v1/query/websites');
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    });
    for (let turn = 0; turn < 3; turn++) {
      await operator.rollback(1, 'ada');
      await operator.unpin('ada');
    }
    running = false;
    await Promise.all(clients);
    expect([...statuses.keys()]).to.deep.equal([200]);
    expect(statuses.get(200)).to.be.greaterThan(10);
  });

  it('reaches a second gateway over the same store, and its end too', async function () {
    this.timeout(20_000);
    await apply(withPath('/v1/query/sites'));
    const other = await startGateway({ upstream: upstream.origin, configDir: folder.path });
    const { documents } = gateway.reloadParts;
    await startConfigurationReload({ ...other.reloadParts, documents }, closers);
    try {
      const endpoints = () => other.reloadParts.gateway.configuration.endpoints.flatMap(({ paths }) => paths);
      expect(endpoints()).to.include('/v1/query/sites');
      await operator.rollback(1, 'ada');
      await until('the rollback', () => !endpoints().includes('/v1/query/sites'));
      expect(other.reloadParts.gateway.configuration.pinned).to.equal(1);
      await operator.unpin('ada');
      await until('its end', () => endpoints().includes('/v1/query/sites'));
    } finally {
      for (const close of closers.splice(0).reverse()) await close();
      await other.close();
    }
  });

  it('keeps variables as they are written', async () => {
    process.env.HISTORY_SECRET = 'planted-7c1f';
    try {
      await apply(shipped.replace(PATH, `paths: [/v1/query/websites, "/v1/query/\${HISTORY_SECRET}"]`));
      const record = await operator.configuration(2);
      expect(JSON.stringify(record)).to.contain(`\${HISTORY_SECRET}`).and.not.contain('planted-7c1f');
      await operator.rollback(1, 'ada');
      await operator.rollback(2, 'ada');
      expect(await statusOf('/v1/query/planted-7c1f')).to.equal(200);
    } finally {
      delete process.env.HISTORY_SECRET;
    }
  });
});
