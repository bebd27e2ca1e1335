/** Composes the query service as a process of its own. */
import type { Logger } from 'pino';
import type { Settings } from '../../config/settings.ts';
import { type Clock, systemClock } from '../../services/shared/ports/clock.ts';
import { openIdentityKeys } from '../serve/identity.ts';
import { composeQuery } from './compose/compose-query.ts';
import type { Running } from './run-process.ts';
import { readServiceSecrets } from './secrets/service-secrets.ts';
import { startService } from './start-service.ts';

/**
 * Starts the service or nothing. With IDENTITY_JWKS_URL it needs no secrets file: of all secrets it would only use the
 * public halves of the identity keys. @throws SettingsError naming each missing setting
 */
export function startQuery(settings: Settings, logger: Logger, clock: Clock = systemClock): Promise<Running> {
  const readsKeys = settings.identityJwksUrl !== null;
  return startService(
    {
      name: 'query',
      needs: readsKeys ? ['MONGODB_URI'] : ['MONGODB_URI', 'SECRETS_FILE'],
      isOwner: false,
      async prepare() {
        if (readsKeys)
          return { identityKeys: openIdentityKeys(settings, { identityKeys: [] }, clock, logger) };
        const { identityKeys } = await readServiceSecrets(settings, clock, logger);
        return { identityKeys };
      },
      compose: (parts, closers) => ({ app: composeQuery(parts, closers) }),
    },
    settings,
    logger,
    clock,
  );
}
