/** The body for the service: what was read whole, else the client's stream, cut where it exceeds its bound. */
import { type Readable, Transform } from 'node:stream';
import { payloadTooLarge } from '../../services/shared/errors/payload-too-large.ts';
import { drainBody } from '../kit/drain-body.ts';
import type { GatewayRequest } from '../kit/request-context.ts';

/** Whether the method changes nothing. */
export function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** What was read whole, else the stream itself if there is one. */
export function bodyOf(req: GatewayRequest): Buffer | Readable | null {
  const { body } = req.context;
  if (body !== null) return body;
  if (isSafe(req.method)) return null;
  const { headers } = req;
  if (headers['transfer-encoding'] !== undefined) return bounded(req, req.context.streamLimit);
  return (headers['content-length'] ?? '0') === '0' ? null : req;
}

/**
 * The Content-Length with which `body` goes on: as the client announced it, for many backends read no body in chunks. Null where the
 * client announced none; undici knows how long a body is that was read whole.
 */
export function announcedLength(req: GatewayRequest, body: Buffer | Readable | null): string | null {
  if (body !== req || req.headers['transfer-encoding'] !== undefined) return null;
  return req.headers['content-length'] ?? null;
}

/**
 * A body of unannounced length, cut with 413 where it exceeds what the body policy allows. The client's own stream outlives
 * it: what nobody reads any more is read and dropped, so that the connection can carry the next request. A pipeline would
 * take the connection from the stream, and leave it paused.
 */
function bounded(req: GatewayRequest, maxBytes: number | null): Readable {
  if (maxBytes === null) return req;
  let bytes = 0;
  const limit = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > maxBytes) done(payloadTooLarge(maxBytes));
      else done(null, chunk);
    },
  });
  // Whoever reads it learns of its fault; but while the request waits for its turn, nobody does.
  limit.on('error', () => {});
  req.once('close', () => {
    if (!req.complete) limit.destroy(new Error('the client left'));
  });
  req.once('error', (fault) => limit.destroy(fault));
  limit.once('close', () => {
    req.unpipe(limit);
    if (!req.readableEnded && !req.destroyed) drainBody(req);
  });
  return req.pipe(limit);
}
