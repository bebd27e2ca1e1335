/** Single flight: callers who ask the same query at the same time share one run, and none gets an answer older than its question. */
import type { RawRow } from '../ports/event-store.ts';

/** Runs a query; calls `began` right before the engine reads, so after any wait for a turn. */
export type RunQuery<Q> = (
  query: Q,
  signal: AbortSignal,
  party: string | undefined,
  began: () => void,
) => Promise<readonly RawRow[]>;

interface Flight {
  readonly rows: Promise<readonly RawRow[]>;
  readonly leaving: AbortController;
  callers: number;
  /** Writes that were acknowledged before it began; null while it waits for its turn. */
  begunAt: number | null;
}

export class SingleFlight<Q> {
  readonly #run: RunQuery<Q>;
  readonly #textOf: (query: Q) => string;
  readonly #flights = new Map<string, Flight>();
  #writes = 0;
  /** Runs that were shared by a further caller so far. */
  joined = 0;

  /** `textOf`: tells queries apart. */
  constructor(run: RunQuery<Q>, textOf: (query: Q) => string) {
    this.#run = run;
    this.#textOf = textOf;
  }

  /** Tells that a write is about to be acknowledged: who asks from now on must see it. */
  noticeWrite(): void {
    this.#writes++;
  }

  /**
   * The rows of the query, of a run of its own or one that the same party asked for and that sees every acknowledged
   * write. Rejects with the signal's reason as soon as it aborts; the run goes on for those who still wait.
   */
  async rows(query: Q, signal?: AbortSignal, party?: string): Promise<readonly RawRow[]> {
    signal?.throwIfAborted();
    const key = JSON.stringify([party ?? null, this.#textOf(query)]);
    const open = this.#flights.get(key);
    const isFresh = open && (open.begunAt === null || open.begunAt === this.#writes);
    if (isFresh) this.joined++;
    const flight = isFresh ? open : this.#depart(key, query, party);
    flight.callers++;
    try {
      return await (signal ? untilAborted(flight.rows, signal) : flight.rows);
    } finally {
      flight.callers--;
      if (flight.callers === 0) this.#land(key, flight, signal?.reason);
    }
  }

  #depart(key: string, query: Q, party: string | undefined): Flight {
    const leaving = new AbortController();
    const began = () => {
      flight.begunAt = this.#writes;
    };
    // A turn of the microtasks later, when `flight` is there for `began`.
    const rows = Promise.resolve().then(() => this.#run(query, leaving.signal, party, began));
    const flight: Flight = { rows, leaving, callers: 0, begunAt: null };
    this.#flights.set(key, flight);
    return flight;
  }

  /** Nobody waits any more: the run has ended, or ends now. */
  #land(key: string, flight: Flight, reason: unknown): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
    flight.rows.catch(() => undefined);
    flight.leaving.abort(reason);
  }
}

/** `promise`, or the signal's reason at once when it aborts first. */
export function untilAborted<R>(promise: Promise<R>, signal: AbortSignal): Promise<R> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
