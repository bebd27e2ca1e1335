/** What becomes of a serviceEndpoint that is right: its addresses, and what holds where nothing is written. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { Command } from 'commander';
import { DEFAULT_CUSTOM_SQL } from '../../../config/custom-sql-settings.ts';
import { loadSettings, PACKAGE_ROOT, SettingsError } from '../../../config/settings.ts';
import { registerExplainCommand } from '../../../gateway/cli/explain.ts';
import { loadConfiguration } from '../../../gateway/configuration/load-configuration.ts';
import { configurationVariables } from '../../../gateway/process/reload/configuration-variables.ts';
import { CLAIMING_HEADERS } from '../../../services/shared/identity/claiming-headers.ts';
import type { ServiceEndpoint } from '../../../services/shared/plans/service-endpoint.ts';

const TWO = ['http://10.0.0.1:4001', 'http://10.0.0.2:4001'];

describe('a service endpoint', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'tidegate-config-'));
    cpSync(path.join(PACKAGE_ROOT, 'test/gateway/configuration/good'), directory, { recursive: true });
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  /** The endpoint that these lines declare. */
  async function of(...lines: string[]): Promise<ServiceEndpoint | undefined> {
    const file = path.join(directory, 'gateway.config.yml');
    const declared = / {4}url: \$\{TRACKING_URL\}\n {4}audience: tracking\n/;
    const text = readFileSync(
      path.join(PACKAGE_ROOT, 'test/gateway/configuration/good/gateway.config.yml'),
      'utf8',
    );
    expect(text).to.match(declared);
    // Each service has routes of its own, and every endpoint needs one.
    const served = lines.includes('audience: query')
      ? text.replace('/track', '/v1/query').replace('[/links,', '[/v1/query/types,')
      : text;
    writeFileSync(file, served.replace(declared, lines.map((line) => `    ${line}\n`).join('')));
    const variables = configurationVariables({ query: 'http://q', tracking: TWO, resources: 'http://r' });
    const PLUGIN_DIR = path.join(PACKAGE_ROOT, 'dist/test/gateway/configuration/plugins');
    return (await loadConfiguration(directory, { ...variables, PLUGIN_DIR })).serviceEndpoints.backend;
  }

  it('with one address is watched by nothing until that is written', async () => {
    expect(await of(`url: \${QUERY_URL}`, 'audience: query')).to.deep.equal({
      urls: ['http://q'],
      audience: 'query',
      identity: null,
      required: true,
      dropHeaders: [],
      balance: 'least-connections',
      healthCheck: null,
      breaker: null,
      retries: 1,
      tls: null,
    });
    const written = await of('url: http://10.0.0.9:4001', 'healthCheck: { path: /up }', 'breaker: {}');
    expect(written?.healthCheck).to.include({ path: '/up', intervalSeconds: 2 });
    expect(written?.breaker).to.deep.equal({ failures: 5, openSeconds: 2 });
  });

  it('with several is checked where own services say that they are ready, and has breakers', async () => {
    expect(await of(`url: \${TRACKING_URL}`, 'audience: tracking')).to.deep.include({
      urls: TWO,
      healthCheck: {
        path: '/health/ready',
        intervalSeconds: 2,
        timeoutSeconds: 1,
        unhealthyAfter: 2,
        healthyAfter: 1,
      },
      breaker: { failures: 5, openSeconds: 2 },
    });
    const foreign = await of('urls: [http://10.0.0.8:4001, http://10.0.0.9:4001]');
    expect(foreign?.healthCheck).to.equal(null);
    expect(foreign?.breaker).to.deep.equal({ failures: 5, openSeconds: 2 });
  });

  it('learns nothing of the caller, and is missed by nobody, where it is foreign and says no more', async () => {
    const foreign = await of('url: http://10.0.0.9:4001');
    expect(foreign).to.include({ audience: null, identity: null, required: false });
    expect(foreign?.dropHeaders).to.deep.equal(CLAIMING_HEADERS);
    expect(await of('url: http://10.0.0.9:4001', 'required: true')).to.include({ required: true });
    expect(await of(`url: \${TRACKING_URL}`, 'audience: tracking', 'required: false')).to.include({
      required: false,
    });
  });

  it('that is foreign may have an identity of its own, by token or by headers', async () => {
    const url = 'url: http://10.0.0.9:4001';
    const identityOf = async (written: string) => (await of(url, `identity: ${written}`))?.identity;
    expect(await identityOf('{ audience: orders }')).to.deep.equal({ audience: 'orders', perRequest: false });
    expect(await identityOf('{ audience: "https://orders.example", perRequest: true }')).to.deep.equal({
      audience: 'https://orders.example',
      perRequest: true,
    });
    expect(await identityOf('headers')).to.equal('headers');
  });

  it('that is foreign gets no header that claims something, but those that are let through', async () => {
    const dropped = (
      await of(
        'url: http://10.0.0.9:4001',
        'dropHeaders: [X_Shop_User, x-user-id]',
        'passHeaders: [x-client-id]',
      )
    )?.dropHeaders;
    expect(dropped).to.include.members(['x-shop-user', 'x-user-id', 'x-forwarded-user']);
    expect(dropped).to.not.include('x-client-id');
    expect(dropped).to.have.length(CLAIMING_HEADERS.length);
  });

  it('is what is written: balance, retries, and no watch at all', async () => {
    expect(
      await of(
        `url: \${TRACKING_URL}`,
        'audience: tracking',
        'balance: round-robin',
        'healthCheck: none',
        'breaker: none',
        'retries: 0',
      ),
    ).to.deep.include({ balance: 'round-robin', healthCheck: null, breaker: null, retries: 0 });
  });

  it('stays with one address by what is written to be hashed', async () => {
    expect(
      await of(`url: \${TRACKING_URL}`, 'audience: tracking', 'balance: { hash: organization }'),
    ).to.deep.include({ balance: { hash: 'organization' } });
  });

  it('takes all addresses of a setting from its variable', async () => {
    expect((await of(`url: \${TRACKING_URL}`, 'audience: tracking'))?.urls).to.deep.equal(TWO);
  });

  /** The last line of `explain POST /track`, which tells the service. */
  async function explained(): Promise<string | undefined> {
    const lines: string[] = [];
    const program = new Command();
    const PLUGIN_DIR = path.join(PACKAGE_ROOT, 'dist/test/gateway/configuration/plugins');
    registerExplainCommand(program, {
      configDir: () => directory,
      organizations: async () => [],
      surroundings: () => ({
        variables: { PLUGIN_DIR, TRACKING_URL: TWO.join(',') },
        customSql: DEFAULT_CUSTOM_SQL,
      }),
      out: (line) => lines.push(line),
    });
    await program.parseAsync(['explain', 'POST', '/track'], { from: 'user' });
    return lines.at(-1);
  }

  it('of several addresses is explained with how they are balanced', async () => {
    await of(`url: \${TRACKING_URL}`, 'audience: tracking', 'retries: 2');
    expect(await explained()).to.equal(
      'service   backend (http://10.0.0.1:4001, http://10.0.0.2:4001), identity for tracking, least-connections, checked at /health/ready, out after 5 failures, 2 retries',
    );
    await of(`url: \${TRACKING_URL}`, 'audience: tracking', 'balance: { hash: website }');
    expect(await explained()).to.include('identity for tracking, by a hash of the website, checked at');
  });
});

describe('the settings of service addresses', () => {
  const faults = (text: string): readonly string[] => {
    try {
      loadSettings({ QUERY_URL: text });
      return [];
    } catch (fault) {
      if (!(fault instanceof SettingsError)) throw fault;
      return fault.faults;
    }
  };

  it('are lists of origins', () => {
    const { serviceUrls } = loadSettings({ QUERY_URL: `${TWO[0]}/, ${TWO[1]}`, TRACKING_URL: '' });
    expect(serviceUrls).to.deep.equal({ query: TWO, tracking: [], resources: [] });
  });

  it('do not repeat a password', () => {
    expect(faults('http://a:1,http://u:p@b:2')).to.deep.equal([
      'QUERY_URL=(not shown): must have no path, user or query',
    ]);
  });

  for (const [text, reason] of [
    ['http://a:1,b', 'must be addresses such as http://127.0.0.1:4001, comma-separated'],
    ['http://a:1,http://b:2/v1', 'must have no path, user or query'],
    ['http://a:1,http://a:1/', 'names an address twice'],
  ] as const) {
    it(`refuse ${text}`, () => {
      expect(faults(text)).to.deep.equal([`QUERY_URL=${JSON.stringify(text)}: ${reason}`]);
    });
  }
});
