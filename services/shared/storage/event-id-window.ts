/** Remembers the ids of the newest events, a fixed number of them, so that a repeat is known without asking the store. */
import { hash } from 'node:crypto';
import type { EventRecord } from '../model/event-record.ts';

/** How long a repeat is known, in milliseconds (contract.md section 6). */
export const REPEAT_WINDOW_MS = 24 * 60 * 60 * 1000;

/** Entries of one chunk; chunks are made as they are needed and left when all of their entries are too old. */
const CHUNK_ENTRIES = 65_536;
/** Three words of the hash, and the second in which the event was stored. */
const ENTRY_WORDS = 4;
/** Places are kept in this many tables, each of which grows on its own: no single growth takes long. */
const TABLES = 256;
const FIRST_PLACES = 16;
/** Fullest a table gets. */
const LARGEST_LOAD = 0.75;

/** The id of an event within its website, else its organization, as 16 characters of one byte each. */
export type EventIdHash = string;

/** What tells a repeat of this event; null for an event without id. `hash` of the same text in every process. */
export function eventIdHash(record: EventRecord): EventIdHash | null {
  const { event_id, website_id, organization_id } = record;
  if (event_id === null) return null;
  const scope = website_id === null ? `o${organization_id}` : `w${website_id}`;
  return hash('md5', `${scope}\0${event_id}`, 'binary');
}

export interface EventIdWindowOptions {
  /** Ids that are kept: the newest, at most so many. Each costs 16 bytes and 5 to 11 bytes of its place. */
  readonly size: number;
  /** How long an id is kept, in milliseconds. */
  readonly keepMs: number;
}

/**
 * Ids in the order in which their events were stored, 96 bits of their hash each: among five million, a new id is taken
 * for a repeat once in 10^22. Instants never go back.
 */
export class EventIdWindow {
  /** Most ids that are known at once. */
  readonly size: number;
  readonly #keepSeconds: number;
  readonly #chunks: (Uint32Array | null)[];
  /** Positions run through all chunks and start again. */
  readonly #positions: number;
  readonly #tables: PlaceTable[];
  #oldest = 0;
  #count = 0;

  constructor(options: EventIdWindowOptions) {
    this.size = options.size;
    this.#keepSeconds = Math.ceil(options.keepMs / 1000);
    this.#chunks = new Array(Math.ceil(options.size / CHUNK_ENTRIES) + 1).fill(null);
    this.#positions = this.#chunks.length * CHUNK_ENTRIES;
    this.#tables = Array.from({ length: TABLES }, () => new PlaceTable((position) => this.#homeOf(position)));
  }

  /** How many ids are known. */
  get count(): number {
    return this.#count;
  }

  /** The instant of the latest id, in milliseconds, rounded down to its second; 0 for none. */
  get latest(): number {
    if (this.#count === 0) return 0;
    return this.#wordAt((this.#oldest + this.#count - 1) % this.#positions, 3) * 1000;
  }

  /** Whether an event of this id was stored within the window that ends at `now` (milliseconds). */
  has(id: EventIdHash, now: number): boolean {
    this.#forgetBefore(Math.floor(now / 1000) - this.#keepSeconds);
    return this.#find(word(id, 0), word(id, 4), word(id, 8));
  }

  /** Remembers the id of an event stored at `at` (milliseconds); again: nothing. */
  add(id: EventIdHash, at: number): void {
    this.addWords(word(id, 0), word(id, 4), word(id, 8), Math.floor(at / 1000));
  }

  /** As {@link add}, with the first 12 bytes of the hash as three words, the lowest byte first. */
  addWords(first: number, second: number, third: number, atSecond: number): void {
    if (this.#find(first, second, third)) return;
    if (this.#count === this.size) this.#forgetOldest();
    const position = (this.#oldest + this.#count) % this.#positions;
    const number = Math.floor(position / CHUNK_ENTRIES);
    let chunk = this.#chunks[number];
    if (!chunk) {
      chunk = new Uint32Array(CHUNK_ENTRIES * ENTRY_WORDS);
      this.#chunks[number] = chunk;
    }
    const start = (position % CHUNK_ENTRIES) * ENTRY_WORDS;
    chunk[start] = first;
    chunk[start + 1] = second;
    chunk[start + 2] = third;
    chunk[start + 3] = atSecond;
    this.#count++;
    this.#tableOf(first).put(position, second);
  }

  #find(first: number, second: number, third: number): boolean {
    return this.#tableOf(first).some(second, (position) => {
      const start = (position % CHUNK_ENTRIES) * ENTRY_WORDS;
      const chunk = this.#chunkOf(position);
      return chunk[start] === first && chunk[start + 1] === second && chunk[start + 2] === third;
    });
  }

  #forgetBefore(earliest: number): void {
    while (this.#count > 0 && this.#wordAt(this.#oldest, 3) < earliest) this.#forgetOldest();
  }

  #forgetOldest(): void {
    const position = this.#oldest;
    this.#tableOf(this.#wordAt(position, 0)).remove(position, this.#wordAt(position, 1));
    this.#oldest = (position + 1) % this.#positions;
    this.#count--;
    if (this.#oldest % CHUNK_ENTRIES === 0) this.#chunks[Math.floor(position / CHUNK_ENTRIES)] = null;
  }

  #tableOf(first: number): PlaceTable {
    const table = this.#tables[first % TABLES];
    if (!table) throw new RangeError(`no table for ${first}`);
    return table;
  }

  #chunkOf(position: number): Uint32Array {
    const chunk = this.#chunks[Math.floor(position / CHUNK_ENTRIES)];
    if (!chunk) throw new RangeError(`no entry at ${position}`);
    return chunk;
  }

  #wordAt(position: number, index: number): number {
    return this.#chunkOf(position)[(position % CHUNK_ENTRIES) * ENTRY_WORDS + index] ?? 0;
  }

  /** Where a table would best put the entry. */
  #homeOf(position: number): number {
    return this.#wordAt(position, 1);
  }
}

/** Positions of entries by open addressing: each stands at its home or in the first free place behind. 0: free. */
class PlaceTable {
  readonly #homeOf: (position: number) => number;
  #places = new Uint32Array(FIRST_PLACES);
  #used = 0;

  constructor(homeOf: (position: number) => number) {
    this.#homeOf = homeOf;
  }

  /** Whether `is` holds for a position of those whose home is `home`. */
  some(home: number, is: (position: number) => boolean): boolean {
    const mask = this.#places.length - 1;
    for (let place = home & mask; ; place = (place + 1) & mask) {
      const found = this.#places[place] ?? 0;
      if (found === 0) return false;
      if (is(found - 1)) return true;
    }
  }

  put(position: number, home: number): void {
    if (this.#used + 1 > this.#places.length * LARGEST_LOAD) this.#grow();
    this.#used++;
    this.#insert(position, home);
  }

  /** Takes the position out, and moves those behind it nearer to their homes. */
  remove(position: number, home: number): void {
    const mask = this.#places.length - 1;
    let hole = home & mask;
    while (this.#places[hole] !== position + 1) hole = (hole + 1) & mask;
    this.#used--;
    for (let place = (hole + 1) & mask; ; place = (place + 1) & mask) {
      const found = this.#places[place] ?? 0;
      if (found === 0) break;
      const distance = (place - this.#homeOf(found - 1)) & mask;
      if (distance < ((place - hole) & mask)) continue;
      this.#places[hole] = found;
      hole = place;
    }
    this.#places[hole] = 0;
  }

  #insert(position: number, home: number): void {
    const mask = this.#places.length - 1;
    let place = home & mask;
    while (this.#places[place] !== 0) place = (place + 1) & mask;
    this.#places[place] = position + 1;
  }

  #grow(): void {
    const before = this.#places;
    this.#places = new Uint32Array(before.length * 2);
    for (const found of before) {
      if (found !== 0) this.#insert(found - 1, this.#homeOf(found - 1));
    }
  }
}

/** Four characters of one byte each as a number, the lowest byte first. */
function word(text: string, start: number): number {
  return (
    (text.charCodeAt(start) |
      (text.charCodeAt(start + 1) << 8) |
      (text.charCodeAt(start + 2) << 16) |
      (text.charCodeAt(start + 3) << 24)) >>>
    0
  );
}
