/** The kit's test clock, set to a day that the tests' data fits. */
import { TestClock } from '../../plugins/kit/testing/test-clock.ts';

export type { TestClock };

/** A clock at `start` (milliseconds since the epoch or ISO 8601); by default the middle of a summer day. */
export function createTestClock(start: number | string = '2026-07-15T12:00:00.000Z'): TestClock {
  return new TestClock(start);
}
