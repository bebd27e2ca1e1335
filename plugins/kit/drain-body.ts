/** Reads and drops a body that nobody wants, so that its connection can carry the next request. */
import type { IncomingMessage } from 'node:http';

/** How much of it is read before the connection is cut. */
const DRAINED_BYTES = 8_388_608;
const DRAINED_CHUNKS = 4_096;

/** A client still learns of its refusal while it sends; one that sends endlessly, or in crumbs, is cut off. */
export function drainBody(req: IncomingMessage): void {
  let bytes = 0;
  let chunks = 0;
  req.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    chunks++;
    if (bytes > DRAINED_BYTES || chunks > DRAINED_CHUNKS) req.socket.destroy();
  });
  // It may have been paused for a reader that went.
  req.resume();
}
