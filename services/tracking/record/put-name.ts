/** Puts the name of an event into the record; other clients' names for a pageview become one (contract.md section 6). */
import type { Website } from '../../shared/model/website.ts';

/** The name of a pageview. */
export const PAGEVIEW = 'screen_view';

/** Names under which other clients send pageviews. */
export const PAGEVIEW_ALIASES: ReadonlySet<string> = new Set(['pageview', 'page_view', '$pageview']);

/** A website's settings for names; absent: the defaults apply. */
export type NamingWebsite = Partial<Pick<Website, 'settings'>>;

/**
 * The column event_name. An alias of the pageview with a path is one, unless the website's setting `pageviewAliases` is
 * false; without a path it is a custom event like any other.
 */
export function putName(name: string, path: string | null, website: NamingWebsite | null): string {
  if (path === null || !PAGEVIEW_ALIASES.has(name)) return name;
  return website?.settings?.pageviewAliases === false ? name : PAGEVIEW;
}
