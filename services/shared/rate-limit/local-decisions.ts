/** Decides in one process while the shared store is away: from its last known counts, and never more than a limit in all. */
import type { Clock } from '../ports/clock.ts';
import type { LimitDecision, LimitUse } from '../ports/counter-store.ts';
import { MemoryCounterStore } from '../storage/memory/memory-counter-store.ts';

export class LocalDecisions {
  readonly #lastKnown: MemoryCounterStore;
  readonly #clock: Clock;
  /**
   * What was admitted here alone. A store that comes and goes knows nothing of it, so its counts, taken over each time,
   * would let the limit pass once for each loss.
   */
  #own: MemoryCounterStore;
  /** When the last window of `#own` ends; 0 while it holds nothing. */
  #ownEndsAtMs = 0;

  constructor(lastKnown: MemoryCounterStore, clock: Clock) {
    this.#lastKnown = lastKnown;
    this.#clock = clock;
    this.#own = new MemoryCounterStore(clock);
  }

  /** Counts in all `uses` or in none. */
  decide(subject: string, uses: readonly LimitUse[]): LimitDecision {
    for (const use of uses) {
      // It refuses, then, and counts nothing.
      if (this.#own.peek(subject, use).remaining < use.cost) return this.#own.decide(subject, uses);
    }
    const decision = this.#lastKnown.decide(subject, uses);
    if (!decision.admitted) return decision;
    this.#own.decide(subject, uses);
    for (const { windowMs } of uses) {
      this.#ownEndsAtMs = Math.max(this.#ownEndsAtMs, decision.nowMs + windowMs);
    }
    return decision;
  }

  /** Drops what was admitted here once all its windows are over; to be called now and then while the store answers. */
  dropEnded(): void {
    if (this.#ownEndsAtMs === 0 || this.#clock.now() < this.#ownEndsAtMs) return;
    this.#own = new MemoryCounterStore(this.#clock);
    this.#ownEndsAtMs = 0;
  }
}
