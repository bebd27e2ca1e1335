/** Periodically writes what was gathered in memory, one write after the other, outside of the requests that gathered it. */

export interface WriteBehind {
  /** Writes now, after a write in progress. Never rejects. */
  flush(): Promise<void>;
  /** Stops the timer and writes the rest. Never rejects. */
  close(): Promise<void>;
}

/** Calls `write`, which must not reject, at this interval in milliseconds; the timer does not keep the process alive. */
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
