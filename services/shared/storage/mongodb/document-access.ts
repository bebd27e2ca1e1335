/** The one way of the document store to its server: closed or lost, it answers SERVICE_UNAVAILABLE and nothing of the driver's own. */
import { type Connection, mongo } from 'mongoose';
import { ApiError } from '../../errors/api-error.ts';
import { answering } from './open-connection.ts';

/** E11000 of the server: a unique value is taken. */
const DUPLICATE_KEY = 11_000;

/** Runs commands while the store is open. */
export class DocumentAccess {
  readonly connection: Connection;
  #open = true;

  constructor(connection: Connection) {
    this.connection = connection;
  }

  /**
   * What `action` gives. A duplicate passes as the driver says it: see {@link isDuplicate}.
   * @throws ApiError SERVICE_UNAVAILABLE, with the fault as cause, for every other fault of driver or server
   */
  async run<R>(action: () => Promise<R>): Promise<R> {
    if (!this.#open) throw unavailable(new Error('the document store is closed'));
    try {
      return await answering(action);
    } catch (fault) {
      throw isStoreFault(fault) && !isDuplicate(fault) ? unavailable(fault) : fault;
    }
  }

  /** Again: nothing. */
  async close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    await this.connection.close();
  }
}

/** Whether a write was refused, for sure, because a unique value is taken. */
export function isDuplicate(fault: unknown): fault is mongo.MongoServerError {
  return fault instanceof mongo.MongoServerError && fault.code === DUPLICATE_KEY;
}

function isStoreFault(fault: unknown): boolean {
  if (fault instanceof mongo.MongoError) return true;
  // Mongoose itself speaks up where it has no connection; its faults about values have names of their own.
  return fault instanceof Error && fault.name === 'MongooseError';
}

function unavailable(cause: unknown): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', { cause });
}
