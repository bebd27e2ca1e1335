/** The ports of the tracking service, and what its routes work with. */
import type { Bus } from '../shared/ports/bus.ts';
import type { Clock } from '../shared/ports/clock.ts';
import type { DocumentStore } from '../shared/ports/document-store.ts';
import type { EventStore } from '../shared/ports/event-store.ts';
import type { Disk } from '../shared/storage/disk-watch.ts';
import type { ActivityCounter } from '../shared/usage/activity-counter.ts';
import type { UsageCounter } from '../shared/usage/usage-counter.ts';
import type { KeylessBudget } from './budget/keyless-budget.ts';
import type { ReadClient } from './client/read-client.ts';
import type { LocateAddress } from './geoip/place-database.ts';
import type { IngestCounts } from './ingest/ingest-counts.ts';
import type { KnownWebsites } from './ingest/known-websites.ts';
import type { Clicks } from './redirect/click-log.ts';
import type { KnownLinks } from './redirect/known-links.ts';
import type { DailySalts } from './salts/daily-salts.ts';
import type { TrackerScript } from './script/tracker-script.ts';

export interface TrackingPorts {
  /** Whether the disk is low: events without a key are refused then. */
  readonly disk: Disk;
  /** The daily budgets of websites for keyless senders; closed by its creator. */
  readonly budget: Pick<KeylessBudget, 'take'>;
  readonly events: EventStore;
  readonly documents: DocumentStore;
  /** Announces writes, of this process and of others. */
  readonly bus: Bus;
  readonly clock: Clock;
  readonly counts: IngestCounts;
  /** Counts stored events for their organization; closed by its creator. */
  readonly usage: Pick<UsageCounter, 'addEvents'>;
  /** Counts events per website by what became of them; closed by its creator. */
  readonly activity: Pick<ActivityCounter, 'add'>;
  /** Closed by its creator, once the service no longer answers. */
  readonly clicks: Clicks;
  /** Distinguish visitors without id for a day. Closed by their creator. */
  readonly salts: Pick<DailySalts, 'at'>;
  /** Looks up a visitor's place by address when no header has it; absent: unknown. */
  readonly locate?: LocateAddress;
  /** The built script of the browser tracker. */
  readonly trackerScript: Uint8Array;
}

/** What the routes work with: the ports, and what the service makes of them. */
export interface TrackingParts extends TrackingPorts {
  readonly websites: KnownWebsites;
  readonly knownLinks: KnownLinks;
  readonly script: TrackerScript;
  readonly readClient: ReadClient;
}
