/** The gateway answers as its description says, whatever is asked: a bounded run, the same requests each time. */
import { fuzzSuite } from '../fuzz/fuzz-suite.ts';

describe('the API under fuzzing by its own description', () => {
  fuzzSuite({ examples: 5, seed: null, coversAll: false, atLeast: 150, timeoutMs: 420_000 });
});
