/** Opens the event store with its exporter, compactor and backup. */
import type { ColumnsSettings } from '../../../config/columns-settings.ts';
import type { EventStoreSettings } from '../../../config/event-store-settings.ts';
import { NO_BUILDS } from '../../../services/shared/storage/columns/build-process/build-progress.ts';
import { createDuckDbEventStore } from '../../../services/shared/storage/duckdb/duckdb-event-store.ts';
import type { Closers } from '../all-or-nothing.ts';
import { engineMegabytes } from './engine-memory.ts';
import type { EventOptions, OpenEvents } from './stores.ts';

export interface EventSettings {
  /** Null: in the file. */
  readonly mongodbUri: string | null;
  /** For MongoDB only. */
  readonly columns: ColumnsSettings;
  readonly eventStore: EventStoreSettings;
}

/** Opens it on an existing schema (see `openDocuments`); `closers` gets the function that closes it. */
export async function openEvents(
  settings: EventSettings,
  options: EventOptions,
  closers: Closers,
): Promise<OpenEvents> {
  const { mongodbUri, eventStore } = settings;
  if (mongodbUri !== null) {
    // As with documents: only who stores there loads the driver.
    const { openMongodbEvents } = await import('./open-mongodb-events.ts');
    return openMongodbEvents(mongodbUri, { ...settings.columns, ...eventStore }, options, closers);
  }
  const { path, clock } = options;
  const { engineMb, ...remembered } = eventStore;
  const memoryLimit = `${engineMegabytes(engineMb)}MB`;
  const events = await createDuckDbEventStore({ path, clock, memoryLimit, ...remembered });
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
    answers: () => events.answers,
  };
}
