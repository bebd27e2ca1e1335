/** Starts what distributed suites share before the first of them, and ends it after the last: for mocha's --require. */
import { closeShared, startShared } from './start-distributed-tidegate.ts';

/** How long the start may take on a busy machine, in milliseconds. */
const START_MS = 240_000;

export const mochaHooks = {
  async beforeAll(this: { timeout(ms: number): void }) {
    this.timeout(START_MS);
    await startShared();
  },
  async afterAll(this: { timeout(ms: number): void }) {
    this.timeout(START_MS);
    await closeShared();
  },
};
