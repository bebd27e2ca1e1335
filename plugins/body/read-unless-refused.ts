/** Reads a whole body, unless the rate-limit policy already knows that the request is refused whatever it contains. */

import type { Clock } from '../../services/shared/ports/clock.ts';
import type { GatewayRequest } from '../kit/request-context.ts';
import { judgeUnread } from '../kit/unread-body.ts';
import type { BodyRoom } from './body-room.ts';
import { readWhole, SMALL_BYTES, type WholeBody } from './read-whole.ts';

/**
 * How many refused bodies per second are read and dropped, so that any client reads its answer; those of a flood are left
 * unread.
 */
const DRAINED_PER_SECOND = 8;

/** Whether one more refused body may be read and dropped. */
export function createDrainBudget(clock: Clock): () => boolean {
  let beganAtMs = Number.NEGATIVE_INFINITY;
  let drained = 0;
  return function mayDrain() {
    const now = clock.now();
    if (Math.abs(now - beganAtMs) >= 1_000) {
      beganAtMs = now;
      drained = 0;
    }
    return ++drained <= DRAINED_PER_SECOND;
  };
}

/**
 * Like {@link readWhole}, which documents the parameters. A body that announces to be small is read, which costs less
 * than asking. Nothing is known about the plain bytes of an encoded one (`isPlain` false); of a chunked one, what has
 * arrived counts.
 */
export function readUnlessRefused(
  req: GatewayRequest,
  length: number | null,
  isPlain: boolean,
  maxBytes: number,
  timeoutMs: number,
  room: BodyRoom,
  done: (result: WholeBody) => void,
): void {
  if (length !== null && length <= SMALL_BYTES) {
    readWhole(req, length, maxBytes, timeoutMs, room, done);
    return;
  }
  const judge = isPlain && length === null ? (bytes: number) => judgeUnread(req, bytes) : undefined;
  const read = (): void => readWhole(req, length, maxBytes, timeoutMs, room, done, judge);
  const asked = judgeUnread(req, isPlain ? (length ?? 0) : 0);
  if (asked === null) {
    read();
    return;
  }
  asked.then((refusal) => {
    if (refusal !== null) done(refusal);
    else if (req.destroyed) done('left');
    else read();
  });
}
