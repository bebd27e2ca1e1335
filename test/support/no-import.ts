/** Stands in for the import of events where a test makes none. */

export function noImport(): Promise<never> {
  return Promise.reject(new Error('no test imports events here'));
}
