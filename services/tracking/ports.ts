/** What the tracking service needs from outside, and what its routes work with. */
import type { Bus } from '../shared/ports/bus.ts';
import type { Clock } from '../shared/ports/clock.ts';
import type { DocumentStore } from '../shared/ports/document-store.ts';
import type { EventStore } from '../shared/ports/event-store.ts';
import type { UsageCounter } from '../shared/usage/usage-counter.ts';
import type { ReadClient } from './client/read-client.ts';
import type { DropReason, IngestStep } from './ingest/ingest-counts.ts';
import type { KeylessSites } from './ingest/keyless-sites.ts';
import type { Clicks } from './redirect/click-log.ts';
import type { KnownLinks } from './redirect/known-links.ts';
import type { TrackerScript } from './script/tracker-script.ts';

/** Where the way of events through ingest is counted. */
export interface IngestCounts {
  /** Adds `count` events that passed a step, or were dropped for a reason. */
  add(what: IngestStep | DropReason, count: number): void;
}

export interface TrackingPorts {
  readonly events: EventStore;
  readonly documents: DocumentStore;
  /** Tells what was written, by this process and by others. */
  readonly bus: Bus;
  readonly clock: Clock;
  readonly counts: IngestCounts;
  /** Where stored events are counted for their organization; whoever made it closes it. */
  readonly usage: Pick<UsageCounter, 'addEvents'>;
  /** Closed by who made it, when the service answers no more. */
  readonly clicks: Clicks;
  /**
   * Key of the daily salts that anonymize visitors, at least 32 bytes; it stays the same over restarts and processes,
   * or one visitor would count twice on one day.
   */
  readonly visitorSecret: Uint8Array;
  /** The built script of the browser tracker. */
  readonly trackerScript: Uint8Array;
}

/** What the routes work with: the ports, and what the service makes of them. */
export interface TrackingParts extends TrackingPorts {
  readonly sites: KeylessSites;
  readonly knownLinks: KnownLinks;
  readonly script: TrackerScript;
  readonly readClient: ReadClient;
}
