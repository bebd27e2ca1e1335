/** A map that forgets: bounded in size and in age at constant cost, for values that are cached for a few seconds. */
import type { Clock } from '../../services/shared/ports/clock.ts';

/**
 * Two maps, the younger of which receives new entries. When it is full or too old it becomes the older one, and the
 * previous older one is dropped whole. Holds at most twice `size` entries, the latest `size` among them.
 */
export class BoundedMap<V> {
  readonly #size: number;
  readonly #lifeMs: number;
  readonly #clock: Clock;
  #young = new Map<string, V>();
  #old = new Map<string, V>();
  #bornAtMs: number;

  constructor(size: number, lifeMs: number, clock: Clock) {
    this.#size = size;
    this.#lifeMs = lifeMs;
    this.#clock = clock;
    this.#bornAtMs = clock.now();
  }

  /** How many entries it holds. */
  get held(): number {
    return this.#young.size + this.#old.size;
  }

  get(key: string): V | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  set(key: string, value: V): void {
    const now = this.#clock.now();
    if (this.#young.size >= this.#size || now - this.#bornAtMs >= this.#lifeMs) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#bornAtMs = now;
    }
    this.#young.set(key, value);
  }

  delete(key: string): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  /** Removes each entry for which `drop` returns true. */
  deleteWhere(drop: (value: V) => boolean): void {
    for (const map of [this.#young, this.#old]) {
      for (const [key, value] of map) if (drop(value)) map.delete(key);
    }
  }

  clear(): void {
    this.#young = new Map();
    this.#old = new Map();
  }
}
