/** Reloading the configuration of a running gateway: nothing fails, nothing is forgotten, and a faulty file changes nothing. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../../config/settings.ts';
import type { Closers } from '../../../../gateway/process/all-or-nothing.ts';
import {
  type ConfigurationReload,
  startConfigurationReload,
} from '../../../../gateway/process/reload/configuration-reload.ts';
import { PrometheusMetrics } from '../../../../services/shared/metrics/prometheus-metrics.ts';
import { pageTexts, writePages } from '../../../support/built-pages.ts';
import { samplesOf } from '../../../support/metric-samples.ts';
import { reloadsUnderLoad } from '../../../support/reloads-under-load.ts';
import { startGateway, startUpstream, type TestGateway } from '../../../support/start-gateway.ts';
import { createTempDirectory, type TempDirectory } from '../../../support/temp-directory.ts';
import { until } from '../../../support/until.ts';

const GATEWAY = 'gateway.config.yml';

describe('a reload', () => {
  let folder: TempDirectory;
  let upstream: Awaited<ReturnType<typeof startUpstream>>;
  let gateway: TestGateway;
  let configuration: ConfigurationReload;
  let closers: Closers;
  let metrics: PrometheusMetrics;
  /** Answers that the upstream holds back until they are called. */
  let held: (() => void)[];

  beforeEach(async () => {
    folder = createTempDirectory();
    cpSync(join(PACKAGE_ROOT, 'config'), folder.path, { recursive: true });
    held = [];
    upstream = await startUpstream((req, res) => {
      req.resume();
      req.on('end', () => {
        if (req.headers['x-hold'] === undefined) res.end('{}');
        else held.push(() => res.end('{}'));
      });
    });
    metrics = new PrometheusMetrics();
    gateway = await startGateway({ upstream: upstream.origin, configDir: folder.path, metrics });
    closers = [];
    configuration = await startConfigurationReload(gateway.reloadParts, closers);
  });
  afterEach(async () => {
    for (const close of closers.reverse()) await close();
    await gateway.close();
    await upstream.close();
    folder.remove();
  });

  function edit(file: string, from: string, to: string): void {
    const text = readFileSync(folder.file(file), 'utf8');
    expect(text).to.include(from);
    writeFileSync(folder.file(file), text.replace(from, to));
  }

  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(gateway.origin + path, { headers: { 'x-api-key': gateway.key, ...headers } });
  const statusOf = async (path: string): Promise<number> => {
    const response = await ask(path);
    await response.arrayBuffer();
    return response.status;
  };
  const textOf = async (path: string): Promise<string> => (await ask(path)).text();

  /** Serves a folder of its own in place of the dashboard. */
  async function withPages(): Promise<TempDirectory> {
    const pages = createTempDirectory();
    closers.push(async () => pages.remove());
    writePages(pages.path);
    edit(GATEWAY, `"\${DASHBOARD_DIR}"`, JSON.stringify(pages.path));
    await configuration.reload('test');
    return pages;
  }
  const addedPath = ['paths: /v1/query/websites', 'paths: [/v1/query/websites, /v1/query/sites]'] as const;

  it('puts a new path to work and takes a removed one away', async () => {
    expect(await statusOf('/v1/query/sites')).to.equal(404);
    edit(GATEWAY, ...addedPath);
    await configuration.reload('test');
    expect(await statusOf('/v1/query/sites')).to.equal(200);
    edit(GATEWAY, addedPath[1], addedPath[0]);
    await configuration.reload('test');
    expect(await statusOf('/v1/query/sites')).to.equal(404);
  });

  it('lets a request under way end by the configuration that it began with', async () => {
    const slow = ask('/v1/query/websites', { 'x-hold': 'yes' });
    await until('the request at the upstream', () => held.length === 1);
    edit(
      GATEWAY,
      '  query-websites:\n    paths: /v1/query/websites\n    methods: GET\n    scopes: [read:data]\n',
      '',
    );
    edit(GATEWAY, ', query-websites', '');
    await configuration.reload('test');
    expect(await statusOf('/v1/query/websites')).to.equal(404);
    for (const answer of held) answer();
    const response = await slow;
    expect(response.status).to.equal(200);
    expect(await response.text()).to.equal('{}');
  });

  it('puts the number of an organization into effect, and takes it away again', async () => {
    await gateway.reloadParts.documents.organizations.update('org_t', 'org_t', 1, { limits: {} });
    const limitOf = async (): Promise<string | null> => {
      const response = await ask('/v1/query/websites');
      await response.arrayBuffer();
      return response.headers.get('x-ratelimit-limit');
    };
    expect(await limitOf()).to.equal('50');
    const overrides = '\noverrides:\n  - { organization: org_t, limit: per10Seconds, max: 17 }\n';
    edit('plans.yml', '\nlimits:\n', `${overrides}\nlimits:\n`);
    await configuration.reload('test');
    expect(await limitOf()).to.equal('17');
    edit('plans.yml', overrides, '');
    await configuration.reload('test');
    expect(await limitOf()).to.equal('50');
  });

  it('keeps the counts of limits, and a lowered limit binds at once', async () => {
    await gateway.reloadParts.documents.organizations.update('org_t', 'org_t', 1, { limits: {} });
    for (let i = 0; i < 10; i++) expect(await statusOf('/v1/query/websites')).to.equal(200);
    edit('plans.yml', 'perMinute: 300', 'perMinute: 11');
    await configuration.reload('test');
    expect(await statusOf('/v1/query/websites')).to.equal(200);
    expect(await statusOf('/v1/query/websites')).to.equal(429);
  });

  it('of faulty files changes nothing, and says every fault', async () => {
    edit(GATEWAY, '[track:events]', '[track:event]');
    edit('plans.yml', 'per10Seconds: 50', 'per10Seconds: no');
    const result = await configuration.reload('test');
    expect(result.outcome).to.equal('refused');
    if (result.outcome !== 'refused') return;
    expect(result.fault.message)
      .to.include('gateway.config.yml')
      .and.include('track:event')
      .and.include('plans.yml');
    expect(gateway.log.join('')).to.include('was not reloaded, the previous one stays in use');
    expect(await statusOf('/v1/query/websites')).to.equal(200);
    // The watch of the files may have come too, on a busy machine before the end of this test.
    expect(await metrics.text()).to.match(/tidegate_configuration_reloads_total\{outcome="refused"\} [12]\n/);
  });

  it('serves pages that were built anew, although no file of the configuration changed', async () => {
    const pages = await withPages();
    expect(await textOf('/dashboard')).to.include('The same words');
    expect((await configuration.reload('test')).outcome).to.equal('unchanged');
    writePages(pages.path, { ...pageTexts(), 'document.html': '<!doctype html><p>Other words.</p>' });
    // The watch of the files may come first, for the edit before.
    await configuration.reload('test');
    expect(await textOf('/dashboard')).to.include('Other words');
    expect((await configuration.reload('test')).outcome).to.equal('unchanged');
  });

  it('is refused while the pages are gone, and those in memory are still served', async () => {
    const pages = await withPages();
    rmSync(join(pages.path, 'document.html'));
    const result = await configuration.reload('test');
    expect(result.outcome).to.equal('refused');
    expect(result.outcome === 'refused' && result.fault.message)
      .to.include('action.folder')
      .and.include(pages.path);
    expect(await textOf('/dashboard')).to.include('The same words');
  });

  it('puts an added scope to work at once, refuses a removed one at once, and drops none of the seven', async () => {
    const opens = 'paths: /v1/query/websites\n    methods: GET\n    scopes: [read:data]';
    edit(GATEWAY, opens, opens.replace('read:data', 'read:orders'));
    edit(GATEWAY, '\nscopes:\n', '\nscopes:\n  read:orders: { text: Read orders }\n');
    await configuration.reload('test');
    expect(await statusOf('/v1/query/websites')).to.equal(403);
    const { documents } = gateway.reloadParts;
    const [key] = await documents.apiKeys.all('org_t');
    if (key === undefined) throw new Error('the gateway has no key');
    const scopes = [...key.scopes, 'read:orders'];
    await documents.apiKeys.update('org_t', key.id, 1, { scopes });
    expect(await statusOf('/v1/query/websites')).to.equal(200);

    edit(GATEWAY, '  read:links: {', '  read:lines: {');
    const result = await configuration.reload('test');
    expect(result.outcome).to.equal('refused');
    if (result.outcome === 'refused')
      expect(result.fault.message).to.include('lacks read:links: the scopes of the API cannot be dropped');
    expect(await statusOf('/v1/query/websites')).to.equal(200);

    edit(GATEWAY, '  read:lines: {', '  read:links: {');
    edit(
      GATEWAY,
      opens.replace('read:data', 'read:orders'),
      opens.replace('[read:data]', '[read:data, add:orders]'),
    );
    edit(GATEWAY, '  read:orders: { text: Read orders }', '  add:orders: { text: Add orders }');
    await configuration.reload('test');
    const answer = await ask('/v1/query/websites');
    expect(answer.status).to.equal(403);
    expect(await answer.text()).to.include('The scope add:orders is required.');
    expect((await documents.apiKeys.get('org_t', key.id))?.scopes).to.deep.equal(scopes);
  });

  it('is refused while organizations stand on a plan that the files no longer have', async () => {
    await gateway.reloadParts.documents.organizations.update('org_t', 'org_t', 1, { plan: 'hobby' });
    edit('plans.yml', '  hobby:', '  leisure:');
    const result = await configuration.reload('test');
    expect(result.outcome === 'refused' && result.fault.message).to.include('org_t: plan "hobby"');
    expect(await statusOf('/v1/query/websites')).to.equal(200);
  });

  it('comes by itself when a file changes, once for changes that come together', async () => {
    edit(GATEWAY, ...addedPath);
    edit('plans.yml', 'per10Seconds: 50', 'per10Seconds: 51');
    await until('the new path', async () => (await statusOf('/v1/query/sites')) === 200);
    const reloads = gateway.log.filter((line) => line.includes('"outcome":"applied"'));
    expect(reloads).to.have.length(1);
    expect(reloads[0]).to.include('a file changed');
  });

  it('comes by itself when an included file changes, also one that the files before did not include', async () => {
    const team = (path: string) => `apiEndpoints:
  team: { paths: ${path}, access: public }
pipelines:
  team:
    apiEndpoints: [team]
    policies:
      - auth:
      - rate-limit:
      - jwks:
`;
    mkdirSync(folder.file('teams'));
    writeFileSync(folder.file('teams/a.yml'), team('/teams/a/'));
    edit(GATEWAY, 'apiEndpoints:', 'include: teams\n\napiEndpoints:');
    expect((await configuration.reload('test')).outcome).to.equal('refused');
    expect(await statusOf('/teams/a')).to.equal(404);
    writeFileSync(folder.file('teams/a.yml'), team('/teams/a'));
    await until('the new path', async () => (await statusOf('/teams/a')) === 200);
    expect(gateway.log.join('')).to.include('teams/a.yml:2');
  });

  it('of files that say the same does nothing', async () => {
    writeFileSync(folder.file(GATEWAY), `# A remark.\n${readFileSync(folder.file(GATEWAY), 'utf8')}`);
    expect(await configuration.reload('test')).to.deep.equal({ outcome: 'unchanged' });
  });

  it('shows in readiness and metrics another hash of other files, the same one of the same words, and its age', async () => {
    const shown = async () => JSON.parse(await textOf('/health/ready')).configuration;
    const before = await shown();
    expect(before.hash).to.match(/^[0-9a-f]{12}$/);
    expect(before.ageSeconds).to.be.within(0, 60);
    writeFileSync(folder.file(GATEWAY), `# A remark.\n${readFileSync(folder.file(GATEWAY), 'utf8')}`);
    await configuration.reload('test');
    expect((await shown()).hash).to.equal(before.hash);
    edit(GATEWAY, ...addedPath);
    await configuration.reload('test');
    const after = await shown();
    expect(after.hash)
      .to.match(/^[0-9a-f]{12}$/)
      .and.not.equal(before.hash);
    const samples = samplesOf(await metrics.text());
    expect(samples.tidegate_configuration_hash).to.equal(Number.parseInt(after.hash, 16));
    expect(samples.tidegate_configuration_age_seconds).to.be.within(0, 60);
  });

  it('asked for by many at once runs one after the other, and the last word counts', async () => {
    edit(GATEWAY, ...addedPath);
    const results = await Promise.all(Array.from({ length: 5 }, () => configuration.reload('test')));
    expect(results.map(({ outcome }) => outcome)).to.not.include('refused');
    expect(await metrics.text()).to.match(/tidegate_configuration_reloads_total\{outcome="applied"\} 1\n/);
    expect(await statusOf('/v1/query/sites')).to.equal(200);
  });

  it('that waits for another serves all who ask meanwhile', async () => {
    edit(GATEWAY, ...addedPath);
    const first = configuration.reload('test');
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([first, ...Array.from({ length: 100 }, () => configuration.reload('test'))]);
    expect(gateway.log.filter((line) => line.includes('"reason":"test"'))).to.have.length(2);
  });

  it('of a pipe in the place of a file is refused, and hinders neither the next nor the end', async () => {
    const before = readFileSync(folder.file(GATEWAY), 'utf8');
    rmSync(folder.file(GATEWAY));
    execFileSync('mkfifo', [folder.file(GATEWAY)]);
    const result = await configuration.reload('test');
    expect(result.outcome === 'refused' && result.fault.message).to.include('this is a pipe or device');
    rmSync(folder.file(GATEWAY));
    writeFileSync(folder.file(GATEWAY), before.replace(...addedPath));
    expect((await configuration.reload('test')).outcome).to.not.equal('refused');
    expect(await statusOf('/v1/query/sites')).to.equal(200);
  });
});

reloadsUnderLoad(40);
