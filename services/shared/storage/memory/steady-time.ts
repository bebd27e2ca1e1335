/** Time that never runs backwards, over a clock that may be set back: windows then last as long as they should. */
import type { Clock } from '../../ports/clock.ts';

/**
 * A step back counts as no time having passed, so it extends nothing that is measured here; a step forward cannot be
 * distinguished from time that passed.
 */
export class SteadyTime {
  readonly #clock: Pick<Clock, 'now'>;
  #lastMs = Number.NEGATIVE_INFINITY;
  #aheadMs = 0;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Milliseconds that never decrease: the clock's reading plus all steps back. */
  now(): number {
    const nowMs = this.#clock.now();
    if (nowMs < this.#lastMs) this.#aheadMs += this.#lastMs - nowMs;
    this.#lastMs = nowMs;
    return nowMs + this.#aheadMs;
  }

  /** The clock's reading for a steady instant. */
  onClock(steadyMs: number): number {
    return steadyMs - this.#aheadMs;
  }
}
