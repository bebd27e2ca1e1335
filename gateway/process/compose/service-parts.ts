/** What the services of a process are composed of: its stores, the identity keys it trusts, its logger and metrics. */
import type { Logger } from 'pino';
import type { Settings } from '../../../config/settings.ts';
import type { ServiceOptions } from '../../../services/shared/http/service-options.ts';
import type { ServiceName } from '../../../services/shared/identity/identity-token.ts';
import type { IdentityKeys } from '../../../services/shared/identity/verify-identity.ts';
import { createVerifyIdentity } from '../../../services/shared/identity/verify-identity.ts';
import type { Clock } from '../../../services/shared/ports/clock.ts';
import type { Metrics } from '../../../services/shared/ports/metrics.ts';
import type { Tracer } from '../../../services/shared/ports/tracer.ts';
import type { OpenDocuments } from '../stores/open-documents.ts';
import type { OpenEvents } from '../stores/stores.ts';

export interface ServiceParts extends OpenDocuments, OpenEvents {
  readonly settings: Settings;
  readonly identityKeys: IdentityKeys;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Null: tracing is off. */
  readonly tracer: Tracer | null;
  /** Whether the process is about to end: a service with its own listener says so when asked for readiness. */
  readonly isDraining?: () => boolean;
}

/** What each service gets besides its ports. */
export function serviceOptions(
  { identityKeys, clock, logger, metrics, tracer, isDraining }: ServiceParts,
  audience: ServiceName,
): ServiceOptions {
  return {
    verifyIdentity: createVerifyIdentity(identityKeys, audience, clock),
    logger: logger.child({ service: audience }),
    metrics,
    ...(tracer === null ? {} : { tracing: { tracer, service: audience } }),
    ...(isDraining === undefined ? {} : { isDraining }),
  };
}
