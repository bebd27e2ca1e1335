/** Composes the tracking service as a process of its own. */
import type { Logger } from 'pino';
import type { Settings } from '../../config/settings.ts';
import { type Clock, systemClock } from '../../services/shared/ports/clock.ts';
import { watchPlaces } from '../../services/tracking/geoip/watched-places.ts';
import { readTrackerScript } from '../../services/tracking/script/read-tracker-script.ts';
import { composeTracking } from './compose/compose-tracking.ts';
import type { Running } from './run-process.ts';
import { readServiceSecrets } from './secrets/service-secrets.ts';
import { startService } from './start-service.ts';

/** Starts the service or nothing. @throws SettingsError naming each missing setting */
export function startTracking(
  settings: Settings,
  logger: Logger,
  clock: Clock = systemClock,
): Promise<Running> {
  return startService(
    {
      name: 'tracking',
      needs: ['MONGODB_URI', 'SECRETS_FILE'],
      isOwner: false,
      prepare: async () => ({
        ...(await readServiceSecrets(settings, clock, logger)),
        trackerScript: await readTrackerScript(),
        places: settings.geoipFile === null ? null : await watchPlaces(settings.geoipFile, logger),
      }),
      compose: (parts, closers) => ({ app: composeTracking(parts, closers).app }),
    },
    settings,
    logger,
    clock,
  );
}
