/** Tells which targets of links may be links here, too: a target is what a visitor's browser sent. */

/** The address, if it leads to a page on the web; undefined: it is shown as text alone. */
export function webAddress(href: string): string | undefined {
  if (!/^https?:\/\//i.test(href)) return undefined;
  try {
    const { protocol } = new URL(href);
    return protocol === 'https:' || protocol === 'http:' ? href : undefined;
  } catch {
    return undefined;
  }
}
