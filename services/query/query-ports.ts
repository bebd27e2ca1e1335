/** What the query service needs from outside. */
import type { Clock } from '../shared/ports/clock.ts';
import type { DocumentStore } from '../shared/ports/document-store.ts';
import type { EventStore } from '../shared/ports/event-store.ts';

export interface QueryPorts {
  readonly events: EventStore;
  readonly documents: DocumentStore;
  readonly clock: Clock;
}
