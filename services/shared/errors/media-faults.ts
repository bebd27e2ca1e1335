/** The errors for request bodies of a type that nobody reads: what came, and what is allowed. */
import { ApiError } from './api-error.ts';

/** For a media type or charset that is not read; `came` is the Content-Type. */
export function wrongType(came: string, allowed: readonly string[]): ApiError {
  return new ApiError('UNSUPPORTED_MEDIA_TYPE', {
    text: `The body came as ${shownHeader(came)}; allowed: ${allowed.join(' or ')}, in UTF-8.`,
  });
}

/** For a Content-Encoding that is not read. */
export function wrongEncoding(came: string): ApiError {
  return new ApiError('UNSUPPORTED_MEDIA_TYPE', {
    text: `The body came with Content-Encoding ${shownHeader(came)}; allowed: gzip, deflate, br, or none.`,
  });
}

/** Longest text that is repeated, in characters. */
const MAX_SHOWN = 80;

/** In quotes; cut when longer, with `?` for anything but printable ASCII. */
function shownHeader(value: string): string {
  const plain = value
    .slice(0, MAX_SHOWN)
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .replaceAll('"', "'");
  return `"${plain}${value.length > MAX_SHOWN ? '…' : ''}"`;
}
