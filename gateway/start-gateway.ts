/** Composes a gateway process over services that run elsewhere: processes of their own, or an embedded server on this machine. */
import cluster from 'node:cluster';
import type { Logger } from 'pino';
import type { Settings } from '../config/settings.ts';
import { type Clock, systemClock } from '../services/shared/ports/clock.ts';
import { createIds } from '../services/shared/ports/ids.ts';
import { allOrNothing, type Closers } from './all-or-nothing.ts';
import { checkPlans } from './check-plans.ts';
import { composeGateway } from './compose-gateway.ts';
import { loadConfiguration } from './configuration/load-configuration.ts';
import { startConfigurationReload } from './configuration-reload.ts';
import { configurationVariables } from './configuration-variables.ts';
import { dataPathsOf } from './data-directory.ts';
import { NOTICE_MS } from './http/drain-server.ts';
import { originOf } from './http/listen.ts';
import { openDocuments } from './open-documents.ts';
import { openMetrics } from './open-metrics.ts';
import { type Need, requireSettings } from './required-settings.ts';
import type { Running } from './run-process.ts';
import { readSecrets } from './secrets.ts';
import { watchEndOfAll } from './worker-processes.ts';

const URLS = ['QUERY_URL', 'TRACKING_URL', 'RESOURCES_URL'] as const satisfies readonly Need[];

/** Starts it, or nothing: on a fault what was begun is closed again, and the fault is thrown. */
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
  const variables = configurationVariables(urls);
  const configuration = await loadConfiguration(settings.configDir, variables);
  const paths = dataPathsOf(settings.dataDir);
  const opened = await openDocuments(
    settings,
    { path: paths.documents, isOwner: false, clock, logger },
    closers,
  );
  // The services believe the keys of one file, so this gateway signs with that one.
  const secrets = await readSecrets(settings.secretsFile ?? paths.secrets);
  const { documents } = opened;
  await checkPlans(documents, Object.keys(configuration.plans.plans));

  if (settings.redis === null) {
    logger.warn(
      'without REDIS_URL each gateway process counts rate limits for itself: N processes admit up to N times a limit',
    );
  }
  const ids = createIds();
  // The port of a worker stays with the others, so nobody must leave it unless all of them end.
  const allEnd = cluster.isWorker ? watchEndOfAll() : () => true;
  const noticeMs = () => (allEnd() ? NOTICE_MS : null);
  const parts = { settings, configuration, secrets, ...opened, ids, clock, logger, metrics, noticeMs };
  const gateway = await composeGateway(parts, closers);
  const { reload } = await startConfigurationReload(
    { gateway, variables, documents, logger, metrics },
    closers,
  );
  const origin = originOf(await gateway.listen(settings.port, settings.host));
  return { origin, announcement: null, reload };
}

/** The services' addresses, of all of them, and in a database of many processes the secrets file. @throws SettingsError naming each that is missing */
function requiredUrls(settings: Settings): Settings['serviceUrls'] {
  const isShared = settings.mongodbUri !== null;
  requireSettings(settings, [...(isShared ? (['SECRETS_FILE'] as const) : []), ...URLS]);
  return settings.serviceUrls;
}
