/** Composes everything in one process over embedded stores: the same gateway and services as apart, on loopback. */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { Settings } from '../config/settings.ts';
import { createQueryService } from '../services/query/create-query-service.ts';
import { createCustomSql } from '../services/query/custom/custom-sql.ts';
import type { FindLink } from '../services/query/query-ports.ts';
import { createCleanups } from '../services/resources/cleanup/cleanups.ts';
import { createResourcesService } from '../services/resources/create-resources-service.ts';
import {
  applyProvisioning,
  type ProvisioningText,
} from '../services/resources/provisioning/apply-provisioning.ts';
import { firstStart } from '../services/resources/provisioning/first-start.ts';
import { isDevelopment } from '../services/shared/access/origin-rule.ts';
import type { ServiceName } from '../services/shared/identity/identity-token.ts';
import { createVerifyIdentity } from '../services/shared/identity/verify-identity.ts';
import { type Clock, systemClock } from '../services/shared/ports/clock.ts';
import type { DocumentStore } from '../services/shared/ports/document-store.ts';
import { createIds, type Ids } from '../services/shared/ports/ids.ts';
import { createDuckDbEventStore } from '../services/shared/storage/duckdb/duckdb-event-store.ts';
import { createUsageCounter } from '../services/shared/usage/usage-counter.ts';
import { createTrackingService } from '../services/tracking/create-tracking-service.ts';
import { importBatch } from '../services/tracking/import/import-batch.ts';
import { createIngestCounts } from '../services/tracking/ingest/ingest-counts.ts';
import { createClickLog } from '../services/tracking/redirect/click-log.ts';
import { readTrackerScript } from '../services/tracking/script/read-tracker-script.ts';
import { startAdministrationServer } from './administration.ts';
import { createAdministration } from './administration-operations.ts';
import { fitsSocketPath } from './administration-socket.ts';
import { allOrNothing, type Closers } from './all-or-nothing.ts';
import { checkPlans } from './check-plans.ts';
import { composeGateway } from './compose-gateway.ts';
import { loadConfiguration } from './configuration/load-configuration.ts';
import { servedSegments } from './configuration/served-segments.ts';
import { startConfigurationReload } from './configuration-reload.ts';
import { configurationVariables } from './configuration-variables.ts';
import type { Gateway } from './create-gateway.ts';
import { dataPathsOf } from './data-directory.ts';
import { originOf } from './http/listen.ts';
import { openIdentityKeys } from './identity.ts';
import { openDocuments } from './open-documents.ts';
import { openMetrics } from './open-metrics.ts';
import type { Running } from './run-process.ts';
import { loadSecrets, sealerOf } from './secrets.ts';
import { startServices } from './start-services.ts';
import { startStorageTasks } from './storage-tasks.ts';

/** Starts everything, or nothing; a first start announces its credentials. On a fault what was begun is closed again, and the fault is thrown. */
export function startEmbedded(
  settings: Settings,
  logger: Logger,
  clock: Clock = systemClock,
): Promise<Running> {
  return allOrNothing(logger, (closers) => compose(settings, logger, clock, closers));
}

async function compose(
  settings: Settings,
  logger: Logger,
  clock: Clock,
  closers: Closers,
): Promise<Omit<Running, 'close'>> {
  const metrics = await openMetrics(settings, logger, closers);
  const backends = await startServices(settings.serviceUrls, closers);
  // A faulty configuration stops the start before any store is touched.
  const variables = configurationVariables({
    query: backends.query.url,
    tracking: backends.tracking.url,
    resources: backends.resources.url,
  });
  const configuration = await loadConfiguration(settings.configDir, variables);
  let gateway: Gateway | null = null;
  /** What a reload may have put in the place of what was read at the start. */
  const inForce = () => gateway?.configuration ?? configuration;

  const trackerScript = await readTrackerScript();

  const paths = dataPathsOf(settings.dataDir);
  await mkdir(settings.dataDir, { recursive: true, mode: 0o700 });
  const secrets = await loadSecrets(settings.secretsFile ?? paths.secrets);
  const events = await createDuckDbEventStore({
    path: paths.events,
    eventIdWindow: settings.eventIdWindow,
    clock,
  });
  closers.push(() => events.close());
  const clicks = createClickLog({ events, metrics, logger });
  closers.push(() => clicks.close());
  const customSql = createCustomSql({ exporter: events.exporter, clock }, settings.customSql);
  closers.push(() => customSql.close());
  metrics.watch(
    'tidegate_event_store_waiting_events',
    'Events that wait to be committed.',
    () => events.waitingEvents,
  );
  const { bus, documents } = openDocuments(settings, paths.documents, clock, logger, closers);
  const ids = createIds();
  const plans = Object.keys(configuration.plans.plans);
  await checkPlans(documents, plans);
  const cleanups = createCleanups({ documents, events, clock, log: logger });
  closers.push(() => cleanups.close());
  // Before a provisioning file makes anything anew under the same identifier.
  await cleanups.finishLeft();
  if (settings.provisionFile !== null) {
    const known = { plans, servedSegments: servedSegments(configuration) };
    await provision({ documents, ids }, settings.provisionFile, known, logger);
  }

  const usage = createUsageCounter({ documents, clock, logger });
  closers.push(() => usage.close());
  const tasks = startStorageTasks({
    events,
    compactor: events.compactor,
    documents,
    plans: () => inForce().plans.plans,
    retentionDays: settings.retentionDays,
    clock,
    logger,
    metrics,
  });
  closers.push(() => tasks.close());

  const visitorSecret = Buffer.from(secrets.visitorSecret, 'base64url');
  const identityKeys = openIdentityKeys(settings, secrets, clock, logger);
  const options = (audience: ServiceName) => ({
    verifyIdentity: createVerifyIdentity(identityKeys, audience, clock),
    logger: logger.child({ service: audience }),
    metrics,
  });
  const findLink: FindLink = (organizationId, id) => documents.links.get(organizationId, id);
  backends.query.serve(
    createQueryService({ events, documents, clock, customSql, findLink }, options('query')),
  );
  backends.tracking.serve(
    createTrackingService(
      {
        events,
        documents,
        bus,
        clock,
        clicks,
        counts: createIngestCounts(metrics),
        usage,
        visitorSecret,
        trackerScript,
      },
      options('tracking'),
    ),
  );
  const { keyPrefix } = settings;
  const sealer = sealerOf(secrets);
  backends.resources.serve(
    createResourcesService(
      {
        documents,
        bus,
        ids,
        clock,
        randomBytes,
        keyPrefix,
        plans: () => inForce().plans,
        sealer,
        allowsLocalHttp: isDevelopment(settings),
        cleanups,
        servedSegments: () => servedSegments(inForce()),
      },
      options('resources'),
    ),
  );
  cleanups.start();

  const parts = { settings, configuration, secrets, documents, bus, ids, clock, logger, metrics };
  gateway = await composeGateway(parts, closers);
  const { reload } = await startConfigurationReload(
    { gateway, variables, documents, logger, metrics },
    closers,
  );
  if (fitsSocketPath(paths.administrationSocket)) {
    const administration = await startAdministrationServer({
      administration: createAdministration(
        { documents, ids, clock, randomBytes },
        {
          keyPrefix,
          sealer: async () => sealer,
          plans: async () => Object.keys(inForce().plans.plans),
          cleanups: async () => cleanups,
          importBatch: (batch) => importBatch(batch, { events, documents, clock, visitorSecret, usage }),
        },
      ),
      socketPath: paths.administrationSocket,
      logger,
    });
    closers.push(() => administration.close());
  } else {
    logger.warn(
      { dataDir: settings.dataDir },
      'DATA_DIR is too long for a socket: tidegate opens the stores instead',
    );
  }

  const origin = originOf(await gateway.listen(settings.port, settings.host));
  const made =
    settings.provisionFile === null
      ? await firstStart(
          { documents, ids, clock, randomBytes },
          { keyPrefix: settings.keyPrefix, baseUrl: origin },
        )
      : null;
  return { origin, announcement: made?.text ?? null, reload };
}

/** Applies the provisioning file. @throws Error that names it when it cannot be read, or every fault in it */
async function provision(
  ports: { readonly documents: DocumentStore; readonly ids: Ids },
  file: string,
  known: Pick<ProvisioningText, 'plans' | 'servedSegments'>,
  logger: Logger,
): Promise<void> {
  const text = await readFile(file, 'utf8').catch((fault: NodeJS.ErrnoException) => {
    throw new Error(`PROVISION_FILE=${file} cannot be read (${fault.code})`, { cause: fault });
  });
  const report = await applyProvisioning(ports, { file, text, ...known });
  for (const warning of report.warnings) logger.warn({ file }, warning);
  logger.info(
    { applied: report.applied.length, unchanged: report.unchanged.length },
    'provisioning file applied',
  );
}
