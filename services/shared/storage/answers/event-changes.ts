/** When the events of each website last changed, for a store that sees every append and every erasure. */
import type { EventRecord } from '../../model/event-record.ts';
import type { EventReach } from '../../ports/event-store.ts';
import { DayChanges } from './day-changes.ts';

/** With more websites, or days of all of them together, all count as changed: some megabytes of memory. */
const MOST_WEBSITES = 10_000;
const MOST_DAYS = 100_000;

export class EventChanges {
  /** By organization and website. */
  readonly #owners = new Map<string, DayChanges>();
  /** Of all of them together. */
  #days = 0;
  /** Of all whose changes are not known one by one. */
  #others = new DayChanges();

  /** Queries see these events by now. */
  noteAppended(events: readonly EventRecord[]): void {
    const instants = new Map<string, number[]>();
    for (const { organization_id, website_id, timestamp } of events) {
      const owner = ownerOf(organization_id, website_id);
      const known = instants.get(owner);
      if (known) known.push(timestamp);
      else instants.set(owner, [timestamp]);
    }
    for (const [owner, of] of instants) {
      const changes = this.#of(owner);
      const before = changes.days;
      changes.note(of);
      this.#days += changes.days - before;
    }
    if (this.#days > MOST_DAYS) this.noteAll();
  }

  /** Any event may have changed or gone. */
  noteAll(): void {
    this.#owners.clear();
    this.#days = 0;
    this.#others = new DayChanges();
  }

  /** The same number as before: no event that the query may read has changed since. */
  latestOf({ organizationId, websiteIds, organizationEvents, range }: EventReach): number {
    const owners = organizationEvents ? [...websiteIds, null] : websiteIds;
    let latest = this.#others.latestIn(null);
    for (const websiteId of owners) {
      const changes = this.#owners.get(ownerOf(organizationId, websiteId));
      if (changes) latest = Math.max(latest, changes.latestIn(range));
    }
    return latest;
  }

  #of(owner: string): DayChanges {
    const known = this.#owners.get(owner);
    if (known) return known;
    if (this.#owners.size >= MOST_WEBSITES) this.noteAll();
    const changes = new DayChanges(this.#others.latestIn(null));
    this.#owners.set(owner, changes);
    return changes;
  }
}

function ownerOf(organizationId: string, websiteId: string | null): string {
  return `${organizationId} ${websiteId ?? ''}`;
}
