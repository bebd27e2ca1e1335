/** What the tracking service needs from outside, and what its routes work with. */
import type { Clock } from '../shared/ports/clock.ts';
import type { DocumentStore } from '../shared/ports/document-store.ts';
import type { EventStore } from '../shared/ports/event-store.ts';
import type { ReadClient } from './client/read-client.ts';

export interface TrackingPorts {
  readonly events: EventStore;
  readonly documents: DocumentStore;
  readonly clock: Clock;
  /**
   * Key of the daily salts that anonymize visitors, at least 32 bytes; it stays the same over restarts and processes,
   * or one visitor would count twice on one day.
   */
  readonly visitorSecret: Uint8Array;
}

/** The ports, and what the service makes of its own once. */
export interface TrackingParts extends TrackingPorts {
  readonly readClient: ReadClient;
}
