/** How a request names the website of events that name none: in the query string or by a header. */
import { z } from 'zod';
import { LONGEST_WEBSITE_ID } from './wire-event.ts';
import { filledText, received } from './wire-fields.ts';

/** Header of the public client that names the website. */
export const CLIENT_ID_HEADER = 'databuddy-client-id';

/** A parameter that comes twice is an array. */
const words = (input: unknown) => (Array.isArray(input) ? 'a repeated parameter' : received(input));
const selector = filledText(LONGEST_WEBSITE_ID, words).optional();

/** The selectors of the query string; the first that is there counts. */
export const websiteSelectorSchema = z.object({
  website_id: selector.describe('Website of the events that name none.'),
  websiteId: selector.describe('The same as website_id.'),
  client_id: selector.describe('The same as website_id.'),
});
export type WebsiteSelector = z.infer<typeof websiteSelectorSchema>;

/** The website that the request names, the query string before the header; null: none. */
export function selectorOf(
  query: WebsiteSelector,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): string | null {
  const named = query.website_id ?? query.websiteId ?? query.client_id;
  if (named !== undefined) return named;
  const header = headers[CLIENT_ID_HEADER];
  return typeof header === 'string' && header !== '' ? header : null;
}
