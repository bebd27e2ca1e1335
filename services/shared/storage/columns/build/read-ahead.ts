/** Reads the next batch while the one before is worked on: the database and the engine work at the same time. */

/**
 * The same values in the same order; one more than was asked for is held. Who stops early does not wait for the read under
 * way: the source ends behind it.
 */
export async function* readAhead<T>(source: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  const iterator = source[Symbol.asyncIterator]();
  let next = iterator.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = iterator.next();
      // Its fault is heard when its turn comes.
      next.catch(() => undefined);
      yield value;
    }
  } finally {
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}
