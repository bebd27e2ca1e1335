/** On which engines of events a test run tries the suites of queries, told by its environment. */

/** Names the variable; its values are those of {@link triesEngine}. Absent: all engines. */
export const ENGINE_VARIABLE = 'TIDEGATE_TEST_ENGINE';

export function triesEngine(name: 'duckdb' | 'mongodb'): boolean {
  return [undefined, '', name].includes(process.env[ENGINE_VARIABLE]);
}
