/** What the services of a process are composed of: the stores that it opened, whom it believes, where it tells of itself. */
import type { Logger } from 'pino';
import type { Settings } from '../config/settings.ts';
import type { ServiceOptions } from '../services/shared/http/create-service-app.ts';
import type { IdentityKeys } from '../services/shared/identity/identity-keys.ts';
import type { ServiceName } from '../services/shared/identity/identity-token.ts';
import { createVerifyIdentity } from '../services/shared/identity/verify-identity.ts';
import type { Clock } from '../services/shared/ports/clock.ts';
import type { Metrics } from '../services/shared/ports/metrics.ts';
import type { OpenDocuments } from './open-documents.ts';
import type { OpenEvents } from './open-events.ts';

export interface ServiceParts extends OpenDocuments, OpenEvents {
  readonly settings: Settings;
  readonly identityKeys: IdentityKeys;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Whether the process is about to end: a service that listens on its own says so to whoever asks if it is ready. */
  readonly isDraining?: () => boolean;
}

/** What each service is given besides its ports. */
export function serviceOptions(
  { identityKeys, clock, logger, metrics, isDraining }: ServiceParts,
  audience: ServiceName,
): ServiceOptions {
  return {
    verifyIdentity: createVerifyIdentity(identityKeys, audience, clock),
    logger: logger.child({ service: audience }),
    metrics,
    ...(isDraining === undefined ? {} : { isDraining }),
  };
}
