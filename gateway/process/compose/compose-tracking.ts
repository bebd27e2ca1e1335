/** Creates the tracking service of a process from its stores, alike alone and with other services. */
import { randomBytes } from 'node:crypto';
import type { ServiceApp } from '../../../services/shared/http/create-service-app.ts';
import { createDiskWatch } from '../../../services/shared/storage/disk-watch.ts';
import { createActivityCounter } from '../../../services/shared/usage/activity-counter.ts';
import { createUsageCounter } from '../../../services/shared/usage/usage-counter.ts';
import { createKeylessBudget } from '../../../services/tracking/budget/keyless-budget.ts';
import { createTrackingService } from '../../../services/tracking/create-tracking-service.ts';
import type { WatchedPlaces } from '../../../services/tracking/geoip/watched-places.ts';
import { type ImportPorts, importBatch } from '../../../services/tracking/import/import-batch.ts';
import { createIngestCounts } from '../../../services/tracking/ingest/ingest-counts.ts';
import { createClickLog } from '../../../services/tracking/redirect/click-log.ts';
import { createDailySalts } from '../../../services/tracking/salts/daily-salts.ts';
import type { Closers } from '../all-or-nothing.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { type ServiceParts, serviceOptions } from './service-parts.ts';

export interface TrackingPartsOfProcess extends ServiceParts {
  readonly secrets: Pick<Secrets, 'visitorSecret'>;
  /** The built script of the browser tracker. */
  readonly trackerScript: Uint8Array;
  /** The place database file; null when none is set. */
  readonly places: WatchedPlaces | null;
}

export interface ComposedTracking {
  readonly app: ServiceApp;
  /** Stores lines of an import file the way the service stores events. */
  readonly importBatch: (batch: Parameters<typeof importBatch>[0]) => ReturnType<typeof importBatch>;
}

/** `closers` gets the functions that flush clicks and usage counted in memory. */
export function composeTracking(parts: TrackingPartsOfProcess, closers: Closers): ComposedTracking {
  const { events, waitingEvents, documents, bus, clock, logger, metrics, trackerScript } = parts;
  metrics.watch('tidegate_event_store_waiting_events', 'Events that wait to be committed.', waitingEvents);
  const { places } = parts;
  if (places !== null) closers.push(async () => places.close());
  const { dataDir, lowDiskMb } = parts.settings;
  const disk = createDiskWatch({ directory: dataDir, lowBytes: lowDiskMb * 1_000_000, logger, metrics });
  closers.push(async () => disk.close());
  const budget = createKeylessBudget({ documents, clock, logger });
  closers.push(() => budget.close());
  const clicks = createClickLog({ events, metrics, logger, disk });
  closers.push(() => clicks.close());
  const usage = createUsageCounter({ documents, clock, logger });
  closers.push(() => usage.close());
  const activity = createActivityCounter('ingest', { documents, clock, logger });
  closers.push(() => activity.close());
  const visitorSecret = Buffer.from(parts.secrets.visitorSecret, 'base64url');
  const salts = createDailySalts({ documents, clock, visitorSecret, randomBytes });
  salts.start(logger);
  closers.push(async () => salts.close());
  const importPorts: ImportPorts = { events, documents, clock, salts, usage };
  const counts = createIngestCounts(metrics);
  return {
    app: createTrackingService(
      {
        ...{
          events,
          documents,
          bus,
          clock,
          disk,
          budget,
          clicks,
          counts,
          usage,
          salts,
          activity,
          trackerScript,
        },
        ...(places === null ? {} : { locate: places.locate }),
      },
      serviceOptions(parts, 'tracking'),
    ),
    importBatch: (batch) => importBatch(batch, importPorts),
  };
}
