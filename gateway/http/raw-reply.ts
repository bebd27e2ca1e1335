/** Answers on the bare socket: what the HTTP parser refuses has no response object, yet gets the same JSON and headers. */
import type { Duplex } from 'node:stream';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import type { ErrorKind } from '../../services/shared/errors/catalogue.ts';
import { errorBody } from '../../services/shared/errors/error-body.ts';
import type { ShownLimit } from '../../services/shared/rate-limit/shown-limit.ts';
import { MAX_TARGET_BYTES } from './limits.ts';

/** The whole response as text; the connection closes behind it. */
export function rawReply(error: ApiError, requestId: string, shown: ShownLimit): string {
  const body = JSON.stringify(errorBody(error, requestId));
  return [
    `HTTP/1.1 ${error.status} ${error.code}`,
    `Date: ${new Date().toUTCString()}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    `X-RateLimit-Limit: ${shown.limit}`,
    `X-RateLimit-Remaining: ${shown.remaining}`,
    `X-RateLimit-Reset: ${shown.resetSeconds}`,
    ...Object.entries(error.headers).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n');
}

/** Node's parser faults in our words; null when the socket is simply gone. */
export function parserFault(fault: NodeJS.ErrnoException): ApiError | null {
  const code = fault.code ?? '';
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new ApiError(isLongTarget(fault) ? 'URI_TOO_LONG' : 'HEADERS_TOO_LARGE', { cause: fault });
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ApiError('REQUEST_TIMEOUT', { cause: fault });
  if (code.startsWith('HPE_')) return malformed(code === 'HPE_INVALID_METHOD' ? 'method' : 'request', fault);
  return null;
}

/** Whether the request line alone filled the header section: what the parser read holds no end of line. */
function isLongTarget(fault: NodeJS.ErrnoException & { rawPacket?: Buffer }): boolean {
  const packet = fault.rawPacket;
  if (packet === undefined) return false;
  const end = packet.indexOf('\n');
  return end === -1 || end > MAX_TARGET_BYTES;
}

/** A request that is not HTTP as we take it. */
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

/** Writes and closes, unless an answer already began on this socket: then it is cut, lest two answers mix. */
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
