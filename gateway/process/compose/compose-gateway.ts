/** Creates the gateway of a process from its settings and stores: the one place that assembles a gateway's options. */
import cluster from 'node:cluster';
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { dataPathsOf } from '../../../config/data-directory.ts';
import type { Settings } from '../../../config/settings.ts';
import { createPasswordHasher } from '../../../services/shared/credentials/password-hasher.ts';
import type { PrometheusMetrics } from '../../../services/shared/metrics/prometheus-metrics.ts';
import type { Clock } from '../../../services/shared/ports/clock.ts';
import type { Ids } from '../../../services/shared/ports/ids.ts';
import type { Tracer } from '../../../services/shared/ports/tracer.ts';
import type { Configuration } from '../../configuration/configuration.ts';
import { loadSnapshot } from '../../configuration/history/load-snapshot.ts';
import type { ConfigurationSource } from '../../configuration/load-configuration.ts';
import { createAccessLog } from '../../serve/access-log/access-log.ts';
import { createGateway, type Gateway } from '../../serve/create-gateway.ts';
import type { GatewayOptions } from '../../serve/gateway-options.ts';
import { connectionLimits } from '../../serve/http/connection-bounds.ts';
import { GRACE_MS } from '../../serve/http/listen.ts';
import { createIdentitySigner } from '../../serve/identity.ts';
import { recordTraffic } from '../../serve/traffic/traffic-record.ts';
import { openAccessLog } from '../access-log-writer.ts';
import type { Closers } from '../all-or-nothing.ts';
import { readTraffic } from '../metrics/read-traffic.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { openCounters } from '../stores/open-counters.ts';
import type { OpenDocuments } from '../stores/open-documents.ts';
import { apiDescription } from './api-description.ts';

/** What differs between processes: their settings and the stores they opened. */
export interface GatewayParts extends Pick<OpenDocuments, 'documents' | 'bus'> {
  readonly settings: Settings;
  readonly configuration: Configuration;
  /** Where it was read, and what it is checked against. */
  readonly source: ConfigurationSource;
  readonly secrets: Secrets;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: PrometheusMetrics;
  /** Null: tracing is off. */
  readonly tracer: Tracer | null;
  /** As of a gateway's options. */
  drain?: GatewayOptions['drain'];
  readonly servicesInProcess?: NonNullable<GatewayOptions['servicesInProcess']>;
}

/** The gateway, not listening yet; `closers` gets the functions that close it and its counters. */
export async function composeGateway(
  {
    settings,
    configuration,
    source,
    secrets,
    documents,
    bus,
    ids,
    clock,
    logger,
    metrics,
    tracer,
    drain,
    servicesInProcess,
  }: GatewayParts,
  closers: Closers,
): Promise<Gateway> {
  const cookieKey = Buffer.from(secrets.cookieKey, 'base64url');
  const { counters, areDegraded } = await openCounters(
    {
      redis: settings.redis,
      counting: settings.counting,
      quotaFile: dataPathsOf(settings.dataDir).quotas,
      cookieKey,
    },
    { clock, logger, metrics },
    closers,
  );
  const traffic = recordTraffic({ metrics, documents, clock, logger });
  closers.push(() => traffic.close());
  const lines = await openAccessLog(settings.accessLog, { metrics, logger }, closers);
  const gateway = await createGateway({
    configuration,
    documents,
    counters,
    countersAreDegraded: areDegraded,
    metrics,
    metricsText: async () => (await readTraffic(metrics, null)).metrics,
    traffic,
    // What policies read from disk is not compared: it is as it is now on both sides.
    loadRecord: (record) => loadSnapshot(record, { ...source, readsFiles: false }),
    isShared: settings.redis !== null || settings.mongodbUri !== null || cluster.isWorker,
    accessLog: createAccessLog(settings.accessLog, lines),
    bus,
    tracer,
    identity: await createIdentitySigner(secrets.identityKeys, clock),
    ids,
    randomBytes,
    passwords: createPasswordHasher(),
    ownDomains: settings,
    cookieKey,
    clock,
    logger,
    openApiText: (served) => apiDescription(served, settings),
    trustedProxies: settings.trustedProxies,
    connections: connectionLimits(settings.connections),
    upstreamClient: settings.upstreamClient,
    ...(drain === undefined ? {} : { drain }),
    ...(servicesInProcess === undefined ? {} : { servicesInProcess }),
  });
  closers.push(() => gateway.close(GRACE_MS));
  return gateway;
}
