/** The host of a URL, by one pattern that works in every event engine. */

/** Its first group is the host of an absolute URL. */
export const HOST_PATTERN = '^[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#@]*@)?([^/?#:]+)';

const HOST = new RegExp(HOST_PATTERN);

/** The host, or '' when the text is not an absolute URL. */
export function hostOf(url: string): string {
  return HOST.exec(url)?.[1] ?? '';
}
