/** Decides in one process while the shared store is unavailable: from its last known counts, and never more than a limit in total. */

import { NOTHING_PASSES } from '../../../plugins/kit/nothing-passes.ts';
import type { Clock } from '../../../services/shared/ports/clock.ts';
import type { LimitDecision, LimitState, LimitUse } from '../../../services/shared/ports/counter-store.ts';
import { MemoryCounterStore } from '../../../services/shared/storage/memory/memory-counter-store.ts';
import { windowLengthMs } from '../../../services/shared/storage/window-length.ts';

export class LocalDecisions {
  readonly #lastKnown: MemoryCounterStore;
  readonly #clock: Clock;
  /**
   * Requests admitted by this process alone. A store that comes and goes does not know them, so its counts, copied each
   * time, would allow the full limit once per loss.
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
    for (const use of uses) {
      this.#ownEndsAtMs = Math.max(this.#ownEndsAtMs, known.nowMs + windowLengthMs(use, known.nowMs));
    }
    return joined(uses, known, this.#own.decide(subject, uses));
  }

  /**
   * Requests the store refused, and until when they would be refused here too: the store may be lost again before the
   * caller returns, who would then have waited in vain.
   */
  withOwn(subject: string, uses: readonly LimitUse[], decision: LimitDecision): LimitDecision {
    if (this.#ownEndsAtMs === 0 || !refuses(decision, uses)) return decision;
    return joined(uses, decision, this.#ask(subject, uses));
  }

  /** The decision `#own` would make, counting nothing. */
  #ask(subject: string, uses: readonly LimitUse[]): LimitDecision {
    return this.#own.decide(subject, [...uses, NOTHING_PASSES]);
  }

  /** Drops what was admitted here once all its windows are over; to be called from time to time while the store answers. */
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

/** Whether the limit refused, or would have refused if it were not in shadow. */
function exceeded({ violated, shadowed }: LimitState): boolean {
  return violated || shadowed === true;
}

/** Violated if either is, until both admit it; the instants are those of `first`, whose clock may differ. */
function joined(uses: readonly LimitUse[], first: LimitDecision, second: LimitDecision): LimitDecision {
  const apartMs = first.nowMs - second.nowMs;
  const states = uses.map(({ limit, shadow }, index): LimitState => {
    const [one, other] = [first.states[index] as LimitState, second.states[index] as LimitState];
    const isExceeded = exceeded(one) || exceeded(other);
    const resets = [one, other].map((state, place) =>
      isExceeded && !exceeded(state) ? 0 : state.resetAtMs + place * apartMs,
    );
    const remaining = isExceeded ? 0 : Math.min(one.remaining, other.remaining);
    const joint = { limit, remaining, resetAtMs: Math.max(...resets) };
    return shadow && isExceeded
      ? { ...joint, violated: false, shadowed: true }
      : { ...joint, violated: isExceeded };
  });
  return { admitted: first.admitted && second.admitted, states, nowMs: first.nowMs };
}
