/** Starts the gateway alone, on the shipped configuration, before an upstream that the test makes. */

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JSONWebKeySet } from 'jose';
import { PACKAGE_ROOT } from '../../config/settings.ts';
import { loadConfiguration } from '../../gateway/configuration/load-configuration.ts';
import type { ReloadParts } from '../../gateway/process/reload/configuration-reload.ts';
import { configurationVariables } from '../../gateway/process/reload/configuration-variables.ts';
import { loadSecrets } from '../../gateway/process/secrets/secrets.ts';
import { createGateway } from '../../gateway/serve/create-gateway.ts';
import type { ConnectionLimits } from '../../gateway/serve/http/connection-bounds.ts';
import { closeServer, listen, originOf } from '../../gateway/serve/http/listen.ts';
import { createIdentitySigner, publicKeySet } from '../../gateway/serve/identity.ts';
import { createApiKey } from '../../services/resources/api-keys/create-api-key.ts';
import { SHIPPED_CATALOGUE } from '../../services/shared/access/scope-catalogue.ts';
import { SCOPES } from '../../services/shared/access/scopes.ts';
import { createPasswordHasher } from '../../services/shared/credentials/password-hasher.ts';
import type { ServicesInProcess } from '../../services/shared/http/service-exchange.ts';
import { PrometheusMetrics } from '../../services/shared/metrics/prometheus-metrics.ts';
import type { UpstreamClient } from '../../services/shared/plans/service-endpoint.ts';
import { systemClock } from '../../services/shared/ports/clock.ts';
import type { CounterStore } from '../../services/shared/ports/counter-store.ts';
import { createIds } from '../../services/shared/ports/ids.ts';
import { MemoryBus } from '../../services/shared/storage/memory/memory-bus.ts';
import { MemoryCounterStore } from '../../services/shared/storage/memory/memory-counter-store.ts';
import { publishWrites } from '../../services/shared/storage/publish-writes.ts';
import { createSqliteDocumentStore } from '../../services/shared/storage/sqlite/sqlite-document-store.ts';
import { createLogWatch } from './log-watch.ts';

export interface TestGateway {
  readonly origin: string;
  /** A key with every scope. */
  readonly key: string;
  readonly jwks: JSONWebKeySet;
  /** Lines that the gateway logged. */
  readonly log: readonly string[];
  /** What a reload of its configuration goes by. */
  readonly reloadParts: ReloadParts;
  /** How often the gateway asked the store for a key. */
  keyLookUps(): number;
  /** Ends the document store under the running gateway. */
  closeStore(): Promise<void>;
  /** `graceMs`: how long what is in flight may take; a second when absent. */
  close(graceMs?: number): Promise<void>;
}

export interface TestGatewayOptions {
  /** Origin of every service. */
  readonly upstream: string;
  /** A configuration directory; the shipped one when absent. */
  readonly configDir?: string;
  /** Counters of rate limits; in memory when absent. */
  readonly counters?: CounterStore;
  /** Whether those decide without their store; never when absent. */
  readonly countersAreDegraded?: () => boolean;
  /** Requests per minute of the organization; a million when absent. */
  readonly perMinute?: number;
  readonly metrics?: PrometheusMetrics;
  /** Bounds on connections; the shipped ones when absent. */
  readonly connections?: ConnectionLimits;
  /** Default: the test's own address. */
  readonly trustedProxies?: readonly string[];
  /** How long a replaced configuration may still answer; as shipped when absent. */
  readonly retiredMs?: number;
  /** How long a client may take nothing of its answer; as shipped when absent. */
  readonly unreadMs?: number;
  /** What asks backends by HTTP without TLS; the gateway's own client when absent. */
  readonly upstreamClient?: UpstreamClient;
  /** Services that are asked without a connection; none when absent. */
  readonly servicesInProcess?: ServicesInProcess;
}

export async function startGateway(options: TestGatewayOptions): Promise<TestGateway> {
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-gateway-'));
  const bus = new MemoryBus();
  const documents = createSqliteDocumentStore({ path: join(folder, 'documents.sqlite'), clock: systemClock });
  const ports = { documents, ids: createIds(), clock: systemClock, randomBytes };
  const limits = { per10Seconds: 1_000_000, perMinute: options.perMinute ?? 1_000_000 };
  await documents.organizations.insert({
    id: 'org_t',
    organizationId: 'org_t',
    name: 'T',
    plan: 'free',
    limits,
  });
  const { secret } = await createApiKey(
    { ...ports, scopes: () => SHIPPED_CATALOGUE },
    { organizationId: 'org_t', createdBy: 'test', prefix: 'tg' },
    { name: 'test', scopes: [...SCOPES], access: { level: 'global' } },
  );
  const { upstream } = options;
  const variables = configurationVariables({ query: upstream, tracking: upstream, resources: upstream });
  const configDir = options.configDir ?? join(PACKAGE_ROOT, 'config');
  // The upstream of a test runs no custom SQL.
  const configuration = await loadConfiguration(configDir, variables, null, { readsFiles: true });
  const secrets = await loadSecrets(join(folder, 'secrets.json'));
  const watch = createLogWatch([secret]);
  const { counters = new MemoryCounterStore(systemClock), metrics = new PrometheusMetrics() } = options;
  let keyLookUps = 0;
  const counted = publishWrites(documents, bus);
  const { findUnique } = counted.apiKeys;
  counted.apiKeys.findUnique = (index, values) => {
    // A look-up goes by the current hash first, then by the rotated-out one.
    if (index === 'keyHash') keyLookUps++;
    return findUnique(index, values);
  };
  const gateway = await createGateway({
    configuration,
    documents: counted,
    counters,
    ...(options.countersAreDegraded === undefined
      ? {}
      : { countersAreDegraded: options.countersAreDegraded }),
    metrics,
    bus,
    identity: await createIdentitySigner(secrets.identityKeys, systemClock),
    ids: createIds(),
    randomBytes,
    passwords: createPasswordHasher(),
    ownDomains: { serviceDomain: 'localhost', originPorts: [] },
    cookieKey: Buffer.from(secrets.cookieKey, 'base64url'),
    clock: systemClock,
    logger: watch.logger,
    openApiText: () => '{}',
    trustedProxies: options.trustedProxies ?? ['127.0.0.1'],
    ...(options.connections === undefined ? {} : { connections: options.connections }),
    ...(options.retiredMs === undefined ? {} : { retiredMs: options.retiredMs }),
    unreadMs: options.unreadMs,
    upstreamClient: options.upstreamClient,
    servicesInProcess: options.servicesInProcess,
  });
  const scheme = configuration.https === null ? 'http' : 'https';
  const origin = originOf(await gateway.listen(0, '127.0.0.1'), scheme);
  let storeIsOpen = true;
  async function closeStore(): Promise<void> {
    if (storeIsOpen) await documents.close();
    storeIsOpen = false;
  }
  return {
    origin,
    key: secret,
    jwks: publicKeySet(secrets.identityKeys),
    log: watch.lines,
    reloadParts: { gateway, variables, customSql: null, documents: counted, logger: watch.logger, metrics },
    keyLookUps: () => keyLookUps,
    closeStore,
    async close(graceMs = 1_000) {
      await gateway.close(graceMs);
      await closeStore();
      watch.assertClean();
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** A tiny real upstream. */
export async function startUpstream(
  answer: RequestListener,
): Promise<{ origin: string; server: Server; close(): Promise<void> }> {
  const server = createServer(answer);
  const origin = originOf(await listen(server, 0, '127.0.0.1'));
  return { origin, server, close: () => closeServer(server, 100) };
}
