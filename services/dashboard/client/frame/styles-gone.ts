/** A style sheet of another version is gone, as a script may be while one version replaces another: the page is loaded again then. */

/** What the script of the gateway sets on the document's root while the page is about to be loaded again (plugins/pages). */
const RELOADING = 'reloading';

/**
 * Whether the page is about to be loaded again for its style sheet. The gateway answers a script of a hashed name that it does not have by
 * the one that loads the page again, three times at most; so the script is asked for that the style sheet would be.
 */
export async function areStylesGone(): Promise<boolean> {
  const link = document.querySelector<HTMLLinkElement>('link[rel=stylesheet]');
  if (!link || hasRules(link)) return false;
  await import(link.href.replace(/\.css$/, '.js')).catch(() => {});
  return document.documentElement.dataset.newVersion === RELOADING;
}

/** A sheet that was refused may be there too, without a rule, or with rules that nobody may read. */
function hasRules({ sheet }: HTMLLinkElement): boolean {
  try {
    return sheet !== null && sheet.cssRules.length > 0;
  } catch {
    return false;
  }
}
