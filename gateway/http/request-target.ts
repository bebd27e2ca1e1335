/** Judges the request line and framing headers before any route is looked for. */
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import { MAX_TARGET_BYTES } from './limits.ts';
import { malformed } from './raw-reply.ts';

const ABSOLUTE_FORM = /^https?:\/\/[^/?#]*/i;
/**
 * Dot segments, encoded slashes, backslashes, NUL, and unreserved characters that need no encoding (RFC 3986, 2.3): a
 * reader behind us might decode what our table compares as it came.
 */
const AMBIGUOUS =
  /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)|%2f|%5c|\\|%00|%(?:2d|2e|3\d|4[1-9a-f]|5[\da]|5f|6[1-9a-f]|7[\da]|7e)/i;

/** What makes this request unanswerable, or null. */
export function framingFault(req: IncomingMessage): ApiError | null {
  const url = req.url ?? '';
  if (url.length > MAX_TARGET_BYTES) return new ApiError('URI_TOO_LONG');
  const coding = req.headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    return malformed('transfer-encoding', undefined, 'The only Transfer-Encoding is chunked.');
  }
  const hosts = hostLines(req.rawHeaders);
  if (hosts > 1) return malformed('host', undefined, 'The request has more than one Host header.');
  if (hosts === 0 && req.httpVersion === '1.1')
    return malformed('host', undefined, 'The Host header is missing.');
  return null;
}

function hostLines(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count;
}

/** The target in origin form: what a client that thinks of us as its proxy sends loses scheme and host (RFC 9112, 3.2.2). */
export function originForm(url: string): string {
  if (url.startsWith('/')) return url;
  const rest = url.replace(ABSOLUTE_FORM, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** The path of a target, without its query string. */
export function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

/** Whether two readers could take this path for different ones: dot segments, encoded slashes, backslashes. */
export function isAmbiguous(path: string): boolean {
  return AMBIGUOUS.test(path);
}
