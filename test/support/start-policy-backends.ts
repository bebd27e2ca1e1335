/** One gateway with a backend behind each policy of a test, twice: once with a token, once with plain headers. All of them are one server, and our services another. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener } from 'node:http';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { PACKAGE_ROOT } from '../../config/settings.ts';
import { startGateway, startUpstream, type TestGateway } from './start-gateway.ts';
import { createTempDirectory } from './temp-directory.ts';

export interface PolicyBackendOptions {
  /** The YAML of a step behind `rate-limit`, by the name of its backend, which is the audience of its token too; empty: none. */
  readonly steps: Readonly<Record<string, string>>;
  /** The YAML of a step that answers by itself, by the name of its endpoint. */
  readonly answers: Readonly<Record<string, string>>;
}

/** A request as a backend saw it. */
export interface Reached {
  /** As name, value. */
  readonly headers: readonly string[];
  readonly trailers: readonly string[];
}

export interface PolicyBackends {
  readonly gateway: TestGateway;
  /** Requests that reached a backend, in their order. */
  readonly reached: Reached[];
  close(): Promise<void>;
}

const LOADED = ['redirect'];

/** Each name has the paths `/NAME/token/*` and `/NAME/plain/*`. The backends answer 200 with the headers they saw, and 403 to WebSockets. */
export async function startPolicyBackends(options: PolicyBackendOptions): Promise<PolicyBackends> {
  const reached: Reached[] = [];
  const note = (req: IncomingMessage) => reached.push({ headers: req.rawHeaders, trailers: req.rawTrailers });
  const answer: RequestListener = (req, res) => {
    req.resume();
    req.on('end', () => {
      note(req);
      res.setHeader('content-type', 'application/json');
      res.end(JSON.stringify(req.rawHeaders));
    });
  };
  const own = await startUpstream(answer);
  const upstream = await startUpstream(answer);
  upstream.server.on('upgrade', (req: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    note(req);
    socket.end('HTTP/1.1 403 No\r\ncontent-length: 2\r\n\r\nno');
  });
  const folder = createTempDirectory();
  writeConfiguration(folder.path, options, upstream.origin);
  const gateway = await startGateway({ upstream: own.origin, configDir: folder.path }).catch(
    async (fault) => {
      await own.close();
      await upstream.close();
      folder.remove();
      throw fault;
    },
  );
  return {
    gateway,
    reached,
    async close() {
      await gateway.close();
      await own.close();
      await upstream.close();
      folder.remove();
    },
  };
}

function writeConfiguration(
  directory: string,
  { steps, answers }: PolicyBackendOptions,
  origin: string,
): void {
  cpSync(join(PACKAGE_ROOT, 'config'), directory, { recursive: true });
  const entries = [
    ...Object.entries(steps).flatMap(([name, step]) =>
      ['token', 'plain'].map((identity) => ({ name, identity, step, answer: '' })),
    ),
    ...Object.entries(answers).map(([name, answer]) => ({ name, identity: 'token', step: '', answer })),
  ];
  const served = entries.filter(({ answer }) => answer === '');
  const next = (step: string) => /weights: \{ ([\w-]+):/.exec(step)?.[1];
  const serviceLines = served.flatMap(({ name, identity, step }) => {
    const audiences =
      identity === 'token' ? [name, next(step)] : [`${name}-plain`, next(step) && `${next(step)}-plain`];
    return audiences
      .filter((audience) => audience !== undefined)
      .map(
        (audience) =>
          `  ${audience}: { url: "${origin}", identity: ${identity === 'token' ? `{ audience: ${audience} }` : 'headers'} }`,
      );
  });
  const pipelineLines = entries.flatMap(({ name, identity, step, answer }) => {
    const service = identity === 'token' ? name : `${name}-plain`;
    const own = next(step);
    const written = identity === 'plain' && own !== undefined ? step.replace(own, `${own}-plain`) : step;
    const webSocket = name === 'websocket' ? ', webSocket: {}' : '';
    return [
      `  ${name}-${identity}:`,
      `    apiEndpoints: [${name}-${identity}]`,
      '    policies:',
      '      - auth:',
      ...(answer === '' ? ['      - body: [{ action: { read: whole } }]'] : []),
      '      - rate-limit:',
      ...(written === '' ? [] : [`      - ${written}`]),
      `      - ${answer === '' ? `proxy: [{ action: { serviceEndpoint: ${service}${webSocket} } }]` : answer}`,
    ];
  });
  const used = [...Object.values(steps), ...Object.values(answers)]
    .map((step) => step.slice(0, step.indexOf(':')))
    .filter((policy) => policy !== '');
  mkdirSync(join(directory, 'more'));
  writeFileSync(
    join(directory, 'more/policies.yml'),
    [
      'apiEndpoints:',
      ...entries.map(
        ({ name, identity }) =>
          `  ${name}-${identity}: { paths: "/${name}/${identity}/*", access: optional }`,
      ),
      'serviceEndpoints:',
      ...serviceLines,
      ...(used.length === 0 ? [] : [`policies: [${used.join(', ')}]`]),
      'pipelines:',
      ...pipelineLines,
      '',
    ].join('\n'),
  );
  const plugins = used.filter((policy) => !LOADED.includes(policy));
  writeFileSync(
    join(directory, 'more/plugins.yml'),
    plugins.length === 0
      ? '{}'
      : `plugins:\n${plugins.map((name) => `  ${name}: { package: "\${PLUGIN_DIR}/${name}/manifest.js" }\n`).join('')}`,
  );
  for (const [file, more] of Object.entries({
    'gateway.config.yml': 'policies',
    'system.config.yml': 'plugins',
  })) {
    const text = readFileSync(join(directory, file), 'utf8');
    writeFileSync(join(directory, file), `include: more/${more}.yml\n${text}`);
  }
}
