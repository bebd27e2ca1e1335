/** Splits the page of an event into host, path and query string, and reads the campaign from its query string. */
import { firstValue, parseQuery, type QueryParameters } from '../../shared/http/query-string.ts';
import { cleanText } from '../../shared/text/clean-text.ts';
import type { WireEvent } from './wire-event.ts';

const FULL_URL = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)(.*)$/is;
const LONGEST_CAMPAIGN_VALUE = 256;
/** Longest host name (RFC 1035), without final dot; longer ones cannot exist. */
const LONGEST_HOST = 253;

/** The parts of a page's address. */
export interface Page {
  readonly hostname: string | null;
  readonly path: string | null;
  /** Without the question mark. */
  readonly query_string: string | null;
}

/** The columns of the page, from a full URL or a path; fragment and trailing slash are dropped, the rest is kept as received. */
export function putPage(wirePath: string | null | undefined): Page {
  if (!wirePath) return { hostname: null, path: null, query_string: null };
  const url = FULL_URL.exec(wirePath);
  const [beforeFragment = ''] = (url?.[2] ?? wirePath).split('#', 1);
  const mark = beforeFragment.indexOf('?');
  const path = mark < 0 ? beforeFragment : beforeFragment.slice(0, mark);
  const query = mark < 0 ? '' : beforeFragment.slice(mark + 1);
  return { hostname: url ? hostOf(url[1] ?? '') : null, path: normalPath(path), query_string: query || null };
}

/** The host of a URL's authority in lower case, without user, port and final dot; null if there is none or it is too long. */
export function hostOf(authority: string): string | null {
  const afterUser = authority.slice(authority.lastIndexOf('@') + 1);
  const isNumeric = afterUser.startsWith('[');
  const last = afterUser.indexOf(isNumeric ? ']' : ':');
  const host = last === -1 ? afterUser : afterUser.slice(0, isNumeric ? last + 1 : last);
  const lower = host.toLowerCase();
  const named = lower.endsWith('.') ? lower.slice(0, -1) : lower;
  return named === '' || named.length > LONGEST_HOST ? null : named;
}

function normalPath(path: string): string {
  const rooted = path.startsWith('/') ? path : `/${path}`;
  // Counted, not matched: a pattern for trailing slashes restarts at every slash before them.
  let end = rooted.length;
  while (end > 1 && rooted[end - 1] === '/') end--;
  return rooted.slice(0, end);
}

/** The campaign columns. */
export interface Campaign {
  readonly utm_source: string | null;
  readonly utm_medium: string | null;
  readonly utm_campaign: string | null;
  readonly utm_term: string | null;
  readonly utm_content: string | null;
}

/** The campaign columns: from the event, else from the query string (without question mark) of its URL, cut to their bound. */
export function putCampaign(event: Pick<WireEvent, keyof Campaign>, queryString: string | null): Campaign {
  const fromUrl = queryString?.includes('utm_') ? parseQuery(queryString) : null;
  const given = (column: keyof Campaign) => event[column] || campaignValue(fromUrl, column) || null;
  return {
    utm_source: given('utm_source'),
    utm_medium: given('utm_medium'),
    utm_campaign: given('utm_campaign'),
    utm_term: given('utm_term'),
    utm_content: given('utm_content'),
  };
}

function campaignValue(fromUrl: QueryParameters | null, column: keyof Campaign): string | undefined {
  const value = fromUrl === null ? undefined : firstValue(fromUrl, column);
  return value && cleanText(value.slice(0, LONGEST_CAMPAIGN_VALUE));
}
