/** Composes a further gateway process over the document file and the services of an embedded server on this machine. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Logger } from 'pino';
import { type Settings, SettingsError } from '../config/settings.ts';
import { createPasswordHasher } from '../services/shared/credentials/password-hasher.ts';
import { SERVICES, type ServiceName } from '../services/shared/identity/identity-token.ts';
import { type Clock, systemClock } from '../services/shared/ports/clock.ts';
import { createIds } from '../services/shared/ports/ids.ts';
import { apiDescription } from './api-description.ts';
import { checkPlans } from './check-plans.ts';
import { loadConfiguration } from './configuration/load-configuration.ts';
import { configurationVariables } from './configuration-variables.ts';
import { createGateway } from './create-gateway.ts';
import { dataPathsOf } from './data-directory.ts';
import { GRACE_MS, originOf } from './http/listen.ts';
import { createIdentitySigner } from './identity.ts';
import { openCounters } from './open-counters.ts';
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
  const closers: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    return { origin: await compose(settings, urls, logger, clock, closers), announcement: null, close };
  } catch (fault) {
    await close();
    throw fault;
  }
}

async function compose(
  settings: Settings,
  urls: Readonly<Record<ServiceName, string>>,
  logger: Logger,
  clock: Clock,
  closers: (() => Promise<unknown>)[],
): Promise<string> {
  const metrics = await openMetrics(settings, logger, closers);
  const configuration = await loadConfiguration(settings.configDir, configurationVariables(urls));
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

  if (settings.redisUrl === null) {
    logger.warn(
      'without REDIS_URL each gateway process counts rate limits for itself: N processes admit up to N times a limit',
    );
  }
  const { counters, areDegraded } = await openCounters(settings, { clock, logger, metrics }, closers);
  const gateway = await createGateway({
    configuration,
    documents,
    counters,
    countersAreDegraded: areDegraded,
    metrics,
    bus,
    identity: await createIdentitySigner(secrets.identityKeys, clock),
    ids: createIds(),
    randomBytes,
    passwords: createPasswordHasher(),
    ownDomains: settings,
    cookieKey: Buffer.from(secrets.cookieKey, 'base64url'),
    clock,
    logger,
    openApiText: apiDescription(),
    trustedProxies: settings.trustedProxies,
  });
  closers.push(() => gateway.close(GRACE_MS));
  return originOf(await gateway.listen(settings.port, settings.host));
}

/** The services' addresses, all of them. @throws SettingsError naming each that is missing */
function requiredUrls({ serviceUrls }: Settings): Readonly<Record<ServiceName, string>> {
  const faults = SERVICES.filter((name) => serviceUrls[name] === null).map(
    (name) =>
      `${name.toUpperCase()}_URL is missing: where the ${name} service of the embedded server listens (start that with the same setting)`,
  );
  if (faults.length > 0) throw new SettingsError(faults);
  return serviceUrls as Readonly<Record<ServiceName, string>>;
}
