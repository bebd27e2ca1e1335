/** Starts Traefik and KrakenD CE as targets of the nearest equal job that they do without a licence, built with go. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { IDENTITY_HEADER } from '../../services/shared/identity/identity-token.ts';
import { freePort } from '../support/free-port.ts';
import { untilReady } from './bench-processes.ts';
import { PEER_IDENTITY } from './fastify-target.ts';
import { loadRequests } from './gateway-load.ts';
import { buildGoProgram, type GoProgram } from './go-program.ts';
import { METHODS } from './report.ts';
import type { RunningTarget, TargetContext, TargetName } from './target.ts';
import { UNREACHED_LIMIT } from './tidegate-target.ts';

const TRAEFIK: GoProgram = {
  title: 'Traefik',
  module: 'github.com/traefik/traefik/v3',
  version: 'v3.7.13',
  program: 'cmd/traefik',
};
const KRAKEND: GoProgram = {
  title: 'KrakenD CE',
  module: 'github.com/krakend/krakend-ce/v2',
  version: 'v2.10.2',
  program: 'cmd/krakend-ce',
};

/** The key stands in the rule of a router; two windows are counted by the key; an identity is added. */
function traefikConfiguration({ apiKey, upstreamUrl }: TargetContext): unknown {
  const limit = (period: string) => ({
    rateLimit: {
      average: UNREACHED_LIMIT,
      burst: UNREACHED_LIMIT,
      period,
      sourceCriterion: { requestHeaderName: 'X-Api-Key' },
    },
  });
  const rule = `(PathPrefix(\`/v1/query\`) || Path(\`/track\`)) && Header(\`X-Api-Key\`, \`${apiKey}\`)`;
  return {
    http: {
      routers: {
        api: {
          entryPoints: ['web'],
          rule,
          middlewares: ['per-10-seconds', 'per-minute', 'identity'],
          service: 'upstream',
        },
      },
      middlewares: {
        'per-10-seconds': limit('10s'),
        'per-minute': limit('1m'),
        identity: { headers: { customRequestHeaders: { [IDENTITY_HEADER]: PEER_IDENTITY } } },
      },
      services: { upstream: { loadBalancer: { servers: [{ url: upstreamUrl }] } } },
    },
  };
}

/** Its free edition knows no keys: two windows, of the endpoint and of each key, and a proxy that changes nothing. */
function krakendConfiguration({ upstreamUrl }: TargetContext, port: number): unknown {
  const requests = loadRequests('');
  return {
    version: 3,
    port,
    listen_ip: '127.0.0.1',
    endpoints: METHODS.map((method) => ({
      endpoint: requests[method].path,
      method,
      input_headers: ['*'],
      output_encoding: 'no-op',
      backend: [{ host: [upstreamUrl], url_pattern: requests[method].path, encoding: 'no-op' }],
      extra_config: {
        'qos/ratelimit/router': {
          max_rate: UNREACHED_LIMIT,
          every: '1m',
          client_max_rate: UNREACHED_LIMIT,
          strategy: 'header',
          key: 'X-Api-Key',
        },
      },
    })),
  };
}

/** @throws MissingRequirement when it cannot be built */
export async function startTraefikTarget(context: TargetContext): Promise<RunningTarget> {
  const program = await buildGoProgram(context.processes, TRAEFIK);
  const file = path.join(context.folder, 'dynamic.yml');
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(traefikConfiguration(context)));
  const port = await freePort();
  return startGoTarget(context, 'traefik', port, 404, [
    program,
    `--entryPoints.web.address=127.0.0.1:${port}`,
    `--providers.file.filename=${file}`,
    '--providers.file.watch=false',
    '--log.level=ERROR',
    '--global.checkNewVersion=false',
    '--global.sendAnonymousUsage=false',
  ]);
}

/** @throws MissingRequirement when it cannot be built */
export async function startKrakendTarget(context: TargetContext): Promise<RunningTarget> {
  const program = await buildGoProgram(context.processes, KRAKEND);
  const port = await freePort();
  const file = path.join(context.folder, 'krakend.json');
  writeFileSync(file, JSON.stringify(krakendConfiguration(context, port)));
  return startGoTarget(context, 'krakend', port, undefined, [program, 'run', '-c', file]);
}

async function startGoTarget(
  context: TargetContext,
  name: TargetName,
  port: number,
  keylessStatus: number | undefined,
  [program, ...args]: readonly [string, ...string[]],
): Promise<RunningTarget> {
  const url = `http://127.0.0.1:${port}`;
  const running = await context.processes.start(program, args, {
    processor: context.processor,
    cwd: context.folder,
    env: {},
  });
  await untilReady(`${url}/v1/query/websites`, running, { 'x-api-key': context.apiKey });
  return { name, url, process: running, ...(keylessStatus === undefined ? {} : { keylessStatus }) };
}
