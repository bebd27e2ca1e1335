/** The same with more requests, other ones each time: `npm run fuzz`, ten minutes for each caller. */
import { randomInt } from 'node:crypto';
import { fuzzSuite } from './fuzz-suite.ts';

const seed = randomInt(1_000_000_000);

describe(`the API under long fuzzing, seed ${seed}`, () => {
  // Within the quarter of an hour that the cookie of a session lives.
  fuzzSuite({
    examples: 100,
    seed,
    coversAll: true,
    atLeast: 1_000,
    maxSeconds: 600,
    timeoutMs: 840_000,
  });
});
