/** Twenty thousand random keys, malformed and well-formed: the short form of `npm run soak`. */
import { describeRandomKeys } from '../../support/random-keys.ts';

describeRandomKeys(20_000);
