/** The configuration check by its contract: each file of test/gateway/configuration/bad is refused with exactly the faults that it names. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import type { Configuration } from '../../../gateway/configuration/configuration.ts';
import { ConfigurationError, formatFault } from '../../../gateway/configuration/faults.ts';
import { loadConfiguration } from '../../../gateway/configuration/load-configuration.ts';

const SOURCES = path.join(PACKAGE_ROOT, 'test/gateway/configuration');
const BAD = path.join(SOURCES, 'bad');
const VARIABLES = {
  PLUGIN_DIR: path.join(PACKAGE_ROOT, 'dist/test/gateway/configuration/plugins'),
  BACKEND_URL: 'http://127.0.0.1:4001',
  TRACKING_URL: 'http://127.0.0.1:4009',
  QUERY_URL: 'http://127.0.0.1:4008',
};

describe('configuration check', () => {
  let directory = '';
  const replace = (file: string, text: string) => writeFileSync(path.join(directory, file), text);
  const edit = (file: string, from: string, to: string) => {
    const before = readFileSync(path.join(directory, file), 'utf8');
    expect(before).to.include(from);
    replace(file, before.replace(from, to));
  };

  beforeEach(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'tidegate-config-'));
    cpSync(path.join(SOURCES, 'good'), directory, { recursive: true });
  });

  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  async function faultsOf(variables: Record<string, string> = VARIABLES): Promise<string[]> {
    try {
      await loadConfiguration(directory, variables);
      return [];
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      return error.faults.map(formatFault);
    }
  }

  describe('refuses, to the letter,', () => {
    for (const name of readdirSync(BAD)) {
      const text = readFileSync(path.join(BAD, name), 'utf8');
      const [description = ''] = headers(text, '# ');
      it(`${path.parse(name).name}: ${description}`, async () => {
        const [[file = ''], expected] = [headers(text, '# file: '), headers(text, '# fault: ')];
        expect(expected).to.not.be.empty;
        replace(file, text);
        expect(await faultsOf()).to.deep.equal(expected);
      });
    }
  });

  describe('accepts', () => {
    it('the shipped configuration', async () => {
      const configuration = await loadConfiguration(path.join(PACKAGE_ROOT, 'config'), {
        PLUGIN_DIR: path.join(PACKAGE_ROOT, 'dist/plugins'),
        DASHBOARD_DIR: '/srv/pages',
        SHARE_DIR: '/srv/share',
        TRACKING_URL: 'http://127.0.0.1:4001',
        QUERY_URL: 'http://127.0.0.1:4002',
        RESOURCES_URL: 'http://127.0.0.1:4003',
      });
      expect(configuration.endpoints.at(-1)).to.include({
        name: 'unmatched',
        access: 'optional',
        methods: null,
      });
    });

    it('a good configuration, and gives it back with names resolved and defaults filled in', async () => {
      const configuration = await loadConfiguration(directory, VARIABLES);
      expect(configuration.endpoints).to.deep.equal([
        endpoint(3, {
          name: 'track',
          paths: ['/track'],
          methods: ['POST'],
          access: 'scoped',
          scopes: ['track:events'],
          routes: ['POST /track'],
        }),
        endpoint(7, {
          name: 'links',
          paths: ['/links', '/links/:id'],
          routes: ['GET /:slug'],
          methods: ['GET', 'POST'],
          class: 'links',
        }),
        endpoint(12, { name: 'unmatched', paths: ['/*'], access: 'optional', pipeline: 'unmatched' }),
      ]);
      expect(configuration.serviceEndpoints).to.deep.equal({
        backend: {
          urls: ['http://127.0.0.1:4009'],
          audience: 'tracking',
          identity: null,
          required: true,
          dropHeaders: [],
          balance: 'least-connections',
          healthCheck: null,
          breaker: null,
          retries: 1,
          tls: null,
        },
      });
      const [backend] = configuration.pipelines;
      expect(backend?.endpoints).to.deep.equal(['track', 'links']);
      expect(backend?.steps.map((step) => step.policy)).to.deep.equal([
        'auth',
        'stamp',
        'body',
        'scopes',
        'rate-limit',
        'proxy',
      ]);
      expect(backend?.steps[1]).to.deep.equal({
        policy: 'stamp',
        condition: { name: 'method', methods: 'POST' },
        action: { header: 'X-Stamp' },
        parameters: { header: 'X-Stamp' },
      });
      expect(backend?.steps[2]).to.deep.equal({
        policy: 'body',
        condition: null,
        action: { maxBytes: 1024 },
        parameters: { maxBytes: 1024, read: 'stream' },
      });
      expect(configuration.plugins.map((plugin) => plugin.policies)).to.deep.equal([
        ['auth', 'body', 'scopes', 'rate-limit', 'proxy', 'not-found'],
        ['stamp'],
      ]);
      expect(configuration.plans.plans.free).to.deep.equal({ per10Seconds: 50, perMinute: 300 });
    });

    it('every synchronous condition, nested', async () => {
      const condition = [
        '{ name: oneOf, conditions: [{ name: always }, { name: never }',
        '{ name: not, condition: { name: pathExact, path: /a } }',
        '{ name: allOf, conditions: [{ name: pathMatch, pattern: ^/a }, { name: method, methods: [GET, PUT] }] }] }',
      ].join(', ');
      edit('gateway.config.yml', '{ name: method, methods: POST }', condition);
      expect(await faultsOf()).to.deep.equal([]);
    });

    it('hosts declared before endpoints of every host', async () => {
      edit('gateway.config.yml', '    paths: /track\n', '    host: "*.example.com"\n    paths: /*\n');
      expect(await faultsOf()).to.deep.equal([]);
    });

    it('aliases in the measure of a person', async () => {
      edit('gateway.config.yml', '[track:events]', '&scopes [track:events]');
      edit('gateway.config.yml', '    access: public\n    class', '    scopes: *scopes\n    class');
      const { endpoints } = await loadConfiguration(directory, VARIABLES);
      expect(endpoints.map((one) => one.scopes)).to.deep.equal([['track:events'], ['track:events'], []]);
    });
  });

  describe('replaces variables', () => {
    const withUrl = (text: string) =>
      edit('gateway.config.yml', `\${TRACKING_URL}\n    audience: tracking`, `'${text}'`);
    const urlOf = async (variables: Record<string, string>): Promise<string | undefined> => {
      const configuration: Configuration = await loadConfiguration(directory, { ...VARIABLES, ...variables });
      return configuration.serviceEndpoints.backend?.urls[0];
    };

    it('with what they hold, also inside of text', async () => {
      withUrl(`http://\${NAME}:4\${DIGITS}`);
      expect(await urlOf({ NAME: 'backend.test', DIGITS: '000' })).to.equal('http://backend.test:4000');
    });

    it('with the default when they are unknown or empty', async () => {
      withUrl(`http://\${NAME:-localhost}:4001`);
      expect(await urlOf({})).to.equal('http://localhost:4001');
      expect(await urlOf({ NAME: '' })).to.equal('http://localhost:4001');
      expect(await urlOf({ NAME: 'backend.test' })).to.equal('http://backend.test:4001');
    });

    it('after parsing: what a variable holds is never read as YAML, nor as a variable', async () => {
      withUrl(`\${NAME}`);
      const value = `{ http: \${OTHER} } # "`;
      expect(await faultsOf({ ...VARIABLES, NAME: value, OTHER: 'x' })).to.deep.equal([
        `gateway.config.yml:18 serviceEndpoints.backend.url: ${JSON.stringify(value)} is not an http address; allowed: http://host:port, https://host:port`,
      ]);
    });
  });

  describe('tells what is not there', () => {
    it('a directory', async () => {
      rmSync(directory, { recursive: true });
      expect(await faultsOf()).to.deep.equal([`${directory}: is not a directory`]);
    });

    it('every missing file at once', async () => {
      for (const file of ['gateway.config.yml', 'system.config.yml', 'plans.yml', 'models/users.json']) {
        rmSync(path.join(directory, file));
      }
      const faults = await faultsOf();
      expect(faults.sort()).to.deep.equal([
        'gateway.config.yml: the file is missing',
        'models/users.json: the file is missing',
        'plans.yml: the file is missing',
        'system.config.yml: the file is missing',
      ]);
    });

    it('what stands in the place of a file but cannot be read', async () => {
      for (const file of ['gateway.config.yml', 'plans.yml', 'models/users.json']) {
        rmSync(path.join(directory, file));
        mkdirSync(path.join(directory, file));
      }
      const faults = await faultsOf();
      expect(faults.sort()).to.deep.equal([
        'gateway.config.yml: the file cannot be read (EISDIR)',
        'models/users.json: the file cannot be read (EISDIR)',
        'plans.yml: the file cannot be read (EISDIR)',
      ]);
    });

    it('models that express-gateway could not read', async () => {
      replace('models/users.json', '$id: users\n');
      replace('models/credentials.json', '{ "type": "object" }');
      replace('models/applications.json', '[]');
      const faults = await faultsOf();
      expect(faults.sort()).to.deep.equal([
        'models/applications.json:1: [] is not a map; allowed: a JSON schema with $id',
        'models/credentials.json:1 $id: is missing; allowed: a URI',
        'models/users.json: this is YAML, not JSON',
      ]);
    });
  });

  it('tells the faults of all files at once', async () => {
    edit('gateway.config.yml', 'track:events', 'track:event');
    edit('system.config.yml', 'emulate: false', 'emulate: true');
    edit('plans.yml', 'per10Seconds: 50', 'per10Seconds: many');
    replace('models/users.json', '{}');
    const faults = await faultsOf();
    expect(faults.map((fault) => fault.split(':')[0])).to.have.members([
      'gateway.config.yml',
      'system.config.yml',
      'plans.yml',
      'models/users.json',
    ]);
  });

  it('carries each fault in parts, for machines', async () => {
    edit('gateway.config.yml', 'track:events', 'track:event');
    const error = await loadConfiguration(directory, VARIABLES).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(ConfigurationError);
    expect((error as ConfigurationError).faults[0]).to.deep.include({
      file: 'gateway.config.yml',
      line: 6,
      path: 'apiEndpoints.track.scopes[0]',
      came: 'track:event',
      nearest: 'track:events',
      text: '"track:event" is not a valid scope',
    });
  });

  it('never repeats a password of an address', async () => {
    edit('gateway.config.yml', `\${TRACKING_URL}`, 'http://user:hunter2@127.0.0.1:4001');
    const error = await loadConfiguration(directory, VARIABLES).catch((thrown: unknown) => thrown);
    const { faults } = error as ConfigurationError;
    expect(faults).to.have.length(1);
    expect(JSON.stringify(faults)).to.not.include('hunter2');
  });
});

/** The texts of the comment lines that begin with `prefix`; JSON keeps them in `$comment`. */
function headers(text: string, prefix: string): string[] {
  const lines: string[] = text.startsWith('{') ? JSON.parse(text).$comment : text.split('\n');
  return lines.filter((line) => line.startsWith(prefix)).map((line) => line.slice(prefix.length));
}

/** `line`: where it stands. */
function endpoint(line: number, own: Partial<Configuration['endpoints'][number]>): object {
  return {
    place: { file: 'gateway.config.yml', line },
    methods: null,
    access: 'public',
    scopes: [],
    roles: [],
    class: 'other',
    limits: [],
    cost: 'request',
    countedList: null,
    cors: 'own',
    endedSession: 'refused',
    host: null,
    hostRegex: null,
    pathRegex: null,
    pipeline: 'backend',
    routes: [],
    ...own,
  };
}
