/** Opens the event store with its exporter, compactor and backup. One of two files that know where stores are. */
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import type { ColumnsSettings } from '../../../config/columns-settings.ts';
import type { Clock } from '../../../services/shared/ports/clock.ts';
import type { EventExporter } from '../../../services/shared/ports/event-export.ts';
import type { EventStore } from '../../../services/shared/ports/event-store.ts';
import {
  type BuildStatus,
  NO_BUILDS,
} from '../../../services/shared/storage/columns/build-process/build-progress.ts';
import { ColumnEventStore } from '../../../services/shared/storage/columns/column-event-store.ts';
import { MongodbColumns } from '../../../services/shared/storage/columns/mongodb-columns.ts';
import type { Compactor } from '../../../services/shared/storage/duckdb/compaction/compactor.ts';
import {
  createDuckDbEventStore,
  type EventCopier,
} from '../../../services/shared/storage/duckdb/duckdb-event-store.ts';
import { createMongodbEventStore } from '../../../services/shared/storage/mongodb/mongodb-event-store.ts';
import { openConnection } from '../../../services/shared/storage/mongodb/open-connection.ts';
import type { Closers } from '../all-or-nothing.ts';

export interface EventSettings {
  /** Null: in the file. */
  readonly mongodbUri: string | null;
  /** For MongoDB only. */
  readonly columns: ColumnsSettings;
  /** Number of newest event ids whose repeats are recognized; for the file only. */
  readonly eventIdWindow: number;
}

export interface EventOptions {
  /** The file of the embedded store; copies of rows for custom queries are kept in its folder too. */
  readonly path: string;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

export interface OpenEvents {
  readonly events: EventStore;
  /** Copies rows of a website for custom queries. */
  readonly exporter: EventExporter;
  /** Sorts the file in the background; null where the database keeps its own order. */
  readonly compactor: Compactor | null;
  /** Copies the file while it is in use; null where a database holds the events. */
  readonly copier: EventCopier | null;
  /** How many events are waiting to be committed. */
  readonly waitingEvents: () => number;
  /** Opens what queries need, where that takes a while. */
  readonly warmUp: () => void;
  /** What this process does to build columns. */
  readonly builds: () => BuildStatus;
}

/** Opens it on an existing schema (see `openDocuments`); `closers` gets the function that closes it. */
export async function openEvents(
  { mongodbUri, eventIdWindow, columns: settings }: EventSettings,
  { path, clock, logger }: EventOptions,
  closers: Closers,
): Promise<OpenEvents> {
  if (mongodbUri === null) {
    const events = await createDuckDbEventStore({ path, eventIdWindow, clock });
    closers.push(() => events.close());
    const { exporter, compactor } = events;
    return {
      events,
      exporter,
      compactor,
      copier: events,
      waitingEvents: () => events.waitingEvents,
      warmUp: () => undefined,
      builds: () => NO_BUILDS,
    };
  }
  const columns = new MongodbColumns({
    uri: mongodbUri,
    directory: join(dirname(path), 'columns'),
    ...settings,
    logger,
  });
  const connection = await openConnection(mongodbUri, { appName: 'tidegate events' });
  const stored = await createMongodbEventStore({
    connection,
    clock,
    segments: columns,
  }).catch(async (fault) => {
    await connection.close();
    throw fault;
  });
  closers.push(async () => {
    await Promise.all([stored.close(), columns.close()]);
  });
  const events = new ColumnEventStore(stored, columns);
  return {
    events,
    exporter: events.exporter,
    compactor: null,
    copier: null,
    waitingEvents: () => stored.waitingEvents,
    warmUp: () => columns.warmUp(),
    builds: () => columns.status,
  };
}
