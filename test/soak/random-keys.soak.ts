/** A million random keys, malformed and well-formed: the long form of what the suite runs with twenty thousand. */
import { describeRandomKeys } from '../support/random-keys.ts';

describeRandomKeys(1_000_000);
