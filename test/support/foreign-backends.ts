/** The shipped configuration with backends of a platform's own beside our services. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../config/settings.ts';
import { createTempDirectory, type TempDirectory } from './temp-directory.ts';

export interface ForeignBackend {
  /** The lines of its service endpoint, such as `url: http://127.0.0.1:4711`. */
  readonly service: readonly string[];
  /** The lines of its apiEndpoint besides the paths; those of a scope that every test key has when absent. */
  readonly endpoint?: readonly string[];
  /** The step that says who calls; `- auth:` when absent. */
  readonly caller?: string;
  /** Lines of further steps, before the proxy. */
  readonly steps?: readonly string[];
  /** Parameters of its body policy; 1 MB of JSON or plain text when absent. */
  readonly body?: string;
  /** Further parameters of its proxy, such as `webSocket: {}`. */
  readonly proxy?: string;
}

const BODY = 'maxBytes: 1048576, contentTypes: [application/json, text/plain]';

/** A configuration directory in which each backend serves `/NAME` and every path below. `plugins`: further ones that provide steps. */
export function withForeignBackends(
  backends: Readonly<Record<string, ForeignBackend>>,
  plugins: readonly string[] = [],
): TempDirectory {
  const folder = createTempDirectory();
  cpSync(join(PACKAGE_ROOT, 'config'), folder.path, { recursive: true });
  const file = folder.file('gateway.config.yml');
  const entries = Object.entries(backends);
  const under =
    (section: string, blockOf: (name: string, backend: ForeignBackend) => string[]) => (text: string) =>
      text.replace(
        `\n${section}:\n`,
        () => `\n${section}:\n${entries.flatMap(([name, backend]) => blockOf(name, backend)).join('\n')}\n`,
      );
  const indented = (lines: readonly string[], by: string) => lines.map((line) => `${by}${line}`);
  const edits = [
    under('apiEndpoints', (name, { endpoint = ['scopes: [read:data]'] }) => [
      `  ${name}:`,
      `    paths: [/${name}, "/${name}/*"]`,
      ...indented(endpoint, '    '),
    ]),
    under('serviceEndpoints', (name, { service }) => [`  ${name}:`, ...indented(service, '    ')]),
    under('pipelines', (name, { caller = '- auth:', steps = [], body = BODY, proxy }) => [
      `  ${name}:`,
      `    apiEndpoints: [${name}]`,
      '    policies:',
      `      ${caller}`,
      '      - body:',
      `          - action: { ${body} }`,
      '      - scopes:',
      '      - rate-limit:',
      ...indented(steps, '      '),
      '      - proxy:',
      `          - action: { serviceEndpoint: ${name}${proxy === undefined ? '' : `, ${proxy}`} }`,
    ]),
  ];
  const edited = edits.reduce((text, edit) => edit(text), readFileSync(file, 'utf8'));
  const declared = ['redirect, not-found', ...plugins].join(', ');
  writeFileSync(file, edited.replace('redirect, not-found]', `${declared}]`));
  const system = folder.file('system.config.yml');
  const packages = plugins.map((name) => `  ${name}: { package: "\${PLUGIN_DIR}/${name}/manifest.js" }\n`);
  writeFileSync(
    system,
    readFileSync(system, 'utf8').replace('plugins:\n', () => `plugins:\n${packages.join('')}`),
  );
  return folder;
}
