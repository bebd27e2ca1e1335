/** The one way of the document store to its server: closed or lost, it answers SERVICE_UNAVAILABLE and nothing of the driver's own. */
import { type Connection, mongo } from 'mongoose';
import { ApiError } from '../../errors/api-error.ts';
import { answeredWithin } from './answered-within.ts';
import { answering } from './outage.ts';

/** E11000 of the server: a unique value is taken. */
const DUPLICATE_KEY = 11_000;

/**
 * How long a command may be without an outcome, in milliseconds; above what any may take at the server. The driver has no
 * bound of its own for a command that it sends over a connection that closes in the same moment: its wait never ends.
 */
const ANSWER_MS = 45_000;

/** How much longer a command may be without an outcome than the server may take for it, in milliseconds. */
const GRACE_MS = 2_000;

/** Runs commands while the store is open. */
export class DocumentAccess {
  readonly connection: Connection;
  readonly #answerMs: number;
  #open = true;

  constructor(connection: Connection, answerMs = ANSWER_MS) {
    this.connection = connection;
    this.#answerMs = answerMs;
  }

  /**
   * What `action` gives, a command for which the server may take `serverMs`: a server that lives may still not answer, such
   * as while its disk hangs. A duplicate passes as the driver says it: see {@link isDuplicate}.
   * @throws ApiError SERVICE_UNAVAILABLE, with the fault as cause, for every other fault of driver or server
   */
  async run<R>(action: () => Promise<R>, serverMs = this.#answerMs): Promise<R> {
    if (!this.#open) throw unavailable(new Error('the document store is closed'));
    try {
      const ms = Math.min(this.#answerMs, serverMs + GRACE_MS);
      return await answering(() => answeredWithin(ms, action()));
    } catch (fault) {
      throw fault instanceof mongo.MongoError && !isDuplicate(fault) ? unavailable(fault) : fault;
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

function unavailable(cause: unknown): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', { cause });
}
