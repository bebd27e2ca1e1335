/** Single flight: callers with the same query at the same time share one run, and no answer is older than its request. */
import type { RawRow } from '../ports/event-store.ts';

/**
 * Runs a query; calls `began` right before the engine reads, that is after any wait for a turn. `asked` tells how many
 * callers the run has had so far: none joins it once it began.
 */
export type RunQuery<Q> = (
  query: Q,
  signal: AbortSignal,
  party: string | undefined,
  began: () => void,
  asked: () => number,
) => Promise<readonly RawRow[]>;

interface Flight {
  readonly rows: Promise<readonly RawRow[]>;
  readonly leaving: AbortController;
  hasEnded: boolean;
  callers: number;
  /** How many callers it has had, those who left included. */
  asked: number;
  /** Number of writes acknowledged before it began; null while it waits for its turn. */
  begunAt: number | null;
}

export class SingleFlight<Q> {
  readonly #run: RunQuery<Q>;
  readonly #textOf: (query: Q) => string;
  readonly #flights = new Map<string, Flight>();
  #writes = 0;
  /** How many callers shared another's run. */
  joined = 0;

  /** `textOf`: identifies equal queries. */
  constructor(run: RunQuery<Q>, textOf: (query: Q) => string) {
    this.#run = run;
    this.#textOf = textOf;
  }

  /** Announces that a write is about to be acknowledged: later queries must see it. */
  noticeWrite(): void {
    this.#writes++;
  }

  /**
   * The rows of the query, from a new run or from one that the same party started and that sees every acknowledged
   * write. Rejects with the signal's reason as soon as it aborts; the run continues for the other callers.
   */
  async rows(query: Q, signal?: AbortSignal, party?: string): Promise<readonly RawRow[]> {
    signal?.throwIfAborted();
    const key = JSON.stringify([party ?? null, this.#textOf(query)]);
    const open = this.#flights.get(key);
    const isFresh = open && (open.begunAt === null || open.begunAt === this.#writes);
    if (isFresh) this.joined++;
    const flight = isFresh ? open : this.#depart(key, query, party);
    flight.callers++;
    flight.asked++;
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
    // One microtask later, when `flight` is available to `began`.
    const rows = Promise.resolve()
      .then(() => this.#run(query, leaving.signal, party, began, () => flight.asked))
      .finally(() => {
        flight.hasEnded = true;
      });
    const flight: Flight = { rows, leaving, hasEnded: false, callers: 0, asked: 0, begunAt: null };
    this.#flights.set(key, flight);
    return flight;
  }

  /** Nobody waits any more: the run has ended, or ends now. */
  #land(key: string, flight: Flight, reason: unknown): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
    flight.rows.catch(() => undefined);
    if (!flight.hasEnded) flight.leaving.abort(reason);
  }
}

/** `promise`, or the signal's reason as soon as it aborts. */
export function untilAborted<R>(promise: Promise<R>, signal: AbortSignal): Promise<R> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
