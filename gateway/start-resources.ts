/** Composes the resources service as a process of its own: it migrates, provisions, cleans up and keeps to the retention. */
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { Settings } from '../config/settings.ts';
import { firstStart } from '../services/resources/provisioning/first-start.ts';
import { type Clock, systemClock } from '../services/shared/ports/clock.ts';
import { createIds } from '../services/shared/ports/ids.ts';
import type { Closers } from './all-or-nothing.ts';
import { checkPlans } from './check-plans.ts';
import { composeCleanups, composeResources } from './compose-resources.ts';
import type { Configuration } from './configuration/configuration.ts';
import { loadConfiguration } from './configuration/load-configuration.ts';
import { startConfigurationReload } from './configuration-reload.ts';
import { configurationVariables, UNSTARTED_SERVICE_URLS } from './configuration-variables.ts';
import { provision } from './provision.ts';
import type { Running } from './run-process.ts';
import type { Secrets } from './secrets.ts';
import type { ServiceParts } from './service-parts.ts';
import { readServiceSecrets } from './service-secrets.ts';
import { type ComposedService, startService } from './start-service.ts';

/** Where the examples of a first start call: this process does not know where its gateways listen. */
const GATEWAY_URL = 'http://localhost:8080';

/** Plans and served paths are read from the same files as the gateway's; where services listen is nothing to this one. */
const VARIABLES = configurationVariables(UNSTARTED_SERVICE_URLS);

/** Starts it, or nothing; of several over a new database exactly one announces its credentials. @throws SettingsError naming all that is missing */
export function startResources(
  settings: Settings,
  logger: Logger,
  clock: Clock = systemClock,
): Promise<Running> {
  return startService(
    {
      needs: ['MONGODB_URI', 'SECRETS_FILE'],
      isOwner: true,
      // A faulty configuration stops the start before any store is touched.
      prepare: async () => ({
        ...(await readServiceSecrets(settings, clock, logger)),
        configuration: await loadConfiguration(settings.configDir, VARIABLES),
      }),
      compose: composeAlone,
    },
    settings,
    logger,
    clock,
  );
}

async function composeAlone(
  parts: ServiceParts & { readonly secrets: Secrets; readonly configuration: Configuration },
  closers: Closers,
): Promise<ComposedService> {
  const { settings, documents, exclusively, clock, logger, metrics } = parts;
  let { configuration } = parts;
  const ids = createIds();
  await checkPlans(documents, Object.keys(configuration.plans.plans));
  const cleanups = composeCleanups(parts, closers);
  await provision({ ...parts, ids, cleanups, file: settings.provisionFile });
  const made =
    settings.provisionFile === null
      ? await exclusively(() =>
          firstStart(
            { documents, ids, clock, randomBytes },
            { keyPrefix: settings.keyPrefix, baseUrl: GATEWAY_URL },
          ),
        )
      : null;
  const { app } = composeResources({ ...parts, ids, cleanups, inForce: () => configuration }, closers);
  const held = {
    get configuration() {
      return configuration;
    },
    async reload(next: Configuration) {
      configuration = next;
    },
  };
  const { reload } = await startConfigurationReload(
    { gateway: held, variables: VARIABLES, documents, logger, metrics },
    closers,
  );
  return { app, announcement: made?.text ?? null, reload };
}
