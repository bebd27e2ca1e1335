/** Which website a request without a credential names: read alike by the gateway, which counts it, and by the service, which serves it. */
import { cleanText } from '../text/clean-text.ts';

/** Names under which the query string of ingest names the website; the first that is there counts. */
export const WEBSITE_SELECTORS = ['website_id', 'websiteId', 'client_id'] as const;
/** Header of the public client that names it where the query string does not. */
export const CLIENT_ID_HEADER = 'databuddy-client-id';
/** Longest identifier of a website, in UTF-16 units. */
export const LONGEST_WEBSITE_ID = 128;

/** A query string as node:querystring and Express read it, or what a schema made of that. */
export type ParsedQuery = Readonly<Record<string, unknown>>;

/** The website that a request to ingest names, the query string before the header; null: none, or nothing that is a name. */
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

/** The website or organization whose flags a request asks for; null: none, or nothing that is a name. */
export function namedFlagsClient(query: ParsedQuery): string | null {
  return textOf(query.clientId);
}

/** Several values of one name are no name. */
function textOf(value: unknown): string | null {
  return typeof value === 'string' ? cleanText(value) : null;
}
