/** The bus of a single process: publishing is calling. */
import type { Bus, Invalidation, InvalidationListener } from '../../ports/bus.ts';

export class MemoryBus implements Bus {
  readonly #listeners = new Set<InvalidationListener>();

  publish(invalidation: Invalidation): void {
    this.publishHere(invalidation);
  }

  publishHere(invalidation: Invalidation): void {
    for (const listener of this.#listeners) listener(invalidation);
  }

  subscribe(listener: InvalidationListener): () => void {
    // A new function each time, so that one listener may subscribe twice and leave once.
    const own: InvalidationListener = (invalidation) => listener(invalidation);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  async close(): Promise<void> {
    this.#listeners.clear();
  }
}
