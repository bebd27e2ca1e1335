/** Parses text that may be a URL; the one place that does, since the platform's own check is unreliable. */

/**
 * The URL, or null when `text` is not one. `URL.canParse` is not used: on Node 20 it refuses valid URLs with letters
 * such as `ü` after some thousand calls, when its optimized form reads them as UTF-8.
 */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
