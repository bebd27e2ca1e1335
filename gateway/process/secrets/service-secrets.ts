/** What a service in a process of its own takes from the secrets file, and the identity keys it trusts. */
import type { Logger } from 'pino';
import type { Settings } from '../../../config/settings.ts';
import type { IdentityKeys } from '../../../services/shared/identity/verify-identity.ts';
import type { Clock } from '../../../services/shared/ports/clock.ts';
import { openIdentityKeys } from '../../serve/identity.ts';
import { readSecrets, type Secrets } from './secrets.ts';

export interface ServiceSecrets {
  readonly secrets: Secrets;
  readonly identityKeys: IdentityKeys;
}

/** Reads the file, and never creates it. @throws Error when it is not set, missing, malformed, or others may read it */
export async function readServiceSecrets(
  settings: Settings,
  clock: Clock,
  logger: Logger,
): Promise<ServiceSecrets> {
  if (settings.secretsFile === null) throw new Error('SECRETS_FILE is missing');
  const secrets = await readSecrets(settings.secretsFile);
  return { secrets, identityKeys: openIdentityKeys(settings, secrets, clock, logger) };
}
