/** Tells builders of segments which partitions got events: a hint, sent behind appends, and lost without harm. */
import type { EventRecord } from '../../model/event-record.ts';
import { type Partition, partitionId } from './partition.ts';

/** How often counts are sent while there are any, in milliseconds. */
const SEND_EVERY_MS = 5_000;

export interface FreshCount {
  readonly partition: Partition;
  events: number;
}

export class FreshCounts {
  readonly #send: (counts: readonly FreshCount[]) => Promise<void>;
  #counts = new Map<string, FreshCount>();
  #timer: NodeJS.Timeout | null = null;
  #sending: Promise<void> = Promise.resolve();

  /** `send` may reject: its counts are then lost. */
  constructor(send: (counts: readonly FreshCount[]) => Promise<void>) {
    this.#send = send;
  }

  /** Counts events that were stored. */
  add(events: readonly Pick<EventRecord, 'organization_id' | 'website_id'>[]): void {
    for (const { organization_id: organizationId, website_id: websiteId } of events) {
      const partition = { organizationId, websiteId };
      const id = partitionId(partition);
      const count = this.#counts.get(id);
      if (count) count.events++;
      else this.#counts.set(id, { partition, events: 1 });
    }
    if (this.#counts.size > 0) this.#timer ??= setTimeout(() => void this.flush(), SEND_EVERY_MS).unref();
  }

  /** Sends what was counted. Never rejects. */
  flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const counts = [...this.#counts.values()];
    this.#counts = new Map();
    if (counts.length > 0) {
      this.#sending = this.#sending.then(() => this.#send(counts)).catch(() => undefined);
    }
    return this.#sending;
  }
}
