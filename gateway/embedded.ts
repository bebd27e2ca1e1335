/** Composes everything in one process over embedded stores: the same gateway and services as apart, on loopback. */
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import type { Logger } from 'pino';
import { type Settings, SettingsError } from '../config/settings.ts';
import { firstStart } from '../services/resources/provisioning/first-start.ts';
import { type Clock, systemClock } from '../services/shared/ports/clock.ts';
import { createIds } from '../services/shared/ports/ids.ts';
import { readTrackerScript } from '../services/tracking/script/read-tracker-script.ts';
import { startAdministrationServer } from './administration.ts';
import { createAdministration } from './administration-operations.ts';
import { fitsSocketPath } from './administration-socket.ts';
import { allOrNothing, type Closers } from './all-or-nothing.ts';
import { checkPlans } from './check-plans.ts';
import { composeGateway } from './compose-gateway.ts';
import { composeQuery } from './compose-query.ts';
import { composeCleanups, composeResources } from './compose-resources.ts';
import { composeTracking } from './compose-tracking.ts';
import { loadConfiguration } from './configuration/load-configuration.ts';
import { startConfigurationReload } from './configuration-reload.ts';
import { configurationVariables } from './configuration-variables.ts';
import type { Gateway } from './create-gateway.ts';
import { type DataPaths, dataPathsOf } from './data-directory.ts';
import { originOf } from './http/listen.ts';
import { openIdentityKeys } from './identity.ts';
import { LiveBackups } from './live-backups.ts';
import { openDocuments } from './open-documents.ts';
import { type OpenEvents, openEvents } from './open-events.ts';
import { openMetrics } from './open-metrics.ts';
import { provision } from './provision.ts';
import type { Running } from './run-process.ts';
import { loadSecrets } from './secrets.ts';
import { startServices } from './start-services.ts';

/** Starts everything, or nothing; a first start announces its credentials. On a fault what was begun is closed again, and the fault is thrown. */
export function startEmbedded(
  settings: Settings,
  logger: Logger,
  clock: Clock = systemClock,
): Promise<Running> {
  const { gatewayWorkers } = settings;
  if (gatewayWorkers > 1) {
    const fault = `GATEWAY_WORKERS="${gatewayWorkers}": npm start runs one gateway; several run by npm run start:gateway`;
    return Promise.reject(new SettingsError([fault]));
  }
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
  const stores = { isOwner: true, clock, logger };
  const opened = await openDocuments(settings, { ...stores, path: paths.documents }, closers);
  const { documents, exclusively } = opened;
  const openedEvents = await openEvents(settings, { path: paths.events, clock }, closers);
  const backups = openBackups(openedEvents, paths, settings.secretsFile ?? paths.secrets, closers);
  await checkPlans(documents, Object.keys(configuration.plans.plans));
  const ids = createIds();
  const cleanups = composeCleanups({ documents, events: openedEvents.events, clock, logger }, closers);
  await provision({ ...opened, ids, cleanups, file: settings.provisionFile, configuration, logger });

  const identityKeys = openIdentityKeys(settings, secrets, clock, logger);
  const service = {
    settings,
    ...opened,
    ...openedEvents,
    secrets,
    ids,
    identityKeys,
    clock,
    logger,
    metrics,
  };
  backends.query.serve(composeQuery(service, closers));
  const { app, importBatch } = composeTracking({ ...service, trackerScript }, closers);
  backends.tracking.serve(app);
  const resources = composeResources({ ...service, inForce, cleanups }, closers);
  backends.resources.serve(resources.app);

  gateway = await composeGateway({ ...service, configuration }, closers);
  const { reload } = await startConfigurationReload(
    { gateway, variables, documents, logger, metrics },
    closers,
  );
  if (fitsSocketPath(paths.administrationSocket)) {
    const administration = await startAdministrationServer({
      administration: createAdministration(
        { documents, ids, clock, randomBytes },
        {
          keyPrefix: settings.keyPrefix,
          sealer: async () => resources.sealer,
          plans: async () => Object.keys(inForce().plans.plans),
          cleanups: async () => cleanups,
          importBatch,
          backups,
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
      ? await exclusively(() =>
          firstStart(
            { documents, ids, clock, randomBytes },
            { keyPrefix: settings.keyPrefix, baseUrl: origin },
          ),
        )
      : null;
  return { origin, announcement: made?.text ?? null, reload };
}

/** Null where the stores are a database's. */
function openBackups(
  { copier }: OpenEvents,
  paths: DataPaths,
  secretsFile: string,
  closers: Closers,
): LiveBackups | null {
  if (!copier) return null;
  const backups = new LiveBackups({ paths, secretsFile, copier });
  closers.push(() => backups.close());
  return backups;
}
