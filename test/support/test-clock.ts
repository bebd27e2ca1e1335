/** A clock that stands still until a test moves it. */
import type { Clock } from '../../services/shared/ports/clock.ts';

export interface TestClock extends Clock {
  /** Moves the time forward; by a negative step back, as a clock that is set right. */
  advance(milliseconds: number): void;
}

/** A clock at `start` (milliseconds since the epoch or ISO 8601); by default the middle of a summer day. */
export function createTestClock(start: number | string = '2026-07-15T12:00:00.000Z'): TestClock {
  let now = typeof start === 'number' ? start : Date.parse(start);
  return {
    now: () => now,
    advance: (milliseconds) => {
      now += milliseconds;
    },
  };
}
