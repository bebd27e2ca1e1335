/** Makes the gateway of a process from its settings and stores: the one place in which a gateway's options are put together. */
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { Settings } from '../config/settings.ts';
import { createPasswordHasher } from '../services/shared/credentials/password-hasher.ts';
import type { Clock } from '../services/shared/ports/clock.ts';
import type { Ids } from '../services/shared/ports/ids.ts';
import type { Metrics } from '../services/shared/ports/metrics.ts';
import type { Closers } from './all-or-nothing.ts';
import { apiDescription } from './api-description.ts';
import type { Configuration } from './configuration/configuration.ts';
import { createGateway, type Gateway } from './create-gateway.ts';
import { GRACE_MS } from './http/listen.ts';
import { createIdentitySigner } from './identity.ts';
import { openCounters } from './open-counters.ts';
import type { OpenDocuments } from './open-documents.ts';
import type { Secrets } from './secrets.ts';

/** What differs between processes: what they were told, what they opened. */
export interface GatewayParts extends Pick<OpenDocuments, 'documents' | 'bus'> {
  readonly settings: Settings;
  readonly configuration: Configuration;
  readonly secrets: Secrets;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** As of a gateway's options. */
  noticeMs?(): number | null;
}

/** The gateway, which does not listen yet; `closers` gets what ends it and what it counts in. */
export async function composeGateway(
  { settings, configuration, secrets, documents, bus, ids, clock, logger, metrics, noticeMs }: GatewayParts,
  closers: Closers,
): Promise<Gateway> {
  const { counters, areDegraded } = await openCounters(settings, { clock, logger, metrics }, closers);
  const gateway = await createGateway({
    configuration,
    documents,
    counters,
    countersAreDegraded: areDegraded,
    metrics,
    bus,
    identity: await createIdentitySigner(secrets.identityKeys, clock),
    ids,
    randomBytes,
    passwords: createPasswordHasher(),
    ownDomains: settings,
    cookieKey: Buffer.from(secrets.cookieKey, 'base64url'),
    clock,
    logger,
    openApiText: apiDescription,
    trustedProxies: settings.trustedProxies,
    ...(noticeMs === undefined ? {} : { noticeMs }),
  });
  closers.push(() => gateway.close(GRACE_MS));
  return gateway;
}
