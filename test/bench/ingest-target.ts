/** Starts Tidegate for the benches of ingest and queries: embedded, as shipped, with one organization whose own limits no load reaches. */
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { loadSecrets } from '../../gateway/process/secrets/secrets.ts';
import { createIdentitySigner } from '../../gateway/serve/identity.ts';
import { Principal } from '../../services/shared/access/principal.ts';
import { createApiKeyText } from '../../services/shared/credentials/api-key-text.ts';
import { IDENTITY_HEADER } from '../../services/shared/identity/identity-token.ts';
import type { Endpoint } from '../../services/shared/plans/endpoint.ts';
import { systemClock } from '../../services/shared/ports/clock.ts';
import { freePort } from '../support/free-port.ts';
import type { BenchProcesses, RunningProcess } from './bench-processes.ts';
import { startEmbedded } from './tidegate-process.ts';

/** Far above any load of the bench. */
const UNREACHED_LIMIT = 1_000_000_000;

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
  /** Further settings of the process. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** The endpoint that its tokens are of. */
const TRACK: Endpoint = {
  name: 'track',
  access: 'scoped',
  roles: [],
  scopes: ['track:events'],
  class: 'ingest',
  limits: [],
  cost: 'request',
  countedList: null,
  cors: 'own',
  endedSession: 'refused',
  routes: ['POST /track'],
  allow: null,
};

/** Starts it and waits until it is ready. @throws MissingRequirement before a build */
export async function startIngestTarget(options: IngestTargetOptions): Promise<IngestTarget> {
  const key = createApiKeyText('bench', randomBytes);
  mkdirSync(options.folder, { recursive: true });
  const secretsFile = path.join(options.folder, 'secrets.json');
  const secrets = await loadSecrets(secretsFile);
  const signer = await createIdentitySigner(secrets.identityKeys, systemClock);
  const service = `http://127.0.0.1:${await freePort()}`;
  const running = await startEmbedded({
    ...options,
    provisioning: benchProvisioning(key, options.websites ?? ['web_bench']),
    settings: { TRACKING_URL: service, SECRETS_FILE: secretsFile, ...options.settings },
  });
  return {
    process: running.process,
    urls: { gateway: running.url, service },
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
      const token = await signer.token(new Principal(caller, {}), 'tracking', TRACK);
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
