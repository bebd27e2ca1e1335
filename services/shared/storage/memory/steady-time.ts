/** Time that never runs backwards, over a clock that may be set back: windows then last as long as they should. */
import type { Clock } from '../../ports/clock.ts';

/**
 * A step back counts as no time having passed, so nothing measured here is prolonged by it; a step forward cannot be
 * told from time that passed.
 */
export class SteadyTime {
  readonly #clock: Clock;
  #lastMs = Number.NEGATIVE_INFINITY;
  #aheadMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds that never decrease: those of the clock, and all steps back. */
  now(): number {
    const nowMs = this.#clock.now();
    if (nowMs < this.#lastMs) this.#aheadMs += this.#lastMs - nowMs;
    this.#lastMs = nowMs;
    return nowMs + this.#aheadMs;
  }

  /** The clock's reading that belongs to a steady instant. */
  onClock(steadyMs: number): number {
    return steadyMs - this.#aheadMs;
  }
}
