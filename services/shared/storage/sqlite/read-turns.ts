/**
 * Slices of long reads, one per turn of the event loop, alternating between tenants: only those who read much have to
 * wait.
 */

/** Gives out turns; a slice is the work between one turn and the next wait. */
export class ReadTurns {
  /** Who waits, by tenant; the first tenant is next. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #isTaken = false;

  /** Resolves when the tenant may read its next slice: at once when nobody has read in this turn of the event loop. */
  async take(organizationId: string): Promise<void> {
    if (!this.#isTaken) {
      this.#isTaken = true;
      setImmediate(() => this.#next());
      return;
    }
    await new Promise<void>((resolve) => {
      const others = this.#waiting.get(organizationId);
      if (others) others.push(resolve);
      else this.#waiting.set(organizationId, [resolve]);
    });
  }

  #next(): void {
    const first = this.#waiting.entries().next();
    if (first.done) {
      this.#isTaken = false;
      return;
    }
    const [organizationId, [begin, ...others]] = first.value;
    this.#waiting.delete(organizationId);
    // Behind the other tenants.
    if (others.length > 0) this.#waiting.set(organizationId, others);
    setImmediate(() => this.#next());
    begin?.();
  }
}

/** How long a slice should take, in milliseconds. */
const SLICE_MS = 0.5;
const FIRST_SLICE = 10;
const LARGEST_SLICE = 100;
/** How much larger the next slice may be than the last. */
const MOST_GROWTH = 4;

/**
 * How many documents the next slice of one read has: few at first, since their size is unknown, then as many as fit the
 * time.
 */
export class SliceSize {
  #documents = FIRST_SLICE;

  get documents(): number {
    return this.#documents;
  }

  /** Runs the work of a slice; its duration decides the size of the next one. */
  measure<R>(work: () => R): R {
    const begun = performance.now();
    try {
      return work();
    } finally {
      const factor = Math.min(MOST_GROWTH, SLICE_MS / (performance.now() - begun));
      this.#documents = Math.min(LARGEST_SLICE, Math.max(1, Math.floor(this.#documents * factor)));
    }
  }
}
