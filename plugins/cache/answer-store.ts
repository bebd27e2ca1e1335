/** Kept answers in bounded memory: found by key and headers, dropped when they are old, and when their address was written to. */
import { LRUCache } from 'lru-cache';
import { atMost } from '../../services/shared/caches/at-most.ts';
import type { KeptAnswer } from '../kit/kept-answer.ts';
import type { Lifetime } from './cache-control.ts';

/** Rough cost of an entry besides its texts and its body, in bytes. */
const ENTRY_BYTES = 1_000;
/** Rough cost of what is noted of one key or address, which are digests. */
const NOTE_BYTES = 250;
const MOST_NOTES = 10_000;
/** Of the memory, the part that each of the two sorts of notes may take. */
const NOTES_SHARE = 1 / 16;

export interface StoredAnswer {
  readonly answer: KeptAnswer;
  readonly lifetime: Lifetime;
  /** Null: it has none. */
  readonly etag: string | null;
  /** The address that it answers. */
  readonly address: string;
  readonly storedAtMs: number;
  /** Whether somebody asks for it anew at this moment. */
  isRenewed: boolean;
}

/** Stands under a key whose answers depend on headers. */
class Varies {
  readonly names: readonly string[];
  constructor(names: readonly string[]) {
    this.names = names;
  }
}

export class AnswerStore {
  /** How many keys whoever uses the store may note beside it. */
  readonly mostNotes: number;
  readonly #kept: LRUCache<string, StoredAnswer | Varies>;
  /** When an address was last written to; one that is forgotten counts for all. */
  readonly #writtenAtMs: LRUCache<string, number>;
  #allWrittenAtMs = Number.NEGATIVE_INFINITY;
  #clears = 0;

  /** `maxBytes`: of the answers, and of all notes. */
  constructor(maxBytes: number) {
    this.mostNotes = Math.min(MOST_NOTES, Math.floor((maxBytes * NOTES_SHARE) / NOTE_BYTES));
    this.#kept = new LRUCache({
      maxSize: maxBytes - 2 * this.mostNotes * NOTE_BYTES,
      sizeCalculation: bytesOf,
    });
    this.#writtenAtMs = new LRUCache({
      ...atMost(this.mostNotes),
      dispose: (atMs, _address, reason) => {
        if (reason === 'evict') this.#allWrittenAtMs = Math.max(this.#allWrittenAtMs, atMs);
      },
    });
  }

  /** How often everything was forgotten: an answer that was asked for before must not be kept after. */
  get clears(): number {
    return this.#clears;
  }

  get bytes(): number {
    return this.#kept.calculatedSize;
  }

  variesOf(key: string): readonly string[] {
    const found = this.#kept.get(key);
    return found instanceof Varies ? found.names : [];
  }

  get(key: string): StoredAnswer | null {
    const found = this.#kept.get(key);
    if (found === undefined || found instanceof Varies) return null;
    if (!this.wasWritten(found.address, found.storedAtMs)) return found;
    this.#kept.delete(key);
    return null;
  }

  /** Whether a write made answers of this moment old. */
  wasWritten(address: string, atMs: number): boolean {
    return Math.max(this.#writtenAtMs.get(address) ?? Number.NEGATIVE_INFINITY, this.#allWrittenAtMs) >= atMs;
  }

  /** False: it is too large. */
  set(key: string, wholeKey: string, stored: StoredAnswer): boolean {
    this.#kept.set(wholeKey, stored);
    if (!this.#kept.has(wholeKey)) return false;
    if (key !== wholeKey) this.#kept.set(key, new Varies(stored.lifetime.varies));
    return true;
  }

  written(address: string, atMs: number): void {
    this.#writtenAtMs.set(address, atMs);
  }

  clear(): void {
    this.#clears++;
    this.#kept.clear();
  }
}

function bytesOf(kept: StoredAnswer | Varies, key: string): number {
  if (kept instanceof Varies) return ENTRY_BYTES + 2 * (key.length + kept.names.join('').length);
  const { answer, lifetime, address } = kept;
  const texts = [key, address, ...lifetime.varies, ...Object.entries(answer.headers).flat(2)];
  return ENTRY_BYTES + 2 * texts.join('').length + answer.body.length;
}
