/** A hundred thousand random answers through the gateway's own client and Node's parser: the long form of what the suite runs with two thousand. */
import { describeResponses } from '../support/response-equality.ts';

describeResponses(100_000);
