/** Parses text that may be a URL; the one place that does, as the platform's own check cannot be relied on. */

/**
 * The URL, or null when `text` is none. Not by `URL.canParse`: on Node 20 that refuses valid URLs with letters such as `ü`
 * once it was called some thousand times and its optimized form reads them as UTF-8.
 */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
