/** Counts what a store holds and adds up hashes of it, so that two stores can be compared in any order of reading. */
import { hash } from 'node:crypto';
import { type EventRecord, NUMBER_COLUMNS, TEXT_COLUMNS } from '../model/event-record.ts';
import type { Stored } from '../model/stored.ts';

/** Equal for equal contents; different contents are equal with a probability of 2^-64. */
export interface Tally {
  readonly count: number;
  /** The sum of the first 64 bits of each value's MD5, as 16 hexadecimal digits. */
  readonly checksum: string;
}

/** The events of one website, or an organization's events without one. */
export interface WebsiteTally extends Tally {
  readonly organizationId: string;
  readonly websiteId: string | null;
  /** Of the first and the last event, in milliseconds. */
  readonly first: number;
  readonly last: number;
}

export class ContentTally {
  #count = 0;
  #sum = 0n;

  add(text: string): void {
    this.#count++;
    this.#sum = BigInt.asUintN(64, this.#sum + hash('md5', text, 'buffer').readBigUInt64LE(0));
  }

  get tally(): Tally {
    return { count: this.#count, checksum: this.#sum.toString(16).padStart(16, '0') };
  }
}

/** The text of a document for comparison: null fields count as absent, and field order does not matter. */
export function documentText(document: Stored): string {
  const present = Object.entries(document).filter(([, value]) => value !== null && value !== undefined);
  return JSON.stringify(Object.fromEntries(present), (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

/** Tallies events by organization and website. */
export class EventTally {
  readonly #scopes = new Map<string, Scope>();

  add(event: EventRecord): void {
    const { organization_id, website_id, timestamp } = event;
    const key = JSON.stringify([organization_id, website_id]);
    let scope = this.#scopes.get(key);
    if (!scope) {
      scope = new Scope(organization_id, website_id, timestamp);
      this.#scopes.set(key, scope);
    }
    scope.first = Math.min(scope.first, timestamp);
    scope.last = Math.max(scope.last, timestamp);
    scope.content.add(eventText(event));
  }

  /** Sorted by organization and website. */
  get tallies(): ReadonlyMap<string, WebsiteTally> {
    const sorted = [...this.#scopes].sort(([a], [b]) => (a < b ? -1 : 1));
    return new Map(sorted.map(([key, scope]) => [key, scope.tally]));
  }
}

class Scope {
  readonly content = new ContentTally();
  first: number;
  last: number;
  readonly #organizationId: string;
  readonly #websiteId: string | null;

  constructor(organizationId: string, websiteId: string | null, instant: number) {
    this.#organizationId = organizationId;
    this.#websiteId = websiteId;
    this.first = instant;
    this.last = instant;
  }

  get tally(): WebsiteTally {
    const { first, last } = this;
    const scope = { organizationId: this.#organizationId, websiteId: this.#websiteId };
    return { ...scope, ...this.content.tally, first, last };
  }
}

const COLUMNS = [...TEXT_COLUMNS, ...NUMBER_COLUMNS];

function eventText(event: EventRecord): string {
  const values: unknown[] = [event.organization_id, event.timestamp, event.is_bot, event.is_keyless];
  for (const column of COLUMNS) values.push(event[column]);
  return JSON.stringify(values);
}
