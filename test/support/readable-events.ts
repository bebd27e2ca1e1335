/** Reads of an event store in tests. */
import type {
  CompiledQuery,
  EventReach,
  EventRead,
  EventStore,
  RawRow,
} from '../../services/shared/ports/event-store.ts';

/** A store that reads everything where a test names no reach. */
export interface ReadableEvents extends EventStore {
  run(query: CompiledQuery, read?: Partial<EventRead>): Promise<readonly RawRow[]>;
}

/** The events of an organization: its own and those of these websites. */
export function everythingOf(organizationId: string, ...websiteIds: readonly string[]): EventReach {
  return { organizationId, websiteIds, organizationEvents: true, range: null };
}
