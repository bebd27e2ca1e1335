/** Decides in one process while the shared store is away: from its last known counts, and never more than a limit in all. */
import type { Clock } from '../ports/clock.ts';
import type { LimitDecision, LimitState, LimitUse } from '../ports/counter-store.ts';
import { MemoryCounterStore } from '../storage/memory/memory-counter-store.ts';
import { NOTHING_PASSES } from './nothing-passes.ts';

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

  /** Counts in all `uses` or in none; each state is the stricter of both counts. */
  decide(subject: string, uses: readonly LimitUse[]): LimitDecision {
    const own = this.#ask(subject, uses);
    const known = this.#lastKnown.decide(subject, refuses(own, uses) ? [...uses, NOTHING_PASSES] : uses);
    if (!known.admitted) return joined(uses, known, own);
    for (const { windowMs } of uses) {
      this.#ownEndsAtMs = Math.max(this.#ownEndsAtMs, known.nowMs + windowMs);
    }
    return joined(uses, known, this.#own.decide(subject, uses));
  }

  /**
   * What the store refused, and until when it would be refused here too: it may be lost again before the caller is back,
   * who then waited for nothing.
   */
  withOwn(subject: string, uses: readonly LimitUse[], decision: LimitDecision): LimitDecision {
    if (this.#ownEndsAtMs === 0 || !refuses(decision, uses)) return decision;
    return joined(uses, decision, this.#ask(subject, uses));
  }

  /** How `#own` would decide, counting nothing. */
  #ask(subject: string, uses: readonly LimitUse[]): LimitDecision {
    return this.#own.decide(subject, [...uses, NOTHING_PASSES]);
  }

  /** Drops what was admitted here once all its windows are over; to be called now and then while the store answers. */
  dropEnded(): void {
    if (this.#ownEndsAtMs === 0 || this.#clock.now() < this.#ownEndsAtMs) return;
    this.#own = new MemoryCounterStore(this.#clock);
    this.#ownEndsAtMs = 0;
  }
}

/** Whether one of these limits is violated, {@link NOTHING_PASSES} aside. */
function refuses({ states }: LimitDecision, uses: readonly LimitUse[]): boolean {
  return uses.some((use, index) => use !== NOTHING_PASSES && states[index]?.violated === true);
}

/** Violated where either is, until both let it pass; the instants are those of `first`, whose clock may differ. */
function joined(uses: readonly LimitUse[], first: LimitDecision, second: LimitDecision): LimitDecision {
  const apartMs = first.nowMs - second.nowMs;
  const states = uses.map(({ limit }, index) => {
    const [one, other] = [first.states[index] as LimitState, second.states[index] as LimitState];
    const violated = one.violated || other.violated;
    const resets = [one, other].map((state, place) =>
      violated && !state.violated ? 0 : state.resetAtMs + place * apartMs,
    );
    const remaining = Math.min(one.remaining, other.remaining);
    return { limit, remaining: violated ? 0 : remaining, resetAtMs: Math.max(...resets), violated };
  });
  return { admitted: first.admitted && second.admitted, states, nowMs: first.nowMs };
}
