/** Reads a request body into one buffer, bounded in size, time and number of chunks. */
import type { IncomingMessage } from 'node:http';
import type { ApiError } from '../../services/shared/errors/api-error.ts';
import type { BodyRoom } from './body-room.ts';

/** The body, or why there is none: the answer that `judge` gave, or `left`: the client is gone and needs no answer. */
export type WholeBody = Buffer | ApiError | 'too-large' | 'too-slow' | 'crumbs' | 'no-room' | 'left';

/** A body up to this size, in bytes, is small: its memory is not counted, and all others start with this much. */
export const SMALL_BYTES = 65_536;

/** How many chunks any body may have, and how many bytes each further chunk must bring on average. */
const FREE_CHUNKS = 1_024;
const BYTES_PER_CHUNK = 32;

const refusesNothing = (): null => null;

/**
 * Calls `done` exactly once. `length` is the declared one, null for chunked bodies. It is trusted only as a bound:
 * memory is allocated for what arrived and, above a small body, taken from `room` until `done`. Each time that as much
 * as a small body has arrived, `judge` is asked whether the request is refused already; reading continues meanwhile.
 */
export function readWhole(
  req: IncomingMessage,
  length: number | null,
  maxBytes: number,
  timeoutMs: number,
  room: BodyRoom,
  done: (result: WholeBody) => void,
  judge: (bytes: number) => Promise<ApiError | null> | null = refusesNothing,
): void {
  const most = length ?? maxBytes;
  let first: Buffer | null = null;
  let whole: Buffer | null = null;
  let bytes = 0;
  let chunks = 0;
  let taken = 0;
  let judgedAtBytes = 0;
  let isDone = false;
  const timer = setTimeout(() => finish('too-slow'), timeoutMs);

  function finish(result: WholeBody): void {
    if (isDone) return;
    isDone = true;
    clearTimeout(timer);
    req.off('data', onData);
    req.off('end', onEnd);
    req.off('close', onClose);
    if (!req.complete) req.resume();
    room.give(taken);
    done(result);
  }
  function onData(chunk: Buffer): void {
    chunks++;
    const now = bytes + chunk.length;
    if (now > maxBytes) finish('too-large');
    else if (chunks > FREE_CHUNKS && bytes < (chunks - FREE_CHUNKS) * BYTES_PER_CHUNK) finish('crumbs');
    else if (first === null) {
      first = chunk;
      bytes = now;
    } else {
      const target = fitting(first, now);
      if (target === null) finish('no-room');
      else {
        chunk.copy(target, bytes);
        bytes = now;
      }
    }
    if (bytes - judgedAtBytes >= SMALL_BYTES && !isDone) ask();
  }
  function ask(): void {
    judgedAtBytes = bytes;
    judge(bytes)?.then((refusal) => {
      if (refusal !== null) finish(refusal);
    });
  }
  /**
   * The buffer, with everything that arrived, and space for `needed` bytes: it doubles, so that small chunks leave no
   * objects.
   */
  function fitting(beginning: Buffer, needed: number): Buffer | null {
    if (whole !== null && needed <= whole.length) return whole;
    const before = whole ?? beginning;
    const doubled = whole === null ? SMALL_BYTES : whole.length * 2;
    const capacity = Math.max(needed, Math.min(doubled, most));
    const more = capacity > SMALL_BYTES ? capacity - taken : 0;
    if (!room.take(more)) return null;
    taken += more;
    whole = Buffer.allocUnsafe(capacity);
    before.copy(whole, 0, 0, bytes);
    return whole;
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
