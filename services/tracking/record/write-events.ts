/** The last step of every ingest route: the records become durable, all or none. */
import type { EventRecord } from '../../shared/model/event-record.ts';
import type { EventStore } from '../../shared/ports/event-store.ts';

/** Resolves when every record survives a crash. @throws ApiError SERVICE_UNAVAILABLE when nothing was stored */
export async function writeEvents(store: EventStore, records: readonly EventRecord[]): Promise<void> {
  await store.append(records);
}
