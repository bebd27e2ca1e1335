/** Ends what distributed suites shared, for mocha's --require. */
import { closeShared } from './start-distributed-tidegate.ts';

export const mochaHooks = {
  afterAll: () => closeShared(),
};
