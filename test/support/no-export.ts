/** For administrations of tests that export nothing. */

export function noExport(): Promise<never> {
  return Promise.reject(new Error('this test exports nothing'));
}
