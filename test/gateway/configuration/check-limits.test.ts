/** The limits that a good configuration names: resolved, with every default filled in; bad ones stand in test/config/bad. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import { explainRequest } from '../../../gateway/configuration/explain.ts';
import { ConfigurationError, formatFault } from '../../../gateway/configuration/faults.ts';
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
      callers: 'all',
      cost: 'request',
      override: 'customSqlPerMinute',
      ...DEFAULTS,
    });
    expect(plans.limits.login).to.deep.equal({
      limit,
      windowSeconds,
      per: 'address',
      callers: 'all',
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
      ['keyless-events', 60_000, 60, 'address', 'events', null],
    ]);
    const named = shipped.endpoints.filter((endpoint) => endpoint.limits.length > 0);
    expect(named.map(({ name, limits: own, cost }) => [name, own, cost])).to.deep.equal([
      ['track', ['batch-events'], 'body'],
      ['ingest', ['batch-events', 'keyless-events'], 'body'],
      ['query', ['batch-datasets'], 'body'],
      ['query-custom', ['custom-sql'], 'request'],
      ['session-login', ['login'], 'request'],
      ['session-refresh', ['refresh'], 'request'],
    ]);
  });

  it('refuses a limit of anonymous callers where none is let in', async () => {
    const file = path.join(directory, 'plans.yml');
    const limit = '  strangers: { limit: 9, windowSeconds: 60, per: address, callers: anonymous }\n';
    writeFileSync(file, readFileSync(file, 'utf8') + limit);
    edit('[track:events]', '[track:events]\n    limits: [strangers]');
    const faults = await loadConfiguration(directory, VARIABLES).then(
      () => [],
      (error: unknown) => (error instanceof ConfigurationError ? error.faults.map(formatFault) : [error]),
    );
    expect(faults).to.deep.equal([
      'gateway.config.yml:7 apiEndpoints.track.limits[0]: "strangers" counts callers without a credential, and none is let in here; allowed: limits with callers: all',
    ]);
    edit('[track:events]', '[track:events]\n    access: keyless');
    const { endpoints } = await loadConfiguration(directory, VARIABLES);
    expect(endpoints[0]?.limits).to.deep.equal(['strangers']);
  });

  describe('are what explain lists', () => {
    const HOW = '(fixed; without the store local)';
    const explained = async (method: string, target: string) =>
      explainRequest(await loadShipped(), method, target);
    const limitsOf = async (method: string, target: string) => (await explained(method, target)).limits;
    const REPLACED = '(fixed; without the store local; replaced by per10Seconds and perMinute)';
    const OWN_PUBLIC = '(fixed; without the store local; replaced by publicPerMinute)';

    it('in place of the public limit where anybody may ask', async () => {
      expect(await limitsOf('POST', '/v1/auth/login')).to.deep.equal([
        `login: 30 per 60 s, per address ${HOW}`,
      ]);
      expect(await limitsOf('GET', '/v1/query/types')).to.deep.equal([
        `public: 100 per 60 s, per address, in group other ${HOW}`,
      ]);
    });

    it('of keys and sessions, and of those who have none', async () => {
      expect(await limitsOf('POST', '/track')).to.deep.equal([
        `valid key or session, plan free: 50 per 10 s and 300 per 60 s, per organization ${REPLACED}`,
        `valid key or session, plan hobby: 100 per 10 s and 600 per 60 s, per organization ${REPLACED}`,
        `valid key or session, plan pro: 200 per 10 s and 1200 per 60 s, per organization ${REPLACED}`,
        `valid key or session, plan scale: 500 per 10 s and 3000 per 60 s, per organization ${REPLACED}`,
        'valid key or session, batch-events: 60000 events in batches per 60 s, per organization (fixed; without the store local; replaced by batchEventsPerMinute)',
        `neither key nor session, public: 100 per 60 s, per address, in group other ${HOW}`,
        `refused key, public: 100 per 60 s, per address, in group failed-credentials ${HOW}`,
      ]);
    });

    it('of keys, and of those without one where none is needed', async () => {
      const limits = await limitsOf('POST', '/events');
      expect(limits.filter((line) => !line.includes('plan '))).to.deep.equal([
        'valid key, batch-events: 60000 events in batches per 60 s, per organization (fixed; without the store local; replaced by batchEventsPerMinute)',
        `no key, public: 100 per 60 s, per address, in group ingest ${OWN_PUBLIC}`,
        `no key, keyless-events: 60000 events in batches per 60 s, per address ${HOW}`,
        `refused key, public: 100 per 60 s, per address, in group failed-credentials ${HOW}`,
      ]);
      expect(limits.join()).to.not.contain('session');
    });

    it('of a wrong method, which the group of the path counts where nobody is asked for', async () => {
      const { rule, verdict, limits } = await explained('PUT', '/events');
      expect([rule, verdict]).to.deep.equal(['any valid key, or keyless', '405: this path answers POST']);
      expect(limits.slice(-2)).to.deep.equal([
        `no key, public: 100 per 60 s, per address, in group ingest ${OWN_PUBLIC}`,
        `refused key, public: 100 per 60 s, per address, in group failed-credentials ${HOW}`,
      ]);
      expect(limits.join()).to.not.contain('events in batches');
    });

    it('beside how a body is read: whole where it is counted', async () => {
      for (const [target, read] of [
        ['/events', 'whole'],
        ['/v1/query', 'whole'],
        ['/v1/api-keys', 'whole'],
        ['/v1/query/custom', 'stream'],
      ] as const) {
        const { policies } = await explained('POST', target);
        expect(policies.find(({ policy }) => policy === 'body')?.parameters.read, target).to.equal(read);
      }
    });
  });
});
