/** Which faults are MongoDB's own: no server answers, or none that may do it now, whatever the request. */
import { mongo } from 'mongoose';
import { ApiError } from '../../errors/api-error.ts';

/** Names of driver and mongoose errors which say that no server answered in time, whatever the request. */
const OUTAGES: ReadonlySet<string> = new Set([
  // Mongoose itself reports a missing connection; its faults about values have other names.
  'MongooseError',
  'MongooseServerSelectionError',
  'MongoServerSelectionError',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoNotConnectedError',
  'MongoPoolClearedError',
  'PoolClearedOnNetworkError',
  'MongoPoolClosedError',
  'MongoTopologyClosedError',
  'MongoClientClosedError',
  'MongoServerClosedError',
  'MongoWaitQueueTimeoutError',
  'MongoWriteConcernError',
  'MongoOperationTimeoutError',
  // Ours: see answeredWithin.
  'UnansweredError',
]);

/** Labels of errors after which a retry may succeed: elections, lost connections. */
const OUTAGE_LABELS = ['RetryableWriteError', 'RetryableError', 'TransientTransactionError'];

/** Codes of a server that is no longer primary, shuts down or lost its network: a retry may find another. */
const OUTAGE_CODES: ReadonlySet<unknown> = new Set([
  6, 7, 89, 91, 189, 262, 9001, 10_107, 11_600, 11_602, 13_435, 13_436,
]);

/**
 * Codes of Node's own socket errors: a command written while its connection ends meets them, and the driver passes them
 * on.
 */
const SOCKET_CODES: ReadonlySet<unknown> = new Set([
  'EPIPE',
  'ECONNRESET',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ETIMEDOUT',
  'ENOTCONN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
  'ERR_STREAM_PREMATURE_CLOSE',
]);

/**
 * Runs an action of a store.
 * @throws ApiError SERVICE_UNAVAILABLE in place of faults that a lost or refusing server caused
 */
export async function answering<R>(action: () => Promise<R>): Promise<R> {
  try {
    return await action();
  } catch (fault) {
    throw isOutage(fault) ? new ApiError('SERVICE_UNAVAILABLE', { cause: fault }) : fault;
  }
}

/** Whether the server is at fault, not the request: the same command may succeed shortly. */
export function isOutage(fault: unknown): boolean {
  if (!(fault instanceof Error)) return false;
  if (OUTAGES.has(fault.name)) return true;
  const { hasErrorLabel } = fault as { hasErrorLabel?: (label: string) => boolean };
  if (
    typeof hasErrorLabel === 'function' &&
    OUTAGE_LABELS.some((label) => hasErrorLabel.call(fault, label))
  ) {
    return true;
  }
  if (SOCKET_CODES.has((fault as NodeJS.ErrnoException).code)) return true;
  if (!(fault instanceof mongo.MongoServerError)) return false;
  if (OUTAGE_CODES.has(fault.code)) return true;
  // A bulk write wraps lost connections, and the report that its writes are not yet on a majority.
  return (
    fault instanceof mongo.MongoBulkWriteError &&
    writeErrorsOf(fault).length === 0 &&
    (fault.code === undefined || fault.result.getWriteConcernError() !== undefined)
  );
}

/** The faults of single documents in a bulk write. */
export function writeErrorsOf(fault: mongo.MongoBulkWriteError): mongo.WriteError[] {
  return [fault.writeErrors].flat();
}
