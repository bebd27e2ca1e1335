/** What a service that runs alone takes from the secrets file, and whom it believes. */
import type { Logger } from 'pino';
import type { Settings } from '../config/settings.ts';
import type { IdentityKeys } from '../services/shared/identity/identity-keys.ts';
import type { Clock } from '../services/shared/ports/clock.ts';
import { openIdentityKeys } from './identity.ts';
import { readSecrets, type Secrets } from './secrets.ts';

export interface ServiceSecrets {
  readonly secrets: Secrets;
  readonly identityKeys: IdentityKeys;
}

/** Reads the file, which is never made here. @throws Error when it is not set, missing, malformed, or others may read it */
export async function readServiceSecrets(
  settings: Settings,
  clock: Clock,
  logger: Logger,
): Promise<ServiceSecrets> {
  if (settings.secretsFile === null) throw new Error('SECRETS_FILE is missing');
  const secrets = await readSecrets(settings.secretsFile);
  return { secrets, identityKeys: openIdentityKeys(settings, secrets, clock, logger) };
}
