/** Composes a gateway process over services that run elsewhere: processes of their own, or an embedded server on this machine. */
import cluster from 'node:cluster';
import type { Logger } from 'pino';
import { dataPathsOf } from '../../config/data-directory.ts';
import type { Settings } from '../../config/settings.ts';
import { type Clock, systemClock } from '../../services/shared/ports/clock.ts';
import { createIds } from '../../services/shared/ports/ids.ts';
import type { Drain } from '../serve/gateway-options.ts';
import { NOTICE_MS } from '../serve/http/drain-server.ts';
import { originOf } from '../serve/http/listen.ts';
import { allOrNothing, type Closers } from './all-or-nothing.ts';
import { composeGateway } from './compose/compose-gateway.ts';
import { openMetrics } from './metrics/open-metrics.ts';
import { openTracing } from './open-tracing.ts';
import { checkPlans } from './reload/check-plans.ts';
import { startConfigurationReload } from './reload/configuration-reload.ts';
import { configurationVariables } from './reload/configuration-variables.ts';
import { configurationAtStart, readFilesAtStart } from './reload/start-configuration.ts';
import { findTakenLinks, warnOfTakenLinks } from './reload/taken-links.ts';
import { findUnknownOrganizations, warnOfUnknownOrganizations } from './reload/unknown-overrides.ts';
import type { Running } from './run-process.ts';
import { type Need, requireSettings } from './secrets/required-settings.ts';
import { readSecrets } from './secrets/secrets.ts';
import { openDocuments } from './stores/open-documents.ts';
import { tellOfGateway } from './tell-of-gateway.ts';
import { watchEndOfAll } from './workers/worker-processes.ts';

const URLS = ['QUERY_URL', 'TRACKING_URL', 'RESOURCES_URL'] as const satisfies readonly Need[];

const LEAVES_PORT: Drain = { noticeMs: NOTICE_MS, isReported: true };
/** Long enough for a busy machine: a connection that was silent meanwhile is closed, perhaps just as its client asks. */
const LEAVES_TO_OTHERS: Drain = { noticeMs: 2_000, isReported: false };

/** Starts the gateway or nothing: on an error the started parts are closed, and the error is rethrown. */
export async function startGateway(
  settings: Settings,
  logger: Logger,
  clock: Clock = systemClock,
): Promise<Running> {
  const urls = requiredUrls(settings);
  return allOrNothing(logger, (closers) => compose(settings, urls, logger, clock, closers));
}

async function compose(
  settings: Settings,
  urls: Settings['serviceUrls'],
  logger: Logger,
  clock: Clock,
  closers: Closers,
): Promise<Omit<Running, 'close'>> {
  const metrics = await openMetrics(settings, logger, closers);
  const tracer = await openTracing(settings.tracing, 'tidegate-gateway', logger, closers);
  const variables = configurationVariables(urls, settings.dashboardDir);
  const paths = dataPathsOf(settings.dataDir);
  const { configDir, customSql } = settings;
  const source = { directory: configDir, variables, customSql, readsFiles: true };
  const files = await readFilesAtStart(source, settings, { path: paths.documents, clock, logger });
  const opened = await openDocuments(
    settings,
    { path: paths.documents, isOwner: false, clock, logger },
    closers,
  );
  // The services trust the keys of one file, so this gateway signs with that file's key.
  const secrets = await readSecrets(settings.secretsFile ?? paths.secrets);
  const { documents } = opened;
  const configuration = await configurationAtStart(files, source, documents, logger);
  await checkPlans(documents, Object.keys(configuration.plans.plans));
  warnOfTakenLinks(await findTakenLinks(documents, configuration), logger);
  warnOfUnknownOrganizations(await findUnknownOrganizations(documents, configuration.plans), logger);

  if (settings.redis === null) {
    logger.warn(
      'without REDIS_URL each gateway process counts rate limits on its own: N processes admit up to N times a limit',
    );
  }
  const ids = createIds();
  // The other workers keep serving the port, so clients need to leave it only when all of them end.
  const allEnd = cluster.isWorker ? watchEndOfAll() : () => true;
  const drain = () => (allEnd() ? LEAVES_PORT : LEAVES_TO_OTHERS);
  const parts = {
    settings,
    configuration,
    source,
    secrets,
    ...opened,
    ids,
    clock,
    logger,
    metrics,
    tracer,
    drain,
  };
  const gateway = await composeGateway(parts, closers);
  const { reload } = await startConfigurationReload(
    { gateway, variables, customSql: settings.customSql, documents, logger, metrics },
    closers,
  );
  await tellOfGateway(gateway, paths.gatewaySockets, metrics, logger, closers);
  const origin = originOf(
    await gateway.listen(settings.port, settings.host),
    configuration.https === null ? 'http' : 'https',
  );
  return { origin, announcement: null, reload };
}

/** Requires the addresses of all services and, with a database that processes share, the secrets file. @throws SettingsError naming each missing setting */
function requiredUrls(settings: Settings): Settings['serviceUrls'] {
  const isShared = settings.mongodbUri !== null;
  requireSettings(settings, [...(isShared ? (['SECRETS_FILE'] as const) : []), ...URLS]);
  return settings.serviceUrls;
}
