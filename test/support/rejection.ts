/** What a promise was rejected with, so that a test can look at it. */

/** The error of `promise`; fails when it resolves. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  const outcome = await promise.then(
    (value) => ({ resolvedWith: value }),
    (error: unknown) => ({ error }),
  );
  if ('error' in outcome) return outcome.error;
  throw new Error(`expected a rejection, got ${JSON.stringify(outcome.resolvedWith)}`);
}
