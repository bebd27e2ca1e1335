/** The host of a URL, by one pattern that every engine of events knows. */

/** The host of an absolute URL is its first group. */
export const HOST_PATTERN = '^[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#@]*@)?([^/?#:]+)';

const HOST = new RegExp(HOST_PATTERN);

/** The host, or '' when the text is no absolute URL. */
export function hostOf(url: string): string {
  return HOST.exec(url)?.[1] ?? '';
}
