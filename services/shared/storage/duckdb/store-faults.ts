/** Tells a store that cannot answer from a statement that cannot work, so that each becomes its own public error. */
import { ApiError } from '../../errors/api-error.ts';

/** Faults of the statement or of its values; everything else is a fault of the store. */
const STATEMENT_FAULT =
  /^(Binder|Catalog|Constraint|Conversion|Invalid Input|Invalid Type|Mismatch Type|Not implemented|Out of Range|Parameter Not Resolved|Parser|Permission|Syntax) Error/i;

/** Faults after which nothing was stored for certain, and after which fewer events at once may fit. */
const NOTHING_STORED = /^Out of Memory Error/i;

/** Faults after which the engine answers nothing more until it is opened again. */
const ENGINE_ENDED = /^(FATAL|INTERNAL) Error|database has been invalidated/i;

/** Whether the engine must be opened again after `error`. */
export function endsEngine(error: unknown): boolean {
  return error instanceof Error && ENGINE_ENDED.test(error.message);
}

/** Faults of the disk: whatever is written next meets them too. */
const DISK_FAULT = /No space left|IO Error|Could not (write|read|sync)|quota/i;

/** Those that say that there is no room. */
const DISK_FULL = /No space left|ENOSPC|quota/i;
const DISK_FULL_TEXT = 'The disk of the event store is full; try again once there is room.';

/** Whether `error` leaves the parts of a failed commit free to be tried on their own. */
export function mayRetryInParts(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (STATEMENT_FAULT.test(error.message) || NOTHING_STORED.test(error.message)) return true;
  return endsEngine(error) && !DISK_FAULT.test(error.message);
}

/** The store cannot answer now; an own text says so of a full disk. */
export function unavailable(cause: unknown): ApiError {
  const isFull = cause instanceof Error && DISK_FULL.test(cause.message);
  return new ApiError('SERVICE_UNAVAILABLE', { cause, ...(isFull ? { text: DISK_FULL_TEXT } : {}) });
}

/** A fault of the engine as a public error; the engine's words only reach the log. */
export function toStoreError(cause: unknown): ApiError {
  if (cause instanceof ApiError) return cause;
  const isStatementFault = !(cause instanceof Error) || STATEMENT_FAULT.test(cause.message);
  return isStatementFault ? new ApiError('INTERNAL_ERROR', { cause }) : unavailable(cause);
}
