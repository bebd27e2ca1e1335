/** What a fault of MongoDB means for events: it passes, or it does not. */
import { setTimeout as pause } from 'node:timers/promises';
import { mongo } from 'mongoose';
import { ApiError } from '../../errors/api-error.ts';
import { isOutage } from './outage.ts';

/** MaxTimeMSExpired. */
const TIME_IS_UP = 50;

/** How long a command may take, including its answer, in milliseconds. */
const COMMAND_MS = 5_000;

const PAUSE_MS = 100;

/** Until when something is retried, on the clock of `performance.now()`. */
export type Deadline = number;

/** The deadline `ms` milliseconds from now. */
export function deadlineIn(ms: number): Deadline {
  return performance.now() + ms;
}

/**
 * Retries an idempotent action until it succeeds, fails for good, or the deadline is over. `attempt` gets the
 * milliseconds that each of its commands may take, which it enforces with `answeredWithin`, and the number of the
 * attempt, from 0.
 */
export async function persistently<R>(
  deadline: Deadline,
  attempt: (ms: number, tries: number) => Promise<R>,
): Promise<R> {
  for (let tries = 0; ; tries++) {
    try {
      return await attempt(Math.ceil(Math.max(1, Math.min(COMMAND_MS, deadline - performance.now()))), tries);
    } catch (fault) {
      const passes = isOutage(fault) || isTimeUp(fault);
      if (!passes || performance.now() + PAUSE_MS >= deadline) throw fault;
      await pause(PAUSE_MS);
    }
  }
}

/** Whether the server ended a command because it took too long. */
function isTimeUp(fault: unknown): boolean {
  return fault instanceof mongo.MongoServerError && fault.code === TIME_IS_UP;
}

/** A fault of a write or an erasure as a public error: whatever it is, the store is unavailable now. */
export function toWriteError(cause: unknown): ApiError {
  return cause instanceof ApiError ? cause : new ApiError('SERVICE_UNAVAILABLE', { cause });
}

/** A fault of a look-up as a public error; the server's words reach only the log. */
export function toLookUpError(cause: unknown): ApiError {
  if (cause instanceof ApiError) return cause;
  if (isOutage(cause)) return new ApiError('SERVICE_UNAVAILABLE', { cause });
  return new ApiError(isTimeUp(cause) ? 'TIMEOUT' : 'INTERNAL_ERROR', { cause });
}
