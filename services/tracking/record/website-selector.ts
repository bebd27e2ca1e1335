/** How a request names the website of events that name none: in the query string or by a header. */
import { z } from 'zod';
import { LONGEST_WEBSITE_ID, type WEBSITE_SELECTORS } from '../../shared/access/named-website.ts';
import { filledIdentifier, received } from './wire-fields.ts';

/** A repeated parameter is an array. */
const words = (input: unknown) => (Array.isArray(input) ? 'a repeated parameter' : received(input));
const selector = filledIdentifier(LONGEST_WEBSITE_ID, words).optional();

/** The selectors of the query string; the first one present counts. */
export const websiteSelectorSchema = z.object({
  website_id: selector.describe('Website of the events that name none.'),
  websiteId: selector.describe('The same as website_id.'),
  client_id: selector.describe('The same as website_id.'),
} satisfies Record<(typeof WEBSITE_SELECTORS)[number], z.ZodType>);
export type WebsiteSelector = z.infer<typeof websiteSelectorSchema>;
