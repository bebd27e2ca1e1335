/** Writes down what was gathered in memory now and then, one write after the other, away from the requests that gathered it. */

export interface WriteBehind {
  /** Writes now, behind a write that is under way. Never rejects. */
  flush(): Promise<void>;
  /** Ends the timer and writes the rest. Never rejects. */
  close(): Promise<void>;
}

/** Calls `write`, which must not reject, every so many milliseconds; the timer keeps no process alive. */
export function createWriteBehind(write: () => Promise<void>, everyMs: number): WriteBehind {
  let underWay = Promise.resolve();

  function flush(): Promise<void> {
    underWay = underWay.then(write);
    return underWay;
  }

  const timer = setInterval(flush, everyMs);
  timer.unref();
  return {
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
