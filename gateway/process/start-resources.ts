/** Composes the resources service as a process of its own: it migrates, provisions, cleans up and enforces retention. */
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { Settings } from '../../config/settings.ts';
import { firstStart } from '../../services/resources/provisioning/first-start.ts';
import { type Clock, systemClock } from '../../services/shared/ports/clock.ts';
import { createIds } from '../../services/shared/ports/ids.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { loadConfiguration } from '../configuration/load-configuration.ts';
import { servesDashboard } from '../configuration/serves-dashboard.ts';
import type { Closers } from './all-or-nothing.ts';
import { composeCleanups, composeResources } from './compose/compose-resources.ts';
import type { ServiceParts } from './compose/service-parts.ts';
import { checkPlans } from './reload/check-plans.ts';
import { startConfigurationReload } from './reload/configuration-reload.ts';
import { configurationVariables, UNSTARTED_SERVICE_URLS } from './reload/configuration-variables.ts';
import { findTakenLinks, warnOfTakenLinks } from './reload/taken-links.ts';
import type { Running } from './run-process.ts';
import type { Secrets } from './secrets/secrets.ts';
import { readServiceSecrets } from './secrets/service-secrets.ts';
import { type ComposedService, startService } from './start-service.ts';
import { provision } from './stores/provision.ts';

/** The address in the examples of a first start: this process does not know where its gateways listen. */
const GATEWAY_URL = 'http://localhost:8080';

/** Plans and served paths come from the same files as the gateway's; service addresses do not matter here. */
const VARIABLES = configurationVariables(UNSTARTED_SERVICE_URLS);

/** Starts the service or nothing; of several on a new database exactly one announces its credentials. @throws SettingsError naming each missing setting */
export function startResources(
  settings: Settings,
  logger: Logger,
  clock: Clock = systemClock,
): Promise<Running> {
  return startService(
    {
      name: 'resources',
      needs: ['MONGODB_URI', 'SECRETS_FILE'],
      isOwner: true,
      // An invalid configuration stops the start before any store is touched.
      prepare: async () => ({
        ...(await readServiceSecrets(settings, clock, logger)),
        configuration: await loadConfiguration(settings.configDir, VARIABLES, null),
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
  warnOfTakenLinks(await findTakenLinks(documents, configuration), logger);
  const cleanups = composeCleanups(parts, closers);
  await provision({ ...parts, ids, cleanups, file: settings.provisionFile });
  const made =
    settings.provisionFile === null
      ? await exclusively(() =>
          firstStart(
            { documents, ids, clock, randomBytes, scopes: () => configuration.scopes },
            {
              keyPrefix: settings.keyPrefix,
              baseUrl: GATEWAY_URL,
              hasDashboard: servesDashboard(configuration),
            },
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
    { gateway: held, variables: VARIABLES, customSql: null, documents, logger, metrics },
    closers,
  );
  return { app, announcement: made?.text ?? null, reload };
}
