/** Validates the request line and framing headers before routing. */
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../../../services/shared/errors/api-error.ts';
import { MAX_TARGET_BYTES } from './limits.ts';
import { malformed } from './raw-reply.ts';

const ABSOLUTE_FORM = /^https?:\/\/[^/?#]*/i;

/** Why this request cannot be answered, or null. */
export function framingFault(req: IncomingMessage): ApiError | null {
  const url = req.url ?? '';
  if (url.length > MAX_TARGET_BYTES) return new ApiError('URI_TOO_LONG');
  // A target has no fragment (RFC 9112, 3.2): some parsers read what follows as query string, others ignore it.
  if (url.includes('#')) {
    return malformed('url', undefined, 'The address has a "#"; send it without the fragment, or write %23.');
  }
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

/** The target in origin form: an absolute form, as sent to a proxy, loses scheme and host (RFC 9112, 3.2.2). */
export function originForm(url: string): string {
  if (url.startsWith('/')) return url;
  const rest = url.replace(ABSOLUTE_FORM, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}
