/** Which servers a test run starts, told by its environment: embedded ones, or separate processes over MongoDB and Redis. */

/** Names the variable, and its value for separate processes. */
export const MODE_VARIABLE = 'TIDEGATE_TEST_MODE';
export const DISTRIBUTED = 'distributed';

/** Whether suites get separate processes from `startTidegate`. */
export function isDistributedRun(): boolean {
  return process.env[MODE_VARIABLE] === DISTRIBUTED;
}

/** Names the variable that says what answers queries of separate processes, as MONGODB_QUERIES does. */
export const QUERIES_VARIABLE = 'TIDEGATE_TEST_QUERIES';

/** Settings of all separate processes of the run. */
export function settingsOfRun(): Readonly<Record<string, string>> {
  const queries = process.env[QUERIES_VARIABLE];
  return queries ? { MONGODB_QUERIES: queries } : {};
}
