/** Waits for what an act makes: a value is read again and again until it is as it must be, and a failure shows the last one. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';

const PAUSE_MS = 25;
/** Shorter than a browser test may take, so that the value is told and not only that time is up. */
const LONGEST_MS = 100_000;

export interface Eventually<T> {
  /** Until it deeply equals `value`. */
  equals(value: T): Promise<void>;
  /** Until the assertion on it holds; the value then. */
  satisfies(assertion: (value: T) => void): Promise<T>;
}

/** Reads until an assertion holds. A read that throws is a read that has to be made again. `what`: said by a failure. */
export function eventually<T>(read: () => T | Promise<T>, what?: string): Eventually<T> {
  async function satisfies(assertion: (value: T) => void): Promise<T> {
    const deadline = performance.now() + LONGEST_MS;
    for (;;) {
      try {
        const value = await read();
        assertion(value);
        return value;
      } catch (fault) {
        if (performance.now() > deadline) throw fault;
      }
      await sleep(PAUSE_MS);
    }
  }
  return {
    satisfies,
    async equals(value) {
      await satisfies((read) => expect(read, what).to.deep.equal(value));
    },
  };
}
