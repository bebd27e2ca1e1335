/** The shipped configuration with a backend of somebody's own, the shop, whose pipeline holds the policies of a test. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Configuration } from '../../gateway/configuration/configuration.ts';
import { ConfigurationError, formatFault } from '../../gateway/configuration/faults.ts';
import { loadConfiguration } from '../../gateway/configuration/load-configuration.ts';
import { configurationVariables } from '../../gateway/process/reload/configuration-variables.ts';
import { startUpstream } from './start-gateway.ts';
import { type Edit, type LimitedGateway, startLimitedGateway, writeEdited } from './start-limited-gateway.ts';
import { createTempDirectory } from './temp-directory.ts';

export interface ShopOptions {
  /** The policies behind `auth`, each as the YAML of its step. */
  readonly steps: readonly string[];
  /** The step that says who calls, where it is not `auth`. */
  readonly caller?: string;
  /** Those before `auth`, where none may stand. */
  readonly first?: readonly string[];
  /** The step `body`, where it is not the usual one. */
  readonly body?: string;
  /** Those behind `rate-limit`. */
  readonly late?: readonly string[];
  /** Plugins that provide them. */
  readonly plugins: readonly string[];
  /** Lines of the endpoint; a path below /shop that anybody may ask when absent. */
  readonly endpoint?: readonly string[];
  /** Lines of a second endpoint, which the same answers in a pipeline of its own; none when absent. */
  readonly other?: readonly string[];
  /** What answers; the proxy to the shop when absent. */
  readonly answer?: string;
  /** What the shop learns of its callers, as YAML; nothing when absent. */
  readonly identity?: string;
  /** Further services, by name: the origin of each, or its entry as YAML in braces. */
  readonly services?: Readonly<Record<string, string>>;
}

/** What the shop saw of a request. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** As they came. */
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

export interface ShopGateway extends LimitedGateway {
  /** Requests that the shop saw, in their order. */
  readonly seen: Seen[];
}

const ENDPOINT = ['paths: "/shop/*"', 'access: optional'];
const JUDGED = ['- scopes:', '- rate-limit:'];
const TO_SHOP = '- proxy: [{ action: { serviceEndpoint: shop } }]';

function entryOf(origin: string, identity: string | undefined): string {
  return identity === undefined ? origin : `{ url: "${origin}", identity: ${identity} }`;
}

/** The edits of the shipped configuration that make it; `origin`: where the shop listens. */
export function shopEdits(options: ShopOptions, origin: string): Edit[] {
  const {
    steps,
    caller = '- auth:',
    first = [],
    body = '- body:',
    late = [],
    plugins,
    endpoint = ENDPOINT,
    other,
    answer = TO_SHOP,
    services = {},
    identity,
  } = options;
  const indented = (lines: readonly string[], spaces: number) =>
    lines.flatMap((line) => line.split('\n')).map((line) => `${' '.repeat(spaces)}${line}\n`);
  const own = { ...(answer === TO_SHOP && { shop: entryOf(origin, identity) }), ...services };
  const named = Object.entries(own).map(([name, entry]) =>
    entry.startsWith('{') ? `${name}: ${entry}` : `${name}: { url: "${entry}" }`,
  );
  const used = [caller, ...first, ...steps, ...late, answer].map(
    (step) => /^- ([a-z-]+):/.exec(step)?.[1] ?? step,
  );
  const further = [...new Set(used)].filter((name) => !['auth', 'proxy', 'redirect'].includes(name));
  const second = other === undefined ? '' : `  other:\n${indented(other, 4).join('')}`;
  const pipelineOf = (name: string, own: readonly string[]) =>
    `  ${name}:\n    apiEndpoints: [${name}]\n    policies:\n${indented([...first, caller, ...own, body, ...JUDGED, ...late, answer], 6).join('')}`;
  return [
    [
      'gateway.config.yml',
      'apiEndpoints:\n',
      `apiEndpoints:\n${second}  shop:\n${indented(endpoint, 4).join('')}`,
    ],
    ['gateway.config.yml', 'serviceEndpoints:\n', `serviceEndpoints:\n${indented(named, 2).join('')}`],
    ['gateway.config.yml', 'redirect, not-found]', `redirect, not-found, ${further.join(', ')}]`],
    [
      'gateway.config.yml',
      'pipelines:\n',
      `pipelines:\n${pipelineOf('shop', steps)}${other === undefined ? '' : pipelineOf('other', [])}`,
    ],
    [
      'system.config.yml',
      'plugins:\n',
      `plugins:\n${indented(
        plugins.map((name) => `${name}: { package: "\${PLUGIN_DIR}/${name}/manifest.js" }`),
        2,
      ).join('')}`,
    ],
  ];
}

/** Starts it. The shop answers 200 with `{}`, or what `answer` says. */
export async function startShopGateway(
  options: ShopOptions,
  answer: (req: IncomingMessage, res: ServerResponse, seen: Seen) => void = (_req, res) =>
    res.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
): Promise<ShopGateway> {
  const seen: Seen[] = [];
  const shop = await startUpstream((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const { method = '', url = '', headers, rawHeaders } = req;
      const one = { method, path: url, headers, rawHeaders, body: Buffer.concat(chunks).toString() };
      seen.push(one);
      answer(req, res, one);
    });
  });
  const gateway = await startLimitedGateway(shopEdits(options, shop.origin)).catch(async (fault) => {
    await shop.close();
    throw fault;
  });
  return {
    ...gateway,
    seen,
    async close() {
      await gateway.close();
      await shop.close();
    },
  };
}

/** The checked configuration, or its faults as `check` words them, without the number of the line. */
export async function checkShop(options: ShopOptions): Promise<Configuration | string[]> {
  const folder = createTempDirectory();
  const directory = join(folder.path, 'config');
  try {
    writeEdited(directory, shopEdits(options, 'http://shop.test:8080'));
    const services = { query: 'http://q.test', tracking: 'http://t.test', resources: 'http://r.test' };
    return await loadConfiguration(directory, configurationVariables(services), null);
  } catch (fault) {
    if (!(fault instanceof ConfigurationError)) throw fault;
    return fault.faults.map((one) => formatFault(one).replace(/^([\w.]+):\d+ /, '$1 '));
  } finally {
    folder.remove();
  }
}
