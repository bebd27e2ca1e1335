/** Plugins of express-gateway as they are published: their policies and conditions work in front of a backend, or are refused. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../../config/settings.ts';
import { ConfigurationError, formatFault } from '../../../../gateway/configuration/faults.ts';
import { loadConfiguration } from '../../../../gateway/configuration/load-configuration.ts';
import { configurationVariables } from '../../../../gateway/process/reload/configuration-variables.ts';
import { startUpstream } from '../../../support/start-gateway.ts';
import {
  type Edit,
  type LimitedGateway,
  startLimitedGateway,
  writeEdited,
} from '../../../support/start-limited-gateway.ts';
import { createTempDirectory } from '../../../support/temp-directory.ts';

const REWRITE = createRequire(import.meta.url).resolve('express-gateway-plugin-rewrite');
const OURS = `rewrite: { package: "\${PLUGIN_DIR}/rewrite/manifest.js" }`;
const fixture = (name: string) => join(PACKAGE_ROOT, `dist/test/gateway/configuration/plugins/${name}.js`);

interface Setup {
  /** Lines of `plugins`. */
  readonly plugins: readonly string[];
  readonly policies: readonly string[];
  /** Pipelines by the name of their endpoint, each with the lines of its own steps. */
  readonly pipelines: Readonly<Record<string, readonly string[]>>;
}

function editsOf({ plugins, policies, pipelines }: Setup, origin: string): Edit[] {
  const names = Object.keys(pipelines);
  const blocks = Object.entries(pipelines).map(([name, steps]) =>
    [
      `  ${name}:`,
      `    apiEndpoints: [${name}]`,
      '    policies:',
      ...['- auth:', '- body:', '- rate-limit:', ...steps].map((step) => `      ${step}`),
      '      - proxy: [{ action: { serviceEndpoint: shop } }]\n',
    ].join('\n'),
  );
  const endpoints = names.map((name) => `  ${name}: { paths: [/${name}, "/${name}/*"], access: optional }\n`);
  return [
    ['gateway.config.yml', 'apiEndpoints:\n', `apiEndpoints:\n${endpoints.join('')}`],
    ['gateway.config.yml', 'serviceEndpoints:\n', `serviceEndpoints:\n  shop: { url: "${origin}" }\n`],
    ['gateway.config.yml', 'redirect, not-found]', `redirect, not-found, ${policies.join(', ')}]`],
    ['gateway.config.yml', 'pipelines:\n', `pipelines:\n${blocks.join('')}`],
    ['system.config.yml', 'plugins:\n', `plugins:\n${plugins.map((line) => `  ${line}\n`).join('')}`],
  ];
}

describe('plugins of express-gateway', () => {
  let gateway: LimitedGateway;
  let shop: Awaited<ReturnType<typeof startUpstream>>;

  before(async () => {
    shop = await startUpstream((req, res) => {
      res.setHeader('content-type', 'application/json');
      const { url, headers } = req;
      res.end(JSON.stringify({ url, headers }));
    });
    const setup: Setup = {
      plugins: [`moving: { package: "${REWRITE}" }`, OURS, `hooks: { package: "${fixture('hooks')}" }`],
      policies: ['moving/rewrite', 'rewrite', 'mark', 'hooks/move'],
      pipelines: {
        old: [
          '- moving/rewrite:',
          '    - action: { rewrite: "/new/:id" }',
          '      condition: { name: pathmatch, match: "/old/items/:id" }',
          '    - action: { rewrite: "/plain/$1" }',
          '      condition: { name: regexpmatch, match: "^/old/plain/(.*)$" }',
          '    - action: { rewrite: "/away/:id", redirect: 302 }',
          '      condition: { name: pathmatch, match: "/old/away/:id" }',
        ],
        ours: ['- rewrite: [{ action: { strip: /ours } }]'],
        marked: [
          '- mark:',
          '    - action: { header: x-mark }',
          '      condition: { name: has-header, header: x-ask }',
          '- hooks/move:',
          '    - action: { to: "https://example.com/there" }',
          '      condition: { name: not, condition: { name: not, condition: { name: made, word: leave } } }',
        ],
      },
    };
    gateway = await startLimitedGateway(editsOf(setup, shop.origin));
  });
  after(async () => {
    await gateway.close();
    await shop.close();
  });

  const get = (path: string, headers: Record<string, string> = {}) => gateway.call('GET', path, { headers });

  it('rewrite and redirect by express-gateway-plugin-rewrite 1.3.0', async () => {
    expect((await get('/old/items/42')).body.url).to.equal('/new/42');
    expect((await get('/old/plain/a/b')).body.url).to.equal('/plain/a/b');
    expect((await get('/old/other')).body.url).to.equal('/old/other');
    const redirect = await fetch(`${gateway.origin}/old/away/7`, { redirect: 'manual' });
    expect([redirect.status, redirect.headers.get('location')]).to.deep.equal([302, '/away/7']);
    expect(redirect.headers.get('x-ratelimit-limit')).to.be.a('string');
    expect(redirect.headers.get('x-request-id')).to.be.a('string');
  });

  it('leave a policy of ours its name', async () => {
    expect((await get('/ours/items')).body.url).to.equal('/items');
  });

  it('change headers and path for the backend, and nothing that the gateway answers for', async () => {
    const { body } = await get('/marked/items', { 'x-ask': 'please', 'x-drop': 'me', 'x-keep': 'me' });
    expect(body.url).to.equal('/moved/marked/items');
    expect(body.headers).to.include({
      'x-mark': 'none marked please',
      'x-user-id': 'set by a policy',
      'x-keep': 'me',
    });
    expect(body.headers).to.not.have.any.keys('x-drop', 'x-gateway-identity', 'content-length');
    expect(body.headers.host).to.equal(new URL(shop.origin).host);
    const plain = await get('/marked/items', { 'x-drop': 'me', 'x-user-id': 'forged' });
    expect(plain.body.url).to.equal('/marked/items');
    expect(plain.body.headers).to.include({ 'x-drop': 'me' });
    expect(plain.body.headers).to.not.have.any.keys('x-mark', 'x-user-id');
  });

  it('answer by res.redirect where their condition holds', async () => {
    const redirect = await fetch(`${gateway.origin}/marked/leave`, { redirect: 'manual' });
    expect([redirect.status, redirect.headers.get('location')]).to.deep.equal([
      307,
      'https://example.com/there',
    ]);
  });

  describe('in the configuration', () => {
    async function faultsOf(setup: Setup): Promise<string[]> {
      const folder = createTempDirectory();
      try {
        writeEdited(join(folder.path, 'config'), editsOf(setup, 'http://shop.test'));
        const services = { query: 'http://q.test', tracking: 'http://t.test', resources: 'http://r.test' };
        await loadConfiguration(join(folder.path, 'config'), configurationVariables(services), null);
        return [];
      } catch (fault) {
        if (!(fault instanceof ConfigurationError)) throw fault;
        return fault.faults.map((one) => formatFault(one).replace(/^([\w.]+):\d+ /, '$1 '));
      } finally {
        folder.remove();
      }
    }
    const alone = (name: string): Setup => ({
      plugins: [`odd: { package: "${fixture(name)}" }`],
      policies: [],
      pipelines: {},
    });
    const withoutExtra = async (setup: Setup): Promise<string> => {
      const edited = {
        ...setup,
        policies: ['rewrite'],
        pipelines: { shop: ['- rewrite: [{ action: { strip: /shop } }]'] },
      };
      const plugins = [...setup.plugins, OURS];
      return (await faultsOf({ ...edited, plugins })).join('\n');
    };

    it('are refused with the reason where a hook has nothing to hook into', async () => {
      const cases: Readonly<Record<string, string>> = {
        'gateway-route':
          'the plugin calls registerGatewayRoute: it adds a route of its own, which no credential and no limit would guard',
        'admin-route':
          'the plugin calls registerAdminRoute: it adds a route to the administration API of express-gateway, which does not run here',
        'cli-extension':
          'the plugin calls registerCLIExtension: it adds a command to the command line of express-gateway, which is not here',
        'uses-services':
          "the plugin's init throws: Error: services.user of express-gateway does not run here",
        'async-condition':
          'the condition "slow" is asynchronous: express-gateway would take its promise for a yes',
        'own-condition': 'registers the condition "always", which "express-gateway" already has',
      };
      for (const [name, fault] of Object.entries(cases)) {
        expect(await withoutExtra(alone(name)), name).to.include(fault);
      }
    });

    it('have their parameters and conditions judged, under either name', async () => {
      const hooks = (step: string, policy = 'hooks/move'): Promise<string[]> =>
        faultsOf({
          plugins: [`hooks: { package: "${fixture('hooks')}" }`],
          policies: [policy],
          pipelines: { shop: [step] },
        });
      expect(await hooks('- hooks/move: [{ action: { to: /a } }]')).to.deep.equal([]);
      expect(await hooks('- move: [{ action: { to: /a } }]', 'move')).to.deep.equal([]);
      expect((await hooks('- hooks/move: [{ action: {} }]')).join()).to.include('action.to: is missing');
      const conditions = await hooks(
        '- move: [{ action: { to: /a }, condition: { name: has-header } }]',
        'move',
      );
      expect(conditions.join()).to.include("should have required property 'header'");
      const made = await hooks('- move: [{ action: { to: /a }, condition: { name: absent } }]', 'move');
      expect(made.join()).to.include('pathMatch, method, has-header, made');
      expect((await hooks('- other/move: [{ action: { to: /a } }]', 'other/move')).join()).to.include(
        'no plugin provides the policy "other/move"',
      );
    });

    it('need their plugin in front where two register the same name', async () => {
      const both = (policy: string): Promise<string[]> =>
        faultsOf({
          plugins: [`one: { package: "${fixture('stamp')}" }`, `two: { package: "${fixture('stamp')}" }`],
          policies: [policy],
          pipelines: { shop: [`- ${policy}: [{ action: { header: x-a } }]`] },
        });
      expect(await both('one/stamp')).to.deep.equal([]);
      expect((await both('stamp')).join()).to.include('no plugin provides the policy "stamp"');
    });
  });
});
