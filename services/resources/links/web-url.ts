/** Reads the URLs of short links strictly: what two parsers could read differently is refused, so that no link leads where its text does not. */
import { parseUrl } from '../../shared/text/parse-url.ts';

export const LONGEST_URL = 2_048;

/** Scheme and authority as they stand in the text. */
const ABSOLUTE = /^https?:\/\/([^/?#]+)/i;
/** Browsers drop or turn these silently: white space, control characters, and backslashes, which they read as slashes. */
const SILENTLY_CHANGED = /[\s\p{Cc}\p{Cf}\\]/u;
/** Control characters in percent-encoding, which servers on the way may decode into a new line of a header. */
const ENCODED_CONTROL = /%(?:[01][0-9a-f]|7f)/i;

/**
 * The URL as the WHATWG standard writes it, which is what is stored and sent; null when `text` is no absolute http or https
 * URL, carries credentials, or holds what parsers disagree about.
 */
export function normalWebUrl(text: string): string | null {
  if (text.length > LONGEST_URL || SILENTLY_CHANGED.test(text) || ENCODED_CONTROL.test(text)) return null;
  const authority = ABSOLUTE.exec(text)?.[1];
  // A percent sign in a host is decoded by some; an @ makes what stands before it look like the host.
  const url = parseUrl(text);
  if (authority === undefined || /[@%]/.test(authority) || url === null) return null;
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  if (!isWeb || url.username !== '' || url.password !== '' || url.href.length > LONGEST_URL) return null;
  return url.href;
}
