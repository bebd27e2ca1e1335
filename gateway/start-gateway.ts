/** Composes a further gateway process over the document file and the services of an embedded server on this machine. */
import { existsSync } from 'node:fs';
import type { Logger } from 'pino';
import { type Settings, SettingsError } from '../config/settings.ts';
import { SERVICES } from '../services/shared/identity/identity-token.ts';
import { type Clock, systemClock } from '../services/shared/ports/clock.ts';
import { createIds } from '../services/shared/ports/ids.ts';
import { allOrNothing, type Closers } from './all-or-nothing.ts';
import { checkPlans } from './check-plans.ts';
import { composeGateway } from './compose-gateway.ts';
import { loadConfiguration } from './configuration/load-configuration.ts';
import { startConfigurationReload } from './configuration-reload.ts';
import { configurationVariables } from './configuration-variables.ts';
import { dataPathsOf } from './data-directory.ts';
import { originOf } from './http/listen.ts';
import { openDocuments } from './open-documents.ts';
import { openMetrics } from './open-metrics.ts';
import type { Running } from './run-process.ts';
import { readSecrets } from './secrets.ts';

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
  if (!existsSync(paths.documents)) {
    throw new Error(
      `there is no document store ${paths.documents}: start the embedded server (npm start) first, with the same DATA_DIR`,
    );
  }
  // The services believe the keys of the embedded server's file, so this gateway signs with that one.
  const secrets = await readSecrets(settings.secretsFile ?? paths.secrets);
  const { bus, documents } = openDocuments(settings, paths.documents, clock, logger, closers);
  await checkPlans(documents, Object.keys(configuration.plans.plans));

  if (settings.redis === null) {
    logger.warn(
      'without REDIS_URL each gateway process counts rate limits for itself: N processes admit up to N times a limit',
    );
  }
  const ids = createIds();
  const parts = { settings, configuration, secrets, documents, bus, ids, clock, logger, metrics };
  const gateway = await composeGateway(parts, closers);
  const { reload } = await startConfigurationReload(
    { gateway, variables, documents, logger, metrics },
    closers,
  );
  const origin = originOf(await gateway.listen(settings.port, settings.host));
  return { origin, announcement: null, reload };
}

/** The services' addresses, of all of them. @throws SettingsError naming each that is missing */
function requiredUrls({ serviceUrls }: Settings): Settings['serviceUrls'] {
  const faults = SERVICES.filter((name) => serviceUrls[name].length === 0).map(
    (name) =>
      `${name.toUpperCase()}_URL is missing: where the ${name} service of the embedded server listens (start that with the same setting)`,
  );
  if (faults.length > 0) throw new SettingsError(faults);
  return serviceUrls;
}
