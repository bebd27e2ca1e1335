/** Composes everything in one process over embedded stores: the same gateway and services as in separate processes, which it calls. */
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import type { Logger } from 'pino';
import { type DataPaths, dataPathsOf } from '../../config/data-directory.ts';
import { type Settings, SettingsError } from '../../config/settings.ts';
import { exportBatch } from '../../services/query/export/export-batch.ts';
import { firstStart } from '../../services/resources/provisioning/first-start.ts';
import { type Clock, systemClock } from '../../services/shared/ports/clock.ts';
import { createIds } from '../../services/shared/ports/ids.ts';
import { watchPlaces } from '../../services/tracking/geoip/watched-places.ts';
import { readTrackerScript } from '../../services/tracking/script/read-tracker-script.ts';
import { LiveBackups } from '../administration/live-backups.ts';
import { createAdministration } from '../administration/operations.ts';
import { ADMINISTRATION_ROUTES } from '../administration/routes.ts';
import { startOperatorServer } from '../administration/server.ts';
import { fitsSocketPath } from '../administration/socket.ts';
import { servesDashboard } from '../configuration/serves-dashboard.ts';
import type { Gateway } from '../serve/create-gateway.ts';
import { originOf } from '../serve/http/listen.ts';
import { openIdentityKeys } from '../serve/identity.ts';
import { allOrNothing, type Closers } from './all-or-nothing.ts';
import { composeGateway } from './compose/compose-gateway.ts';
import { composeQuery } from './compose/compose-query.ts';
import { composeCleanups, composeResources } from './compose/compose-resources.ts';
import { composeTracking } from './compose/compose-tracking.ts';
import { openMetrics } from './metrics/open-metrics.ts';
import { readTraffic } from './metrics/read-traffic.ts';
import { openTracing, tracedStores } from './open-tracing.ts';
import { checkPlans } from './reload/check-plans.ts';
import { configurationsOf } from './reload/configuration-operations.ts';
import { startConfigurationReload } from './reload/configuration-reload.ts';
import { configurationVariables } from './reload/configuration-variables.ts';
import { configurationAtStart, readFilesAtStart } from './reload/start-configuration.ts';
import { findTakenLinks, warnOfTakenLinks } from './reload/taken-links.ts';
import { findUnknownOrganizations, warnOfUnknownOrganizations } from './reload/unknown-overrides.ts';
import type { Running } from './run-process.ts';
import { loadSecrets } from './secrets/secrets.ts';
import { startServices } from './start-services.ts';
import { openDocuments } from './stores/open-documents.ts';
import { openEvents } from './stores/open-events.ts';
import { provision } from './stores/provision.ts';
import type { OpenEvents } from './stores/stores.ts';

/** Starts everything or nothing; a first start announces its credentials. On an error the started parts are closed, and the error is rethrown. */
export function startEmbedded(
  settings: Settings,
  logger: Logger,
  clock: Clock = systemClock,
): Promise<Running> {
  const { gatewayWorkers } = settings;
  if (gatewayWorkers > 1) {
    const fault = `GATEWAY_WORKERS="${gatewayWorkers}": npm start runs one gateway; use npm run start:gateway for several`;
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
  const tracer = await openTracing(settings.tracing, 'tidegate', logger, closers);
  const { backends, inProcess: servicesInProcess } = await startServices(settings, closers);
  // An invalid configuration stops the start before any store is touched.
  const variables = configurationVariables(
    { query: backends.query.url, tracking: backends.tracking.url, resources: backends.resources.url },
    settings.dashboardDir,
  );
  const paths = dataPathsOf(settings.dataDir);
  const { configDir, customSql } = settings;
  const source = { directory: configDir, variables, customSql, readsFiles: true };
  const files = await readFilesAtStart(source, settings, { path: paths.documents, clock, logger });
  const trackerScript = await readTrackerScript();
  const places = settings.geoipFile === null ? null : await watchPlaces(settings.geoipFile, logger);

  await mkdir(settings.dataDir, { recursive: true, mode: 0o700 });
  const secrets = await loadSecrets(settings.secretsFile ?? paths.secrets);
  const stores = { isOwner: true, clock, logger };
  const opened = await openDocuments(settings, { ...stores, path: paths.documents }, closers);
  const { documents, exclusively } = opened;
  const openedEvents = await openEvents(settings, { path: paths.events, clock, logger }, closers);
  const backups = openBackups(openedEvents, paths, settings.secretsFile ?? paths.secrets, closers);
  const configuration = await configurationAtStart(files, source, documents, logger);
  let gateway: Gateway | null = null;
  /** What a reload may have replaced since the start. */
  const inForce = () => gateway?.configuration ?? configuration;
  const scopes = () => inForce().scopes;
  await checkPlans(documents, Object.keys(configuration.plans.plans));
  warnOfTakenLinks(await findTakenLinks(documents, configuration), logger);
  const ids = createIds();
  const cleanups = composeCleanups({ documents, events: openedEvents.events, clock, logger }, closers);
  await provision({ ...opened, ids, cleanups, file: settings.provisionFile, configuration, logger });
  warnOfUnknownOrganizations(await findUnknownOrganizations(documents, configuration.plans), logger);

  const identityKeys = openIdentityKeys(settings, secrets, clock, logger);
  const service = {
    settings,
    ...tracedStores(tracer, { ...opened, ...openedEvents }),
    secrets,
    ids,
    identityKeys,
    clock,
    logger,
    metrics,
    tracer,
  };
  backends.query.serve(composeQuery(service, closers));
  const { app, importBatch } = composeTracking({ ...service, trackerScript, places }, closers);
  backends.tracking.serve(app);
  const resources = composeResources({ ...service, inForce, cleanups }, closers);
  backends.resources.serve(resources.app);

  gateway = await composeGateway({ ...service, configuration, source, servicesInProcess }, closers);
  const { reload } = await startConfigurationReload(
    { gateway, variables, customSql: settings.customSql, documents, logger, metrics },
    closers,
  );
  if (fitsSocketPath(paths.operatorSocket)) {
    const administration = await startOperatorServer({
      administration: createAdministration(
        { documents, ids, clock, randomBytes, scopes },
        {
          keyPrefix: settings.keyPrefix,
          sealer: async () => resources.sealer,
          plans: async () => Object.keys(inForce().plans.plans),
          cleanups: async () => cleanups,
          importBatch,
          exportBatch: (asked) => exportBatch(asked, { events: openedEvents.events, documents }),
          purgeCaches: () => opened.bus.publish({ kind: 'keptAnswers' }),
          backups,
          refusals: (requestId) => gateway?.refusals(requestId) ?? [],
          limits: async (id) => gateway?.limitsOf(id) ?? null,
          traffic: () => readTraffic(metrics, gateway),
          configurations: configurationsOf(documents, { source, reload }),
        },
      ),
      routes: ADMINISTRATION_ROUTES,
      socketPath: paths.operatorSocket,
      logger,
    });
    closers.push(() => administration.close());
  } else {
    logger.warn(
      { dataDir: settings.dataDir },
      'DATA_DIR is too long for a socket: tidegate opens the stores instead',
    );
  }

  const origin = originOf(
    await gateway.listen(settings.port, settings.host),
    configuration.https === null ? 'http' : 'https',
  );
  const made =
    settings.provisionFile === null
      ? await exclusively(() =>
          firstStart(
            { documents, ids, clock, randomBytes, scopes },
            {
              keyPrefix: settings.keyPrefix,
              baseUrl: origin,
              hasDashboard: servesDashboard(inForce()),
            },
          ),
        )
      : null;
  return { origin, announcement: made?.text ?? null, reload };
}

/** Null where a database holds the stores. */
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
