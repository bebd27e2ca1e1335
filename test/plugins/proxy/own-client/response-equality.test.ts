/** What the gateway's own client reads, beside what Node's parser reads; the soak sends more. */
import { describeResponses } from '../../../support/response-equality.ts';

describeResponses(2_000);
