/** The names by which a query call says what it is about; the query service reads them, and the gateway to balance. */
import type { ParsedQuery } from './named-website.ts';

/** The spellings of each selector, in the query string and in a request object alike. */
export const SELECTOR_SPELLINGS = {
  linkId: ['link_id', 'linkId'],
  websiteId: ['website_id', 'websiteId'],
  organizationId: ['organization_id', 'organizationId'],
} as const;

/** Longest value of a selector, in UTF-16 units. */
export const LONGEST_SELECTOR = 256;

/**
 * The only website that a query call names; null when it names none, several, or no valid one. Each object of a batch has its
 * own website, or that of the query string. `body`: the parsed body, undefined where nobody parsed it.
 */
export function queriedWebsite(query: ParsedQuery, body: unknown): string | null {
  const common = websiteIn(query);
  if (common === null) return null;
  const objects = Array.isArray(body) ? body : [body];
  let only: string | undefined;
  for (const object of objects.length === 0 ? [undefined] : objects) {
    const own = isObject(object) ? websiteIn(object) : undefined;
    const website = own === undefined ? common : own;
    if (website === undefined || website === null) return null;
    if (only !== undefined && website !== only) return null;
    only = website;
  }
  return only ?? null;
}

/** Undefined: none is named; null: what is named is no single website. */
function websiteIn(source: Readonly<Record<string, unknown>>): string | null | undefined {
  let named: string | undefined;
  for (const spelling of SELECTOR_SPELLINGS.websiteId) {
    const value = Object.hasOwn(source, spelling) ? source[spelling] : undefined;
    if (value === undefined) continue;
    if (typeof value !== 'string' || value === '' || value.length > LONGEST_SELECTOR) return null;
    if (named !== undefined && named !== value) return null;
    named = value;
  }
  return named;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
