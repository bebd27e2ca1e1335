/**
 * Answers of queries, kept as long as no event that they read has changed: a dashboard that is opened again costs next to
 * nothing. Bounded by their memory; those that were not asked for longest leave first.
 */
import { LRUCache } from 'lru-cache';
import type { CompiledQuery, EventReach, RawRow } from '../../ports/event-store.ts';

/** One answer may take this share of the memory: a long list may not drive all others out. */
const LARGEST_SHARE = 1 / 16;
/** Of a row, a number, and a character. */
const ROW_BYTES = 64;
const VALUE_BYTES = 16;
const CHARACTER_BYTES = 2;

interface Remembered {
  readonly changes: string;
  readonly rows: readonly RawRow[];
}

/** How often an answer was there, and how often not; what all of them take. */
export interface AnswerStatus {
  readonly hits: number;
  readonly misses: number;
  readonly bytes: number;
}

export const NO_ANSWERS: AnswerStatus = { hits: 0, misses: 0, bytes: 0 };

export class RememberedAnswers {
  readonly #answers: LRUCache<string, Remembered> | null;
  #hits = 0;
  #misses = 0;

  /** `megabytes`: about what they take; 0: nothing is remembered. */
  constructor(megabytes: number) {
    const maxSize = megabytes * 1_000_000;
    this.#answers =
      maxSize === 0
        ? null
        : new LRUCache({
            maxSize,
            maxEntrySize: maxSize * LARGEST_SHARE,
            sizeCalculation: ({ rows }, key) => sizeOf(rows) + CHARACTER_BYTES * key.length,
          });
  }

  get status(): AnswerStatus {
    return { hits: this.#hits, misses: this.#misses, bytes: this.#answers?.calculatedSize ?? 0 };
  }

  /** The rows, if they were remembered by the same state of `changes`. */
  find(key: string, changes: string): readonly RawRow[] | null {
    if (this.#answers === null) return null;
    const known = this.#answers.get(key);
    if (known?.changes === changes) {
      this.#hits++;
      return known.rows;
    }
    this.#misses++;
    return null;
  }

  /** `changes`: taken before the rows were read. */
  remember(key: string, changes: string, rows: readonly RawRow[]): void {
    this.#answers?.set(key, { changes, rows });
  }
}

/** Equal for queries that have equal answers over the same events. */
export function answerKey({ sql, params }: CompiledQuery, reach: EventReach): string {
  // The statement stands last as it is: quoting a long text costs more than all the rest.
  return JSON.stringify([params, reach]) + sql;
}

/** About the bytes in memory. */
function sizeOf(rows: readonly RawRow[]): number {
  let bytes = ROW_BYTES;
  for (const row of rows) {
    bytes += ROW_BYTES;
    for (const value of Object.values(row))
      bytes += VALUE_BYTES + (typeof value === 'string' ? CHARACTER_BYTES * value.length : 0);
  }
  return bytes;
}
