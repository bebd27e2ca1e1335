/** The form of a short link's slug, for the code that creates, follows and routes links (contract.md section 7). */

/** The source of a regular expression without anchors, as used by `parameterPattern` in the gateway's configuration. */
export const SLUG_PATTERN = '[A-Za-z0-9_-]{3,50}';

const WHOLE = new RegExp(`^${SLUG_PATTERN}$`);

/** Whether `text` may be a slug; slugs are case-sensitive. */
export function isSlug(text: string): boolean {
  return WHOLE.test(text);
}
