/** Starts the gateway alone with a clock that stands still, organizations of the test's own, and edits of the shipped configuration. */

import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../config/settings.ts';
import { loadConfiguration } from '../../gateway/configuration/load-configuration.ts';
import { configurationVariables } from '../../gateway/process/reload/configuration-variables.ts';
import { loadSecrets } from '../../gateway/process/secrets/secrets.ts';
import { type AccessLog, createAccessLog } from '../../gateway/serve/access-log/access-log.ts';
import { createGateway } from '../../gateway/serve/create-gateway.ts';
import { originOf } from '../../gateway/serve/http/listen.ts';
import { createIdentitySigner } from '../../gateway/serve/identity.ts';
import { createApiKey } from '../../services/resources/api-keys/create-api-key.ts';
import { SHIPPED_CATALOGUE } from '../../services/shared/access/scope-catalogue.ts';
import { SCOPES } from '../../services/shared/access/scopes.ts';
import { PrometheusMetrics } from '../../services/shared/metrics/prometheus-metrics.ts';
import type { OrganizationLimits } from '../../services/shared/model/organization.ts';
import type { Bus } from '../../services/shared/ports/bus.ts';
import type { DocumentStore } from '../../services/shared/ports/document-store.ts';
import { createIds } from '../../services/shared/ports/ids.ts';
import { MemoryBus } from '../../services/shared/storage/memory/memory-bus.ts';
import { MemoryCounterStore } from '../../services/shared/storage/memory/memory-counter-store.ts';
import { publishWrites } from '../../services/shared/storage/publish-writes.ts';
import { createLogWatch } from './log-watch.ts';
import { createMemoryDocumentStore } from './memory-document-store.ts';
import { startUpstream } from './start-gateway.ts';
import { type Answer, answerOf, type CallOptions, newAddress } from './start-tidegate.ts';
import { createTestClock, type TestClock } from './test-clock.ts';
import { askWhole } from './whole-answer.ts';

/** What reached the service. */
export interface Reached {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface LimitedGateway {
  readonly origin: string;
  readonly clock: TestClock;
  readonly documents: DocumentStore;
  readonly bus: Bus;
  /** Requests that the service saw, in their order. */
  readonly reached: Reached[];
  /** A new organization on this plan, and a key of it with every scope. */
  organization(id: string, plan?: string, limits?: OrganizationLimits): Promise<string>;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** What the metrics port would show. */
  metrics(): Promise<string>;
  close(): Promise<void>;
}

const SERVICE_HEADERS = {
  'content-type': 'application/json',
  'x-ratelimit-limit': '1',
  'x-ratelimit-remaining': '7',
  'x-ratelimit-reset': '1',
};

/** A text of a file of the shipped configuration, and what stands in its place. */
export type Edit = readonly [
  file: 'gateway.config.yml' | 'plans.yml' | 'system.config.yml',
  from: string,
  to: string,
];

/** Writes the shipped configuration with these edits. */
export function writeEdited(configDir: string, edits: readonly Edit[]): void {
  cpSync(join(PACKAGE_ROOT, 'config'), configDir, { recursive: true });
  for (const [file, from, to] of edits) {
    const text = readFileSync(join(configDir, file), 'utf8');
    if (!text.includes(from)) throw new Error(`${file} does not hold ${from}`);
    writeFileSync(
      join(configDir, file),
      text.replace(from, () => to),
    );
  }
}

/**
 * Its service answers 200, or the status of the header `x-answer`, breaks off when that says `broken` and says nothing when
 * `silent`; always with
 * rate-limit headers of its own, which must reach nobody. A password is right when it is `right`.
 */
export async function startLimitedGateway(
  edits: readonly Edit[] = [],
  accessLog: AccessLog = createAccessLog({ sample: 0, address: 'truncated' }),
): Promise<LimitedGateway> {
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-limited-'));
  const configDir = join(folder, 'config');
  writeEdited(configDir, edits);
  const clock = createTestClock(Date.now());
  const bus = new MemoryBus();
  const documents = publishWrites(createMemoryDocumentStore(clock), bus);
  const ids = createIds();
  const reached: Reached[] = [];
  const upstream = await startUpstream((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      reached.push({ path: req.url ?? '', headers: req.headers, body });
      const answer = req.headers['x-answer'] ?? '200';
      if (answer === 'broken') req.socket.destroy();
      else if (answer !== 'silent') res.writeHead(Number(answer), SERVICE_HEADERS).end('{}');
    });
  });
  const { origin: service } = upstream;
  const secrets = await loadSecrets(join(folder, 'secrets.json'));
  const watch = createLogWatch();
  const metrics = new PrometheusMetrics();
  const gateway = await createGateway({
    configuration: await loadConfiguration(
      configDir,
      configurationVariables({ query: service, tracking: service, resources: service }),
      null,
    ),
    documents,
    counters: new MemoryCounterStore(clock),
    metrics,
    accessLog,
    bus,
    identity: await createIdentitySigner(secrets.identityKeys, clock),
    ids,
    randomBytes,
    passwords: {
      place: () => ({
        take() {},
        giveBack() {},
        hash: async (password) => password,
        verify: async (_hash, password) => password === 'right',
        verifyEach: async (hashes, password) => hashes.map(() => password === 'right'),
      }),
    },
    ownDomains: { serviceDomain: 'localhost', originPorts: [] },
    cookieKey: Buffer.from(secrets.cookieKey, 'base64url'),
    clock,
    logger: watch.logger,
    openApiText: () => '{}',
    trustedProxies: ['127.0.0.1'],
  });
  const origin = originOf(await gateway.listen(0, '127.0.0.1'));
  return {
    origin,
    clock,
    documents,
    bus,
    reached,
    async organization(id, plan = 'free', limits = {}) {
      await documents.organizations.insert({ id, organizationId: id, name: id, plan, limits });
      const { secret } = await createApiKey(
        { documents, ids, clock, randomBytes, scopes: () => SHIPPED_CATALOGUE },
        { organizationId: id, createdBy: 'test', prefix: 'tg' },
        { name: id, scopes: [...SCOPES], access: { level: 'global' } },
      );
      return secret;
    },
    async call(method, path, { key, body, headers, address = newAddress() } = {}) {
      const sent: Record<string, string> = { 'x-forwarded-for': address };
      if (key !== undefined) sent['x-api-key'] = key;
      if (body !== undefined) sent['content-type'] = 'application/json';
      const isRaw = typeof body === 'string' || body instanceof Uint8Array;
      const whole = await askWhole(`${origin}${path}`, {
        method,
        headers: { ...sent, ...headers },
        ...(body === undefined ? {} : { body: isRaw ? (body as string | Uint8Array) : JSON.stringify(body) }),
      });
      return answerOf(whole);
    },
    metrics: () => metrics.text(),
    async close() {
      await gateway.close(1_000);
      await upstream.close();
      watch.assertClean();
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
