/** The form of a short link's slug: one place for those who make links, follow them and route to them (contract.md section 7). */

/** As text of a regular expression without anchors, as `parameterPattern` of the gateway's configuration has it. */
export const SLUG_PATTERN = '[A-Za-z0-9_-]{3,50}';

const WHOLE = new RegExp(`^${SLUG_PATTERN}$`);

/** Whether `text` may be a slug; upper and lower case are different slugs. */
export function isSlug(text: string): boolean {
  return WHOLE.test(text);
}
