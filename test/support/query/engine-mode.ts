/** Over what a test run tries the suites of queries, told by its environment. */

/** Names the variable; its values are those of {@link triesEngine}. Absent: both. */
export const ENGINE_VARIABLE = 'TIDEGATE_TEST_ENGINE';

export function triesEngine(name: 'table' | 'columns'): boolean {
  return [undefined, '', name].includes(process.env[ENGINE_VARIABLE]);
}
