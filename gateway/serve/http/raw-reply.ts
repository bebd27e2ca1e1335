/** Answers on the raw socket: a request that the HTTP parser refuses has no response object, yet gets the same JSON and headers. */
import type { Duplex } from 'node:stream';
import type { ShownLimit } from '../../../plugins/kit/shown-limit.ts';
import { ApiError } from '../../../services/shared/errors/api-error.ts';
import type { ErrorKind } from '../../../services/shared/errors/catalogue.ts';
import { errorBody } from '../../../services/shared/errors/error-body.ts';
import { MAX_TARGET_BYTES } from './limits.ts';

/** The whole response as text; the connection closes after it. */
export function rawReply(error: ApiError, requestId: string, shown: ShownLimit): string {
  const body = JSON.stringify(errorBody(error, requestId));
  return [
    `HTTP/1.1 ${error.status} ${error.code}`,
    `Date: ${new Date().toUTCString()}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${requestId}`,
    `X-RateLimit-Limit: ${shown.limit}`,
    `X-RateLimit-Remaining: ${shown.remaining}`,
    `X-RateLimit-Reset: ${shown.resetSeconds}`,
    ...Object.entries(error.headers).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n');
}

/** Node's parser errors as ours; null when the socket is simply gone. */
export function parserFault(fault: NodeJS.ErrnoException): ApiError | null {
  const code = fault.code ?? '';
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new ApiError(isLongTarget(fault) ? 'URI_TOO_LONG' : 'HEADERS_TOO_LARGE', { cause: fault });
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ApiError('REQUEST_TIMEOUT', { cause: fault });
  if (code.startsWith('HPE_')) return malformed(code === 'HPE_INVALID_METHOD' ? 'method' : 'request', fault);
  return null;
}

/** Whether the request line alone filled the header section: the data read has no line ending. */
function isLongTarget(fault: NodeJS.ErrnoException & { rawPacket?: Buffer }): boolean {
  const packet = fault.rawPacket;
  if (packet === undefined) return false;
  const end = packet.indexOf('\n');
  return end === -1 || end > MAX_TARGET_BYTES;
}

/** A request that is not HTTP as we accept it. */
export function malformed(
  field: string,
  cause?: unknown,
  message = 'The HTTP request is malformed.',
): ApiError {
  return new ApiError('VALIDATION_ERROR' satisfies ErrorKind, {
    text: message,
    details: [{ field, message }],
    cause,
  });
}

/** Writes and closes; if an answer already began on this socket, only closes it, so that two answers never mix. */
export function replyAndClose(
  socket: Duplex & { _httpMessage?: { headersSent: boolean } | null },
  text: string,
): void {
  if (!socket.writable || socket._httpMessage?.headersSent) {
    socket.destroy();
    return;
  }
  socket.end(text, () => socket.destroy());
}
