/** The limits that a good configuration names: resolved, with every default filled in; bad ones stand in test/config/bad. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import { explainRequest } from '../../../gateway/configuration/explain.ts';
import { loadConfiguration } from '../../../gateway/configuration/load-configuration.ts';

const VARIABLES = { PLUGIN_DIR: path.join(PACKAGE_ROOT, 'dist/test/config/plugins') };
const DEFAULTS = { algorithm: 'fixed', onStoreFailure: 'local' };

const loadShipped = () =>
  loadConfiguration(path.join(PACKAGE_ROOT, 'config'), {
    PLUGIN_DIR: path.join(PACKAGE_ROOT, 'dist/plugins'),
    TRACKING_URL: 'http://127.0.0.1:4001',
    QUERY_URL: 'http://127.0.0.1:4002',
    RESOURCES_URL: 'http://127.0.0.1:4003',
  });

describe('the check of limits', () => {
  let directory = '';
  beforeEach(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'tidegate-limits-'));
    cpSync(path.join(PACKAGE_ROOT, 'test/config/good'), directory, { recursive: true });
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const edit = (from: string, to: string): void => {
    const file = path.join(directory, 'gateway.config.yml');
    writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
  };

  it('gives an endpoint the limits and the cost that it names, each able to count there', async () => {
    edit('[track:events]', '[track:events]\n    cost: body\n    limits: [batch-events, login]');
    edit('    class: links', '    class: links\n    limits: [refresh]');
    const { endpoints } = await loadConfiguration(directory, VARIABLES);
    expect(endpoints.map(({ limits, cost }) => [limits, cost])).to.deep.equal([
      [['batch-events', 'login'], 'body'],
      [['refresh'], 'request'],
      [[], 'request'],
    ]);
  });

  it('fills in how a limit counts: per organization, a fixed window, one for a request, locally without a store', async () => {
    const { plans } = await loadConfiguration(directory, VARIABLES);
    const [limit, windowSeconds] = [30, 60];
    expect(plans.plan).to.deep.equal({ per: 'organization', ...DEFAULTS });
    expect(plans.limits.public).to.deep.equal({ limit: 100, windowSeconds, per: 'address', ...DEFAULTS });
    expect(plans.limits['custom-sql']).to.deep.equal({
      limit,
      windowSeconds,
      per: 'organization',
      cost: 'request',
      override: 'customSqlPerMinute',
      ...DEFAULTS,
    });
    expect(plans.limits.login).to.deep.equal({
      limit,
      windowSeconds,
      per: 'address',
      cost: 'request',
      ...DEFAULTS,
    });
  });

  it('ships the limits of the specification', async () => {
    const shipped = await loadShipped();
    const { limits } = shipped.plans;
    const told = Object.entries(limits).map(([name, rule]) => [
      name,
      rule.limit,
      rule.windowSeconds,
      rule.per,
      'cost' in rule ? rule.cost : 'request',
      rule.override ?? null,
    ]);
    expect(told).to.deep.equal([
      ['public', 100, 60, 'address', 'request', 'publicPerMinute'],
      ['login', 30, 60, 'address', 'request', null],
      ['refresh', 30, 60, 'session', 'request', null],
      ['custom-sql', 30, 60, 'organization', 'request', 'customSqlPerMinute'],
      ['batch-datasets', 6_000, 60, 'organization', 'datasets', 'batchDatasetsPerMinute'],
      ['batch-events', 60_000, 60, 'organization', 'events', 'batchEventsPerMinute'],
    ]);
    const named = shipped.endpoints.filter((endpoint) => endpoint.limits.length > 0);
    expect(named.map(({ name, limits: own, cost }) => [name, own, cost])).to.deep.equal([
      ['track', ['batch-events'], 'body'],
      ['ingest', ['batch-events'], 'body'],
      ['query', ['batch-datasets'], 'body'],
      ['session-login', ['login'], 'request'],
      ['session-refresh', ['refresh'], 'request'],
    ]);
  });

  it('are what explain lists, in place of the public limit where anybody may ask', async () => {
    const shipped = await loadShipped();
    const limitsOf = (method: string, target: string) => explainRequest(shipped, method, target).limits;
    expect(limitsOf('POST', '/v1/auth/login')).to.deep.equal(['login: 30 per 60 s, per address']);
    expect(limitsOf('GET', '/v1/query/types')).to.deep.equal([
      'no key: 100 per 60 s, per address, in group other',
    ]);
    expect(limitsOf('POST', '/track').slice(-3)).to.deep.equal([
      'batch-events: 60000 events in batches per 60 s, per organization',
      'neither key nor session: 100 per 60 s, per address, in group other',
      'refused key: 100 per 60 s, per address, in group failed-credentials',
    ]);
  });
});
