/**
 * Remembers the ids of the newest events, a fixed number of them, so that a repeat is recognized without asking the
 * store.
 */
import { hash } from 'node:crypto';
import type { EventRecord } from '../model/event-record.ts';
import { type IdParty, IdShares, type Share } from './id-shares.ts';
import { type HeapMember, IndexedHeap } from './indexed-heap.ts';
import { PlaceTable } from './place-table.ts';

/** How long a repeat is recognized, in milliseconds (contract.md section 6). */
export const REPEAT_WINDOW_MS = 24 * 60 * 60 * 1000;

/** Entries per chunk; chunks are allocated as needed. */
const CHUNK_ENTRIES = 16_384;
/** Three words of the hash, the second in which the event was stored, and the next entry of the same party. */
const ENTRY_WORDS = 5;
const SECOND = 3;
const NEXT = 4;
/** Positions are kept in this many tables, which grow separately: no single growth takes long. */
const TABLES = 256;

/** The id of an event within its space, as 16 one-byte characters. */
export type EventIdHash = string;

/**
 * The space within which an event's id is unique: its website, else its organization, and there keyed or keyless
 * senders. Anybody may send without a key, so ids of keyless events must not affect events with a key.
 */
export function eventIdSpace({ website_id, organization_id, is_keyless }: EventRecord): string {
  const owner = website_id === null ? `o${organization_id}` : `w${website_id}`;
  return is_keyless === true ? `k${owner}` : owner;
}

/**
 * Identifies repeats of this event; null for an event without id. `hash` gives the same result for a text in every
 * process.
 */
export function eventIdHash(record: EventRecord): EventIdHash | null {
  const { event_id } = record;
  return event_id === null ? null : hash('md5', `${eventIdSpace(record)}\0${event_id}`, 'binary');
}

/** The party that an event's id belongs to. */
export function idPartyOf({ organization_id, website_id, is_keyless }: EventRecord): IdParty {
  return { organizationId: organization_id, websiteId: website_id, isKeyless: is_keyless === true };
}

export interface EventIdWindowOptions {
  /** How many ids are kept. Each costs 20 bytes, and 5 to 11 bytes for its position. */
  readonly size: number;
  /** How long an id is kept, in milliseconds. */
  readonly keepMs: number;
}

/** The ids of one party in order of arrival, as a list through the entries; positions count from 1, 0 is none. */
class IdQueue implements HeapMember {
  place = 0;
  oldest = 0;
  newest = 0;
  /** The second of the oldest id. */
  second = 0;
  readonly share: Share;

  constructor(share: Share) {
    this.share = share;
  }
}

/**
 * Ids, as 96 bits of their hashes: among five million, a new id is mistaken for a repeat once in 10^22. When the window
 * is full, the party with most ids gives up its oldest (id-shares.ts), so that all ids of a party within its fair share
 * are known. Instants never go back.
 */
export class EventIdWindow {
  /** How many ids are remembered at most. */
  readonly size: number;
  readonly #keepSeconds: number;
  readonly #chunks: Uint32Array[] = [];
  readonly #tables: PlaceTable[];
  readonly #shares = new IdShares();
  readonly #queues = new Map<Share, IdQueue>();
  readonly #byAge = new IndexedHeap<IdQueue>((one, other) => one.second < other.second);
  /** The first of the freed positions, each of which names the next; 0: none. */
  #free = 0;
  /** Positions that were ever used. */
  #used = 0;
  #count = 0;
  #latest = 0;

  constructor(options: EventIdWindowOptions) {
    this.size = options.size;
    this.#keepSeconds = Math.ceil(options.keepMs / 1000);
    this.#tables = Array.from(
      { length: TABLES },
      () => new PlaceTable((index) => this.#wordAt(index + 1, 1)),
    );
  }

  /** How many ids are remembered. */
  get count(): number {
    return this.#count;
  }

  /** The memory that the ids hold. */
  get bytes(): number {
    const chunks = this.#chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
    return this.#tables.reduce((sum, table) => sum + table.bytes, chunks);
  }

  /** The instant of the latest id, in milliseconds, rounded down to its second; 0 for none. */
  get latest(): number {
    return this.#count === 0 ? 0 : this.#latest * 1000;
  }

  /** Whether an event of this id was stored within the window that ends at `now` (milliseconds). */
  has(id: EventIdHash, now: number): boolean {
    this.#forgetBefore(Math.floor(now / 1000) - this.#keepSeconds);
    return this.#knows(word(id, 0), word(id, 4), word(id, 8));
  }

  /** Remembers the id of an event stored at `at` (milliseconds); does nothing when it is known. */
  add(id: EventIdHash, at: number, party: IdParty): void {
    this.addWords(word(id, 0), word(id, 4), word(id, 8), Math.floor(at / 1000), party);
  }

  /** Like {@link add}, with the first 12 bytes of the hash as three words, lowest byte first. */
  addWords(first: number, second: number, third: number, atSecond: number, party: IdParty): void {
    if (this.#knows(first, second, third)) return;
    if (this.#count === this.size) {
      const giving = this.#shares.giving(party);
      const queue = giving === null ? undefined : this.#queues.get(giving);
      if (queue !== undefined) this.#forgetOldestOf(queue);
    }
    const position = this.#takePosition();
    const start = this.#startOf(position);
    const chunk = this.#chunkOf(position);
    chunk[start] = first;
    chunk[start + 1] = second;
    chunk[start + 2] = third;
    chunk[start + SECOND] = atSecond;
    chunk[start + NEXT] = 0;
    this.#tableOf(first).put(position - 1, second);
    this.#append(position, atSecond, this.#shares.of(party));
    this.#count++;
    this.#latest = atSecond;
  }

  #append(position: number, atSecond: number, share: Share): void {
    this.#shares.grow(share);
    let queue = this.#queues.get(share);
    if (queue === undefined) {
      queue = new IdQueue(share);
      queue.oldest = position;
      queue.second = atSecond;
      this.#queues.set(share, queue);
      this.#byAge.add(queue);
    } else this.#chunkOf(queue.newest)[this.#startOf(queue.newest) + NEXT] = position;
    queue.newest = position;
  }

  #knows(first: number, second: number, third: number): boolean {
    return this.#tableOf(first).some(second, (index) => {
      const start = this.#startOf(index + 1);
      const chunk = this.#chunkOf(index + 1);
      return chunk[start] === first && chunk[start + 1] === second && chunk[start + 2] === third;
    });
  }

  #forgetBefore(earliest: number): void {
    for (;;) {
      const { first } = this.#byAge;
      if (first === undefined || first.second >= earliest) return;
      this.#forgetOldestOf(first);
    }
  }

  #forgetOldestOf(queue: IdQueue): void {
    const position = queue.oldest;
    const next = this.#wordAt(position, NEXT);
    this.#tableOf(this.#wordAt(position, 0)).remove(position - 1, this.#wordAt(position, 1));
    this.#chunkOf(position)[this.#startOf(position) + NEXT] = this.#free;
    this.#free = position;
    this.#count--;
    this.#shares.shrink(queue.share);
    queue.oldest = next;
    if (next === 0) {
      this.#byAge.remove(queue);
      this.#queues.delete(queue.share);
    } else {
      queue.second = this.#wordAt(next, SECOND);
      this.#byAge.moved(queue);
    }
  }

  #takePosition(): number {
    const free = this.#free;
    if (free !== 0) {
      this.#free = this.#wordAt(free, NEXT);
      return free;
    }
    if (this.#used === this.#chunks.length * CHUNK_ENTRIES) {
      this.#chunks.push(new Uint32Array(CHUNK_ENTRIES * ENTRY_WORDS));
    }
    return ++this.#used;
  }

  #tableOf(first: number): PlaceTable {
    const table = this.#tables[first % TABLES];
    if (!table) throw new RangeError(`no table for ${first}`);
    return table;
  }

  #startOf(position: number): number {
    return ((position - 1) % CHUNK_ENTRIES) * ENTRY_WORDS;
  }

  #chunkOf(position: number): Uint32Array {
    const chunk = this.#chunks[Math.floor((position - 1) / CHUNK_ENTRIES)];
    if (!chunk) throw new RangeError(`no entry at ${position}`);
    return chunk;
  }

  #wordAt(position: number, index: number): number {
    return this.#chunkOf(position)[this.#startOf(position) + index] ?? 0;
  }
}

/** Four one-byte characters as a number, lowest byte first. */
function word(text: string, start: number): number {
  return (
    (text.charCodeAt(start) |
      (text.charCodeAt(start + 1) << 8) |
      (text.charCodeAt(start + 2) << 16) |
      (text.charCodeAt(start + 3) << 24)) >>>
    0
  );
}
