/** Distinguishes a store that cannot answer from a statement that cannot work, so that each becomes its own public error. */
import { ApiError } from '../../errors/api-error.ts';

/** Faults of the statement or of its values; all others are faults of the store. */
const STATEMENT_FAULT =
  /^(Binder|Catalog|Constraint|Conversion|Invalid Input|Invalid Type|Mismatch Type|Not implemented|Out of Range|Parameter Not Resolved|Parser|Permission|Syntax) Error/i;

/** Faults after which certainly nothing was stored, and after which fewer events at once may fit. */
const NOTHING_STORED = /^Out of Memory Error/i;

/** Faults after which the engine answers nothing until it is reopened. */
const ENGINE_ENDED = /^(FATAL|INTERNAL) Error|database has been invalidated/i;

/** Whether the engine must be reopened after `error`. */
export function endsEngine(error: unknown): boolean {
  return error instanceof Error && ENGINE_ENDED.test(error.message);
}

/** Whether the engine only puts a checkpoint off: it keeps a commit that made or dropped a table for queries begun before. */
export function refusesCheckpoint(error: unknown): boolean {
  return (
    error instanceof Error && /Cannot CHECKPOINT: there are other write transactions/i.test(error.message)
  );
}

/** Faults of the disk: the next write meets them too. */
const DISK_FAULT = /No space left|IO Error|Could not (write|read|sync)|quota/i;

/** Those that mean that the disk is full. */
const DISK_FULL = /No space left|ENOSPC|quota/i;
const DISK_FULL_TEXT = 'The disk of the event store is full; try again once there is room.';

/** Whether the parts of a commit that failed with `error` may be tried separately. */
export function mayRetryInParts(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (STATEMENT_FAULT.test(error.message) || NOTHING_STORED.test(error.message)) return true;
  return endsEngine(error) && !DISK_FAULT.test(error.message);
}

/** The store cannot answer now; a full disk has its own text. */
export function unavailable(cause: unknown): ApiError {
  const isFull = cause instanceof Error && DISK_FULL.test(cause.message);
  return new ApiError('SERVICE_UNAVAILABLE', { cause, ...(isFull ? { text: DISK_FULL_TEXT } : {}) });
}

/** A fault of the engine as a public error; the engine's words reach only the log. */
export function toStoreError(cause: unknown): ApiError {
  if (cause instanceof ApiError) return cause;
  const isStatementFault = !(cause instanceof Error) || STATEMENT_FAULT.test(cause.message);
  return isStatementFault ? new ApiError('INTERNAL_ERROR', { cause }) : unavailable(cause);
}
