/** Makes the tracking service of a process from what it opened, alike alone and beside others. */
import type { ServedApp } from '../services/shared/http/create-service-server.ts';
import { createUsageCounter } from '../services/shared/usage/usage-counter.ts';
import { createTrackingService } from '../services/tracking/create-tracking-service.ts';
import { type ImportPorts, importBatch } from '../services/tracking/import/import-batch.ts';
import { createIngestCounts } from '../services/tracking/ingest/ingest-counts.ts';
import { createClickLog } from '../services/tracking/redirect/click-log.ts';
import type { Closers } from './all-or-nothing.ts';
import type { Secrets } from './secrets.ts';
import { type ServiceParts, serviceOptions } from './service-parts.ts';

export interface TrackingPartsOfProcess extends ServiceParts {
  readonly secrets: Pick<Secrets, 'visitorSecret'>;
  /** The built script of the browser tracker. */
  readonly trackerScript: Uint8Array;
}

export interface ComposedTracking {
  readonly app: ServedApp;
  /** Stores lines of an import file as the service stores events. */
  readonly importBatch: (batch: Parameters<typeof importBatch>[0]) => ReturnType<typeof importBatch>;
}

/** `closers` gets what writes down the clicks and the usage that are counted in memory. */
export function composeTracking(parts: TrackingPartsOfProcess, closers: Closers): ComposedTracking {
  const { events, waitingEvents, documents, bus, clock, logger, metrics, trackerScript } = parts;
  metrics.watch('tidegate_event_store_waiting_events', 'Events that wait to be committed.', waitingEvents);
  const clicks = createClickLog({ events, metrics, logger });
  closers.push(() => clicks.close());
  const usage = createUsageCounter({ documents, clock, logger });
  closers.push(() => usage.close());
  const visitorSecret = Buffer.from(parts.secrets.visitorSecret, 'base64url');
  const importPorts: ImportPorts = { events, documents, clock, visitorSecret, usage };
  const counts = createIngestCounts(metrics);
  return {
    app: createTrackingService(
      { events, documents, bus, clock, clicks, counts, usage, visitorSecret, trackerScript },
      serviceOptions(parts, 'tracking'),
    ),
    importBatch: (batch) => importBatch(batch, importPorts),
  };
}
