/**
 * The document store's only access to its server: when closed or lost, it answers SERVICE_UNAVAILABLE and nothing of the
 * driver's own.
 */
import { type Connection, mongo } from 'mongoose';
import { ApiError } from '../../errors/api-error.ts';
import { answeredWithin } from './answered-within.ts';
import { answering } from './outage.ts';

/** E11000 of the server: a unique value is taken. */
const DUPLICATE_KEY = 11_000;

/** How long a command may have no outcome, in milliseconds; longer than any command may take at the server. */
const ANSWER_MS = 45_000;

/** How much longer than its time at the server a command may have no outcome, in milliseconds. */
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
   * The result of `action`, a command that may take `serverMs` at the server. Even a live server may not answer, for
   * example while its disk hangs. A duplicate passes in the driver's form: see {@link isDuplicate}.
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

  /** Does nothing the second time. */
  async close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    await this.connection.close();
  }
}

/** Whether a write was certainly refused because a unique value is taken. */
export function isDuplicate(fault: unknown): fault is mongo.MongoServerError {
  return fault instanceof mongo.MongoServerError && fault.code === DUPLICATE_KEY;
}

function unavailable(cause: unknown): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', { cause });
}
