/** Funnels, journeys, retention and pages over ten million events of one website. */
import { largeWebsiteTests } from '../support/query/large-website.ts';

describe('questions about a website of ten million events', () => largeWebsiteTests(10_000_000, 60_000));
