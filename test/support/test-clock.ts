/** A clock that stands until a test moves it. */
import type { Clock } from '../../services/shared/ports/clock.ts';

export interface TestClock extends Clock {
  /** Moves the clock forward. */
  advance(milliseconds: number): void;
}

/** A clock standing at `start` (ISO 8601). */
export function createTestClock(start = '2026-03-01T12:00:00.000Z'): TestClock {
  let now = Date.parse(start);
  return {
    now: () => now,
    advance(milliseconds) {
      now += milliseconds;
    },
  };
}
