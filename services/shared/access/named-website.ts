/**
 * Which website a request without a credential names. The gateway, which counts the request, and the service, which
 * serves it, read it here.
 */
import { cleanText } from '../text/clean-text.ts';

/** Query parameters that name the website on ingest; the first one present counts. */
export const WEBSITE_SELECTORS = ['website_id', 'websiteId', 'client_id'] as const;
/** The public client's header that names the website when the query string does not. */
export const CLIENT_ID_HEADER = 'databuddy-client-id';
/** Longest identifier of a website, in UTF-16 units. */
export const LONGEST_WEBSITE_ID = 128;

/** The query string as `queryOf` reads it, or as a schema parsed it. */
export type ParsedQuery = Readonly<Record<string, unknown>>;

/**
 * The website that an ingest request names, in the query string first, then in the header; null when it names none, or
 * no valid one.
 */
export function namedWebsite(
  query: ParsedQuery,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): string | null {
  for (const selector of WEBSITE_SELECTORS) {
    if (query[selector] !== undefined) return textOf(query[selector]);
  }
  const header = headers[CLIENT_ID_HEADER];
  return typeof header === 'string' && header !== '' ? header : null;
}

/** The website or organization whose flags a request asks for; null when it names none, or no valid one. */
export function namedFlagsClient(query: ParsedQuery): string | null {
  return textOf(query.clientId);
}

/** A name with several values is not a name. */
function textOf(value: unknown): string | null {
  return typeof value === 'string' ? cleanText(value) : null;
}
