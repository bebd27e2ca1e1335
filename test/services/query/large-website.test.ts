/** Funnels, journeys, retention and pages over 200,000 events of a website; `npm run soak` asks the same of ten million. */
import { largeWebsiteTests } from '../../support/query/large-website.ts';

describe('questions about a large website', () => largeWebsiteTests(200_000, 15_000));
