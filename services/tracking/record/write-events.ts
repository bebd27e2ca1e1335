/** The last step of every ingest route: makes the records durable, all or none. */
import type { EventRecord } from '../../shared/model/event-record.ts';
import type { AppendOutcome, EventStore } from '../../shared/ports/event-store.ts';

/** Resolves when every record survives a crash; a repeat of an eventId does already. @throws ApiError SERVICE_UNAVAILABLE when nothing was stored */
export function writeEvents(store: EventStore, records: readonly EventRecord[]): Promise<AppendOutcome> {
  return store.append(records);
}
