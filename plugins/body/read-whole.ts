/** Reads a request body into one buffer, bounded in size and time. */
import type { IncomingMessage } from 'node:http';

/** The body, or why there is none; `left`: the client is gone and no answer is needed. */
export type WholeBody = Buffer | 'too-large' | 'too-slow' | 'left';

/** Calls `done` exactly once. `length` is the declared one, null for chunked bodies. */
export function readWhole(
  req: IncomingMessage,
  length: number | null,
  maxBytes: number,
  timeoutMs: number,
  done: (result: WholeBody) => void,
): void {
  let first: Buffer | null = null;
  let chunks: Buffer[] | null = null;
  let bytes = 0;
  const timer = setTimeout(() => finish('too-slow'), timeoutMs);

  function finish(result: WholeBody): void {
    clearTimeout(timer);
    req.off('data', onData);
    req.off('end', onEnd);
    req.off('close', onClose);
    if (!req.complete) req.resume();
    done(result);
  }
  function onData(chunk: Buffer): void {
    bytes += chunk.length;
    if (bytes > maxBytes) finish('too-large');
    else if (first === null) first = chunk;
    else if (chunks === null) chunks = [first, chunk];
    else chunks.push(chunk);
  }
  function onEnd(): void {
    if (chunks !== null) finish(Buffer.concat(chunks, bytes));
    else finish(first ?? Buffer.alloc(0));
  }
  function onClose(): void {
    finish('left');
  }

  if (length !== null && length > maxBytes) {
    finish('too-large');
    return;
  }
  req.on('data', onData);
  req.on('end', onEnd);
  req.on('close', onClose);
}
