/** Time that stands still until a test moves it. */
import type { Clock } from '../../../services/shared/ports/clock.ts';

/** The default: the first of January 2026, noon, UTC. */
const NOON_MS = Date.UTC(2026, 0, 1, 12);

export class TestClock implements Clock {
  #nowMs: number;

  /** `start`: milliseconds since the epoch, or ISO 8601. */
  constructor(start: number | string = NOON_MS) {
    this.#nowMs = typeof start === 'number' ? start : Date.parse(start);
  }

  now(): number {
    return this.#nowMs;
  }

  /** Lets this many milliseconds pass; a negative number sets the clock back. */
  advance(milliseconds: number): void {
    this.#nowMs += milliseconds;
  }
}
