/** `tidegate check` and the start agree: what one takes the other takes, and what one refuses the other refuses in the same words. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadSettings, PACKAGE_ROOT } from '../../../config/settings.ts';
import { startEmbedded } from '../../../gateway/process/embedded.ts';
import { createLogWatch, type LogWatch } from '../../support/log-watch.ts';
import { runCliProcess } from '../../support/run-cli.ts';
import { createTempDirectory, type TempDirectory } from '../../support/temp-directory.ts';

const GATEWAY = 'gateway.config.yml';
const SYSTEM = 'system.config.yml';
const PLUGINS = join(PACKAGE_ROOT, 'dist/test/gateway/configuration/plugins');

type Edit = readonly [file: string, from: string, to: string];

const loaded = (name: string): Edit => [
  SYSTEM,
  'plugins:\n',
  `plugins:\n  ${name}:\n    package: ${PLUGINS}/${name}.js\n`,
];
const used = (name: string, allowed: string): Edit[] => [
  loaded(name),
  [GATEWAY, 'policies: [auth,', `policies: [auth, ${name},`],
  [
    GATEWAY,
    '      - auth:\n      - scopes:\n      - rate-limit:\n      - jwks:',
    `      - auth:\n      - ${name}:\n          - action: { allowed: "${allowed}" }\n      - scopes:\n      - rate-limit:\n      - jwks:`,
  ],
];
const ANSWERING = 'serviceEndpoint: query, timeoutSeconds: 45';

interface Case {
  readonly name: string;
  readonly edits: readonly Edit[];
  readonly settings?: Readonly<Record<string, string>>;
  /** What both say when they refuse. */
  readonly fault?: string;
  /** What both say beside taking it. */
  readonly warning?: string;
}

const CASES: readonly Case[] = [
  { name: 'the shipped configuration', edits: [] },
  { name: 'a policy with a format that only zod knows', edits: used('networks', '10.0.0.0/8') },
  {
    name: 'a parameter against that format',
    edits: used('networks', 'everywhere'),
    fault: 'allowed: "everywhere" is not allowed',
  },
  {
    name: 'a foreign policy with a format that express-gateway does not know',
    edits: used('foreign-format', '10.0.0.0/8'),
    fault: 'express-gateway cannot read the schema of the policy "foreign-format"',
  },
  {
    name: 'a foreign policy that forbids what express-gateway adds',
    edits: used('closed', 'all'),
    fault: 'express-gateway refuses them: data should NOT have additional properties',
  },
  {
    name: 'a plugin that is loaded and in no pipeline',
    edits: [loaded('networks')],
    warning: 'system.config.yml:5 plugins.networks: is loaded, but no pipeline uses its policies (networks)',
  },
  {
    name: 'a pipeline of custom SQL that waits as long as the query service may take',
    edits: [[GATEWAY, ANSWERING, 'serviceEndpoint: query, timeoutSeconds: 40']],
    fault:
      'timeoutSeconds: 40 seconds would cut off a custom SQL query that the query service still allows to wait (CUSTOM_SQL_WAIT_SECONDS=10) and run (CUSTOM_SQL_TIMEOUT_SECONDS=30); allowed: at least 41, or smaller settings',
  },
  {
    name: 'one that waits a second longer',
    edits: [[GATEWAY, ANSWERING, 'serviceEndpoint: query, timeoutSeconds: 41']],
  },
  {
    name: 'settings of custom SQL beyond the shipped pipeline',
    edits: [],
    settings: { CUSTOM_SQL_WAIT_SECONDS: '20', CUSTOM_SQL_TIMEOUT_SECONDS: '25' },
    fault:
      'timeoutSeconds: 45 seconds would cut off a custom SQL query that the query service still allows to wait (CUSTOM_SQL_WAIT_SECONDS=20) and run (CUSTOM_SQL_TIMEOUT_SECONDS=25); allowed: at least 46, or smaller settings',
  },
  {
    name: 'settings of custom SQL beyond any pipeline',
    edits: [],
    settings: { CUSTOM_SQL_WAIT_SECONDS: '60', CUSTOM_SQL_TIMEOUT_SECONDS: '300' },
    fault: 'allowed: at least 361, or smaller settings',
  },
  {
    name: 'the audience of an own service on a foreign backend',
    edits: [
      [
        GATEWAY,
        '    audience: resources\n',
        `    audience: resources\n  mine:\n    url: http://10.0.0.1:1\n    audience: query\n`,
      ],
    ],
    fault: `mine.url: is not exactly \${QUERY_URL}`,
  },
];

describe('the check and the start', () => {
  let folder: TempDirectory;
  beforeEach(() => {
    folder = createTempDirectory();
    cpSync(join(PACKAGE_ROOT, 'config'), folder.file('config'), { recursive: true });
  });
  afterEach(() => folder.remove());

  for (const { name, edits, settings = {}, fault, warning } of CASES) {
    it(`${fault === undefined ? 'take' : 'refuse'} ${name}`, async () => {
      const directory = folder.file('config');
      for (const [file, from, to] of edits) {
        const text = readFileSync(join(directory, file), 'utf8');
        expect(text).to.include(from);
        writeFileSync(join(directory, file), text.replace(from, to));
      }
      const environment = { ...settings, CONFIG_DIR: directory };
      const checked = await runCliProcess(['check'], environment);
      const watch = createLogWatch();
      const started = await start(environment, watch);

      if (fault !== undefined) {
        expect(checked.code, checked.out).to.equal(1);
        expect(checked.error).to.include(fault);
        expect(checked.error).to.match(new RegExp(`\\d+ faults? in ${directory}`));
        expect(started).to.include(fault);
        return;
      }
      expect(checked.error).to.equal('');
      expect(checked.code).to.equal(0);
      expect(checked.out).to.include(` in ${directory}\n`);
      expect(started).to.equal(null);
      const warned = watch.lines
        .map((line) => JSON.parse(line).msg)
        .filter((text) => text.includes('plugins.'));
      expect(warned).to.deep.equal(warning === undefined ? [] : [`configuration: ${warning}`]);
      expect(checked.out.includes(`warning: ${warning}\n`)).to.equal(warning !== undefined);
    });
  }

  it('agree about the addresses of the services, which both read from the settings', async () => {
    const directory = folder.file('config');
    const file = join(directory, GATEWAY);
    const text = readFileSync(file, 'utf8').replace(
      '    audience: resources\n',
      `    audience: resources\n  mine:\n    url: http://LOCALHOST:9/\n  theirs:\n    url: \${QUERY_URL}\n`,
    );
    writeFileSync(file, text);
    const checked = await runCliProcess(['check'], {
      QUERY_URL: 'http://127.0.0.1:9',
      CONFIG_DIR: directory,
    });
    expect(checked.error).to.include(
      `mine.url: http://localhost:9 is the query service, which refuses requests without identity; allowed: url: \${QUERY_URL} with audience: query`,
    );
    expect(checked.error).to.include('theirs.url: http://127.0.0.1:9 is the query service');
  });

  /** Why it does not start; null when it does. */
  async function start(environment: Record<string, string>, watch: LogWatch): Promise<string | null> {
    const settings = loadSettings({ ...environment, PORT: '0', DATA_DIR: folder.file('data') });
    try {
      const server = await startEmbedded(settings, watch.logger);
      await server.close();
      return null;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
});
