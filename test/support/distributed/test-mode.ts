/** Which servers a test run starts, told by its environment: embedded ones, or separate processes over MongoDB and Redis. */

/** Names the variable, and its value for separate processes. */
export const MODE_VARIABLE = 'TIDEGATE_TEST_MODE';
export const DISTRIBUTED = 'distributed';

/** Whether suites get separate processes from `startTidegate`. */
export function isDistributedRun(): boolean {
  return process.env[MODE_VARIABLE] === DISTRIBUTED;
}
