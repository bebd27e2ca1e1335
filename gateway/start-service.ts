/** Starts one service as a process of its own: its stores, its listener, and an end that loses no request. */
import type { Logger } from 'pino';
import type { Settings } from '../config/settings.ts';
import { createServiceServer, type ServedApp } from '../services/shared/http/create-service-server.ts';
import type { IdentityKeys } from '../services/shared/identity/identity-keys.ts';
import type { Clock } from '../services/shared/ports/clock.ts';
import { allOrNothing, type Closers } from './all-or-nothing.ts';
import { dataPathsOf } from './data-directory.ts';
import { drainServer } from './http/drain-server.ts';
import { listen, originOf } from './http/listen.ts';
import { openDocuments } from './open-documents.ts';
import { openEvents } from './open-events.ts';
import { openMetrics } from './open-metrics.ts';
import { type Need, requireSettings } from './required-settings.ts';
import type { Running } from './run-process.ts';
import type { ServiceParts } from './service-parts.ts';
import { SERVICE_HEADER_BYTES, SERVICE_KEEP_ALIVE_MS } from './start-services.ts';

/** What a service brings to its process. */
export interface ServiceProcess<Prepared> {
  /** What must be set. */
  readonly needs: readonly Need[];
  /** Whether it brings the database to the schema that it needs; others find it so, or do not start. */
  readonly isOwner: boolean;
  /** Reads files, before any store is touched. */
  prepare(settings: Settings): Promise<Prepared & { readonly identityKeys: IdentityKeys }>;
  /** Makes the app, and what works beside it; `closers` gets what ends that. */
  compose(parts: ServiceParts & Prepared, closers: Closers): Promise<ComposedService> | ComposedService;
}

export interface ComposedService {
  readonly app: ServedApp;
  /** What the operator must see once. */
  readonly announcement?: string | null;
  /** Reads anew what may change while it runs. */
  reload?(reason: string): Promise<unknown>;
}

/** Starts it, or nothing: on a fault what was begun is closed again, and the fault is thrown. @throws SettingsError naming all that is missing */
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
  const prepared = await service.prepare(settings);
  const paths = dataPathsOf(settings.dataDir);
  const { isOwner } = service;
  const documents = await openDocuments(settings, { path: paths.documents, isOwner, clock, logger }, closers);
  const events = await openEvents(settings, { path: paths.events, clock }, closers);

  let draining = false;
  const isDraining = () => draining;
  const parts = { settings, ...documents, ...events, clock, logger, metrics, isDraining, ...prepared };
  const { app, announcement = null, reload } = await service.compose(parts, closers);
  const { server, serve, endConnections } = createServiceServer(SERVICE_HEADER_BYTES);
  server.keepAliveTimeout = SERVICE_KEEP_ALIVE_MS;
  serve(app);
  const origin = originOf(await listen(server, settings.port, settings.host, 'PORT, HOST'));
  // Last, so that it ends first: what the requests under way need is closed after them.
  closers.push(async () => {
    draining = true;
    endConnections();
    await drainServer(server);
  });
  return {
    origin,
    announcement,
    reload:
      reload ?? (async (reason) => logger.info({ reason }, 'there is nothing to read anew in this process')),
  };
}
