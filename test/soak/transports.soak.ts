/** Ten thousand random requests through both transports: the long form of what the suite runs with a thousand. */
import { describeTransports } from '../support/transports-equality.ts';

describeTransports(10_000);
