/** Starts Tidegate for the benches of ingest and queries: embedded, as shipped, with one organization whose own limits no load reaches. */
import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createIdentitySigner } from '../../gateway/identity.ts';
import { loadSecrets } from '../../gateway/secrets.ts';
import { Principal } from '../../services/shared/access/principal.ts';
import { createApiKeyText } from '../../services/shared/credentials/api-key-text.ts';
import { IDENTITY_HEADER } from '../../services/shared/identity/identity-token.ts';
import { systemClock } from '../../services/shared/ports/clock.ts';
import { freePort } from '../support/free-port.ts';
import { type BenchProcesses, type RunningProcess, untilReady } from './bench-processes.ts';
import { MissingRequirement } from './target.ts';

const PROGRAM = 'dist/gateway/main.js';
/** Far above any load of the bench. */
const UNREACHED_LIMIT = 1_000_000_000;
/** As `npm start` has it (config/node.env). */
const UV_THREADPOOL_SIZE = '16';

/** The ways to the tracking service. */
export const ROUTES = ['gateway', 'service'] as const;
export type IngestRoute = (typeof ROUTES)[number];

export interface IngestTarget {
  readonly process: RunningProcess;
  readonly urls: Readonly<Record<IngestRoute, string>>;
  /** The headers that a request needs on its way: a key, or an identity as the gateway signs it, for a minute. */
  headers(route: IngestRoute): Promise<Record<string, string>>;
}

export interface IngestTargetOptions {
  readonly processes: BenchProcesses;
  /** Root of the project. */
  readonly root: string;
  /** A folder of the run, for the stores. */
  readonly folder: string;
  readonly processor: number | null;
  /** Further arguments of node, such as `--cpu-prof`. */
  readonly nodeArguments: readonly string[];
  /** Websites of the organization; default: `web_bench` alone. */
  readonly websites?: readonly string[];
}

/** Starts it and waits until it is ready. @throws MissingRequirement before a build */
export async function startIngestTarget(options: IngestTargetOptions): Promise<IngestTarget> {
  const program = path.join(options.root, PROGRAM);
  if (!existsSync(program)) {
    throw new MissingRequirement(`${PROGRAM} is missing; run "npm run build" first.`);
  }
  const key = createApiKeyText('bench', randomBytes);
  const provisionFile = path.join(options.folder, 'provision.yml');
  writeFileSync(provisionFile, benchProvisioning(key, options.websites ?? ['web_bench']), { mode: 0o600 });
  const secretsFile = path.join(options.folder, 'secrets.json');
  const secrets = await loadSecrets(secretsFile);
  const signer = await createIdentitySigner(secrets.identityKeys, systemClock);
  const urls = {
    gateway: `http://127.0.0.1:${await freePort()}`,
    service: `http://127.0.0.1:${await freePort()}`,
  };
  const running = await options.processes.start(process.execPath, [...options.nodeArguments, program], {
    processor: options.processor,
    cwd: options.root,
    env: {
      NODE_ENV: 'production',
      UV_THREADPOOL_SIZE,
      HOST: '127.0.0.1',
      PORT: new URL(urls.gateway).port,
      TRACKING_URL: urls.service,
      DATA_DIR: path.join(options.folder, 'data'),
      PROVISION_FILE: provisionFile,
      SECRETS_FILE: secretsFile,
      LOG_LEVEL: 'error',
    },
  });
  await untilReady(`${urls.gateway}/health`, running);
  return {
    process: running,
    urls,
    async headers(route): Promise<Record<string, string>> {
      if (route === 'gateway') return { 'x-api-key': key };
      const caller = {
        id: 'key_bench',
        kind: 'key' as const,
        organizationId: 'org_bench',
        userId: null,
        role: null,
        plan: 'scale',
        scopes: ['read:data' as const, 'track:events' as const],
        access: { level: 'global' as const },
      };
      const token = await signer.token(new Principal(caller, {}), 'tracking');
      return { [IDENTITY_HEADER]: token, 'x-forwarded-for': '192.0.2.1' };
    },
  };
}

/** The provisioning file's text: `org_bench` with these websites, limits that no load reaches, and a key that reads and tracks. */
export function benchProvisioning(key: string, websites: readonly string[]): string {
  return JSON.stringify({
    organizations: [
      {
        id: 'org_bench',
        name: 'Bench',
        plan: 'scale',
        limits: {
          per10Seconds: UNREACHED_LIMIT,
          perMinute: UNREACHED_LIMIT,
          batchEventsPerMinute: UNREACHED_LIMIT,
          batchDatasetsPerMinute: UNREACHED_LIMIT,
          customSqlPerMinute: UNREACHED_LIMIT,
        },
        websites: websites.map((id) => ({
          id,
          name: `Bench website ${id}`,
          domain: `${id.replaceAll('_', '-')}.example.com`,
        })),
        apiKeys: [
          {
            id: 'key_bench',
            name: 'Bench key',
            key,
            scopes: ['read:data', 'track:events'],
            access: { level: 'global' },
          },
        ],
      },
    ],
  });
}
