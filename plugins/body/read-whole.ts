/** Reads a request body into one buffer, bounded in size, time and number of chunks. */
import type { IncomingMessage } from 'node:http';

/** The body, or why there is none; `left`: the client is gone and no answer is needed. */
export type WholeBody = Buffer | 'too-large' | 'too-slow' | 'crumbs' | 'left';

/** Chunks that any body may come in, and how many bytes each further one must bring on average. */
const FREE_CHUNKS = 1_024;
const BYTES_PER_CHUNK = 32;
const FIRST_BYTES = 65_536;

/** Calls `done` exactly once. `length` is the declared one, null for chunked bodies. */
export function readWhole(
  req: IncomingMessage,
  length: number | null,
  maxBytes: number,
  timeoutMs: number,
  done: (result: WholeBody) => void,
): void {
  let first: Buffer | null = null;
  let whole: Buffer | null = null;
  let bytes = 0;
  let chunks = 0;
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
    chunks++;
    if (bytes + chunk.length > maxBytes) finish('too-large');
    else if (chunks > FREE_CHUNKS && bytes < (chunks - FREE_CHUNKS) * BYTES_PER_CHUNK) finish('crumbs');
    else {
      if (first === null) first = chunk;
      else whole = append(whole ?? startWith(first), bytes, chunk);
      bytes += chunk.length;
    }
  }
  function startWith(chunk: Buffer): Buffer {
    return append(Buffer.allocUnsafe(length ?? FIRST_BYTES), 0, chunk);
  }
  function onEnd(): void {
    finish(whole === null ? (first ?? Buffer.alloc(0)) : whole.subarray(0, bytes));
  }
  function onClose(): void {
    finish('left');
  }

  req.on('data', onData);
  req.on('end', onEnd);
  req.on('close', onClose);
}

/** `chunk` copied behind the first `used` bytes of `buffer`, which doubles when it is full: small chunks leave no objects. */
function append(buffer: Buffer, used: number, chunk: Buffer): Buffer {
  let target = buffer;
  if (used + chunk.length > buffer.length) {
    target = Buffer.allocUnsafe(Math.max(buffer.length * 2, used + chunk.length));
    buffer.copy(target, 0, 0, used);
  }
  chunk.copy(target, used);
  return target;
}
