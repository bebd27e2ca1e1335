/** Starts one service as a process of its own: its stores, its listener, and a shutdown that loses no request. */
import type { Logger } from 'pino';
import { dataPathsOf } from '../../config/data-directory.ts';
import type { Settings } from '../../config/settings.ts';
import { createServiceServer, type ServedApp } from '../../services/shared/http/create-service-server.ts';
import type { ServiceName } from '../../services/shared/identity/identity-token.ts';
import type { IdentityKeys } from '../../services/shared/identity/verify-identity.ts';
import type { Clock } from '../../services/shared/ports/clock.ts';
import { connectionLimits } from '../serve/http/connection-bounds.ts';
import { drainServer } from '../serve/http/drain-server.ts';
import { listen, originOf } from '../serve/http/listen.ts';
import { recordTraffic } from '../serve/traffic/traffic-record.ts';
import { allOrNothing, type Closers } from './all-or-nothing.ts';
import type { ServiceParts } from './compose/service-parts.ts';
import { openMetrics } from './metrics/open-metrics.ts';
import { openTracing, tracedStores } from './open-tracing.ts';
import type { Running } from './run-process.ts';
import { type Need, requireSettings } from './secrets/required-settings.ts';
import { boundService, SERVICE_HEADER_BYTES } from './start-services.ts';
import { openDocuments } from './stores/open-documents.ts';
import { openEvents } from './stores/open-events.ts';

/** What a service provides to its process. */
export interface ServiceProcess<Prepared> {
  readonly name: ServiceName;
  /** Required settings. */
  readonly needs: readonly Need[];
  /** Whether it migrates the database; other services find it migrated, or do not start. */
  readonly isOwner: boolean;
  /** Reads files, before any store is touched. */
  prepare(settings: Settings): Promise<Prepared & { readonly identityKeys: IdentityKeys }>;
  /** Creates the app and its background work; `closers` gets the functions that end it. */
  compose(parts: ServiceParts & Prepared, closers: Closers): Promise<ComposedService> | ComposedService;
}

export interface ComposedService {
  readonly app: ServedApp;
  /** Text that the operator must see once. */
  readonly announcement?: string | null;
  /** Reads again what may change while it runs. */
  reload?(reason: string): Promise<unknown>;
}

/** Starts the service or nothing: on an error the started parts are closed, and the error is rethrown. @throws SettingsError naming each missing setting */
export async function startService<Prepared>(
  service: ServiceProcess<Prepared>,
  settings: Settings,
  logger: Logger,
  clock: Clock,
): Promise<Running> {
  requireSettings(settings, service.needs);
  return allOrNothing(logger, (closers) => compose(service, settings, logger, clock, closers));
}

async function compose<Prepared>(
  service: ServiceProcess<Prepared>,
  settings: Settings,
  logger: Logger,
  clock: Clock,
  closers: Closers,
): Promise<Omit<Running, 'close'>> {
  const metrics = await openMetrics(settings, logger, closers);
  const tracer = await openTracing(settings.tracing, `tidegate-${service.name}`, logger, closers);
  const prepared = await service.prepare(settings);
  const paths = dataPathsOf(settings.dataDir);
  const { isOwner } = service;
  const documents = await openDocuments(settings, { path: paths.documents, isOwner, clock, logger }, closers);
  const traffic = recordTraffic({ metrics, documents: documents.documents, clock, logger });
  closers.push(() => traffic.close());
  const events = await openEvents(settings, { path: paths.events, clock, logger }, closers);

  let draining = false;
  const isDraining = () => draining;
  const stores = tracedStores(tracer, { ...documents, ...events });
  const parts = { settings, ...stores, clock, logger, metrics, tracer, isDraining, ...prepared };
  const { app, announcement = null, reload } = await service.compose(parts, closers);
  const { server, serve, endConnections } = createServiceServer(SERVICE_HEADER_BYTES);
  boundService(server, connectionLimits(settings.connections).most);
  serve(app);
  const origin = originOf(await listen(server, settings.port, settings.host, 'PORT, HOST'));
  // Last, so that it closes first: what requests in flight need is closed after them.
  closers.push(async () => {
    draining = true;
    endConnections();
    await drainServer(server);
  });
  return {
    origin,
    announcement,
    reload: reload ?? (async (reason) => logger.info({ reason }, 'this process has nothing to reload')),
  };
}
