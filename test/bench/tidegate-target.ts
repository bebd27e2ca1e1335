/** Starts Tidegate as a target: the shipped configuration with its services' addresses replaced by the upstream's. */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '../support/free-port.ts';
import { untilReady } from './bench-processes.ts';
import { MissingRequirement, type RunningTarget, type TargetContext } from './target.ts';

const PROGRAM = 'dist/gateway/main.js';
const SERVICE_ADDRESS = /\$\{(?:QUERY|TRACKING|RESOURCES)_URL(?::-[^}]*)?\}/g;
/** Far above any load of the bench, so that every request is counted in both windows and none is refused. */
const UNREACHED_LIMIT = 100_000_000;

/** The text of a gateway configuration with `upstreamUrl` in place of every service's address. @throws when it names none. */
export function redirectServices(configuration: string, upstreamUrl: string): string {
  const redirected = configuration.replaceAll(SERVICE_ADDRESS, upstreamUrl);
  if (redirected === configuration) {
    throw new Error(
      'config/gateway.config.yml names none of QUERY_URL, TRACKING_URL and RESOURCES_URL as variables',
    );
  }
  return redirected;
}

/** One organization with limits that the bench does not reach, and one key with the two scopes that it needs. */
function provisioning(apiKey: string): string {
  return JSON.stringify({
    organizations: [
      {
        id: 'org_bench',
        name: 'Bench',
        plan: 'scale',
        limits: { per10Seconds: UNREACHED_LIMIT, perMinute: UNREACHED_LIMIT },
        websites: [{ id: 'web_bench', name: 'Bench website', domain: 'bench.example.com' }],
        apiKeys: [
          {
            id: 'key_bench',
            name: 'Bench key',
            key: apiKey,
            scopes: ['read:data', 'track:events'],
            access: { level: 'global' },
          },
        ],
      },
    ],
  });
}

export async function startTidegateTarget(context: TargetContext): Promise<RunningTarget> {
  const program = path.join(context.root, PROGRAM);
  if (!existsSync(program)) {
    throw new MissingRequirement(`${PROGRAM} is missing; run "npm run build" first.`);
  }
  const configFolder = path.join(context.folder, 'config');
  const dataFolder = path.join(context.folder, 'data');
  const provisionFile = path.join(context.folder, 'provision.yml');
  mkdirSync(dataFolder, { recursive: true });
  cpSync(path.join(context.root, 'config'), configFolder, {
    recursive: true,
    filter: (source) => !source.endsWith('.ts'),
  });
  const gatewayFile = path.join(configFolder, 'gateway.config.yml');
  writeFileSync(gatewayFile, redirectServices(readFileSync(gatewayFile, 'utf8'), context.upstreamUrl));
  writeFileSync(provisionFile, provisioning(context.apiKey), { mode: 0o600 });

  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const running = await context.processes.start(process.execPath, [...context.nodeArguments, program], {
    processor: context.processor,
    cwd: context.root,
    env: {
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: dataFolder,
      CONFIG_DIR: configFolder,
      PROVISION_FILE: provisionFile,
      LOG_LEVEL: 'error',
    },
  });
  await untilReady(`${url}/health`, running);
  return { name: 'tidegate', url, process: running };
}
