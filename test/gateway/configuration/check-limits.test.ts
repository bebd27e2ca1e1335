/** The limits that a good configuration names: resolved, with every default filled in; bad ones stand in bad/. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import { explainRequest } from '../../../gateway/configuration/explain.ts';
import { ConfigurationError, formatFault } from '../../../gateway/configuration/faults.ts';
import { loadConfiguration } from '../../../gateway/configuration/load-configuration.ts';
import { configurationVariables as variablesOf } from '../../../gateway/process/reload/configuration-variables.ts';

const VARIABLES = {
  PLUGIN_DIR: path.join(PACKAGE_ROOT, 'dist/test/gateway/configuration/plugins'),
  TRACKING_URL: 'http://127.0.0.1:4001',
};
const DEFAULTS = { algorithm: 'fixed', onStoreFailure: 'local' };

const URLS = { query: 'http://q.test', tracking: 'http://t.test', resources: 'http://r.test' };
const loadShipped = (directory = path.join(PACKAGE_ROOT, 'config')) =>
  loadConfiguration(directory, variablesOf(URLS));

describe('the check of limits', () => {
  let directory = '';
  beforeEach(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'tidegate-limits-'));
    cpSync(path.join(PACKAGE_ROOT, 'test/gateway/configuration/good'), directory, { recursive: true });
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

  it('refuses a limit per parameter where not every path has one', async () => {
    const plans = path.join(directory, 'plans.yml');
    const text = readFileSync(plans, 'utf8');
    writeFileSync(plans, `${text.trimEnd()}\n  per-link: { limit: 10, windowSeconds: 60, per: parameter }\n`);
    edit('    class: links', '    class: links\n    limits: [per-link]');
    const fault = await loadConfiguration(directory, VARIABLES).catch((thrown: unknown) => thrown);
    if (!(fault instanceof ConfigurationError)) throw new Error('it was taken');
    expect(fault.faults.map(formatFault).join()).to.include('"per-link" counts per parameter');
  });

  it('takes cost: body for the list that the limit counts, and a list that is named for what it says', async () => {
    const file = path.join(directory, 'gateway.config.yml');
    const before = readFileSync(file, 'utf8');
    const cases: [cost: string, limits: string, list: readonly string[] | null][] = [
      ['body', '[batch-events]', []],
      ['body', '[batch-datasets]', ['parameters']],
      ['body', '[custom-sql]', null],
      ['{ list: body }', '[batch-events]', []],
      ['{ list: body }', '[batch-datasets]', []],
      ['{ list: body, of: parameters }', '[batch-datasets]', ['parameters']],
      ['{ list: body, of: data.items }', '[custom-sql, batch-events]', ['data', 'items']],
    ];
    for (const [cost, limits, list] of cases) {
      writeFileSync(file, before);
      edit('[track:events]', `[track:events]\n    cost: ${cost}\n    limits: ${limits}`);
      const { endpoints } = await loadConfiguration(directory, VARIABLES);
      const [track] = endpoints;
      expect([track?.cost, track?.countedList], `${cost} ${limits}`).to.deep.equal(['body', list]);
    }
  });

  it('ships the lists whose elements are counted', async () => {
    const { endpoints } = await loadShipped();
    const counting = endpoints.filter((endpoint) => endpoint.countedList !== null);
    expect(counting.map(({ name, countedList }) => [name, countedList])).to.deep.equal([
      ['track', []],
      ['ingest', []],
      ...['query', 'share-query'].map((name) => [name, ['parameters']]),
    ]);
  });

  it('warns of a list that the service behind the endpoint does not read, since its limit would count nothing', async () => {
    const shipped = path.join(PACKAGE_ROOT, 'config');
    for (const name of ['gateway.config.yml', 'system.config.yml', 'plans.yml', 'models']) {
      cpSync(path.join(shipped, name), path.join(directory, name), { recursive: true });
    }
    const shippedCost = 'cost: { list: body, of: parameters }';
    const of = 'counts another list than the';
    for (const [from, to, warning] of [
      ['methods: POST', 'methods: POST', null],
      [shippedCost, 'cost: body', null],
      [shippedCost, 'cost: { list: body, of: paramters }', `query.cost: ${of} query`],
      [shippedCost, 'cost: { list: body }', `query.cost: ${of} query`],
      ['cost: { list: body }', 'cost: { list: body, of: events }', `track.cost: ${of} tracking`],
    ] as const) {
      cpSync(path.join(shipped, 'gateway.config.yml'), path.join(directory, 'gateway.config.yml'));
      edit(`\n    ${from}`, `\n    ${to}`);
      const warnings = (await loadShipped(directory)).warnings.map(formatFault);
      expect(warnings, to).to.have.length(warning === null ? 0 : 1);
      if (warning !== null) expect(warnings[0]).to.contain(warning);
    }
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
      enforce: true,
      ...DEFAULTS,
    });
    expect(plans.limits.login).to.deep.equal({
      limit,
      windowSeconds,
      per: 'address',
      callers: 'all',
      cost: 'request',
      enforce: true,
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
      ['pages', 3_000, 60, 'address', 'request', null],
      ['share-pages', 3_000, 60, 'address', 'request', null],
      ['login', 30, 60, 'address', 'request', null],
      ['login-account', 1000, 900, 'account', 'request', null],
      ['refresh', 30, 60, 'session', 'request', null],
      ['usage', 60, 60, 'session', 'request', null],
      ['custom-sql', 30, 60, 'organization', 'request', 'customSqlPerMinute'],
      ['custom-sql-seconds', 60, 60, 'organization', 'seconds', null],
      ['batch-datasets', 6_000, 60, 'organization', 'datasets', 'batchDatasetsPerMinute'],
      ['batch-events', 60_000, 60, 'organization', 'events', 'batchEventsPerMinute'],
      ['keyless-events', 60_000, 60, 'address', 'events', null],
      ['keyless-bytes', 10_000_000, 60, 'address', 'bytes', null],
      ['share', 300, 60, 'parameter', 'request', null],
      ['share-datasets', 3_000, 60, 'parameter', 'datasets', null],
      ['share-unlock', 200, 900, 'parameter', 'request', null],
    ]);
    const named = shipped.endpoints.filter((endpoint) => endpoint.limits.length > 0);
    expect(named.map(({ name, limits: own, cost }) => [name, own, cost])).to.deep.equal([
      ['track', ['batch-events'], 'body'],
      ['ingest', ['batch-events', 'keyless-events', 'keyless-bytes'], 'body'],
      ['pixel', ['keyless-bytes'], 'body'],
      ['query', ['batch-datasets'], 'body'],
      ['query-custom', ['custom-sql', 'custom-sql-seconds'], 'request'],
      ['share-query', ['share', 'share-datasets'], 'body'],
      ['share-unlock', ['share', 'share-unlock'], 'request'],
      ['share-page', ['share-pages'], 'request'],
      ['share-files', ['share-pages'], 'request'],
      ['session-login', ['login', 'login-account'], 'request'],
      ['session-refresh', ['refresh'], 'request'],
      ['session-accept', ['login'], 'request'],
      ['session-reset', ['login'], 'request'],
      ['usage-limits', ['usage'], 'request'],
      ['usage-requests', ['usage'], 'request'],
      ['platform', ['usage'], 'request'],
      ['dashboard', ['pages'], 'request'],
      ['home', ['pages'], 'request'],
    ]);
  });

  it('refuses a limit per account where no login names one', async () => {
    const file = path.join(directory, 'plans.yml');
    const limit = '  tries: { limit: 9, windowSeconds: 60, per: account }\n';
    writeFileSync(file, readFileSync(file, 'utf8') + limit);
    edit('[track:events]', '[track:events]\n    limits: [tries]');
    const faults = await loadConfiguration(directory, VARIABLES).then(
      () => [],
      (error: unknown) => (error instanceof ConfigurationError ? error.faults.map(formatFault) : [error]),
    );
    expect(faults).to.deep.equal([
      'gateway.config.yml:7 apiEndpoints.track.limits[0]: "tries" counts per account, and only a login names one; allowed: the endpoint of /v1/auth/login alone',
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
      'gateway.config.yml:7 apiEndpoints.track.limits[0]: "strangers" counts callers without a credential, and this endpoint admits none; allowed: limits with callers: all',
    ]);
    edit('[track:events]', '[track:events]\n    access: keyless');
    const { endpoints } = await loadConfiguration(directory, VARIABLES);
    expect(endpoints[0]?.limits).to.deep.equal(['strangers']);
  });

  it('refuses a limit of seconds where no service of ours tells how long its work ran', async () => {
    const file = path.join(directory, 'plans.yml');
    const limit = '  running: { limit: 9, windowSeconds: 60, cost: seconds }\n';
    writeFileSync(file, readFileSync(file, 'utf8') + limit);
    edit('[track:events]', '[track:events]\n    limits: [running]');
    const { endpoints } = await loadConfiguration(directory, VARIABLES);
    expect(endpoints[0]?.limits).to.deep.equal(['running']);
    // The address of an own service is refused without its audience too, which is told apart.
    edit('    audience: tracking\n', '');
    const faults = await loadConfiguration(directory, VARIABLES).then(
      () => [],
      (error: unknown) => (error instanceof ConfigurationError ? error.faults.map(formatFault) : [error]),
    );
    expect(faults).to.include(
      `gateway.config.yml:7 apiEndpoints.track.limits[0]: "running" counts how long the work of a request ran, which only Tidegate's own services report; allowed: endpoints whose pipeline ends in a proxy to a serviceEndpoint with an audience`,
    );
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
        `login-account: 1000 per 900 s, per account ${HOW}`,
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
        `no key, keyless-bytes: 10000000 bytes per 60 s, per address ${HOW}`,
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
