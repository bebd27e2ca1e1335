/** Requests for the same answer at the same time: one asks the backend, and the others wait for what it gets. */

/**
 * What became of the one that asked. `kept`: its answer is there for all; `alone`: such answers are for one request each, so
 * all ask now; `left`: it got none, so the next one asks, and the others wait on.
 */
export type Landing = 'kept' | 'alone' | 'left';

/** The wait is over. `turn`: it is this one's turn to ask, and its own to land; null: somebody answered, or it took too long. */
type Onward = (turn: Flight | null) => void;

export class Flight {
  readonly key: string;
  readonly #flights: Map<string, Flight>;
  readonly #waiting = new Map<Onward, NodeJS.Timeout>();

  constructor(key: string, flights: Map<string, Flight>) {
    this.key = key;
    this.#flights = flights;
  }

  /** Waits at most so long; the returned function ends the wait without a word. */
  wait(milliseconds: number, onward: Onward): () => void {
    const timer = setTimeout(() => this.#take(onward)?.(null), milliseconds).unref();
    this.#waiting.set(onward, timer);
    return () => void this.#take(onward);
  }

  /** Said once by each that asks. */
  land(landing: Landing): void {
    const [next] = this.#waiting.keys();
    if (landing === 'left' && next !== undefined) {
      // Not at once: each of many may pass its turn on.
      setImmediate(next, this);
      this.#take(next);
      return;
    }
    if (this.#flights.get(this.key) === this) this.#flights.delete(this.key);
    for (const onward of [...this.#waiting.keys()]) this.#take(onward)?.(null);
  }

  #take(onward: Onward): Onward | null {
    const timer = this.#waiting.get(onward);
    if (timer === undefined) return null;
    clearTimeout(timer);
    this.#waiting.delete(onward);
    return onward;
  }
}

export class Flights {
  readonly #flights = new Map<string, Flight>();

  get size(): number {
    return this.#flights.size;
  }

  /** The one that asks for this key at the moment; null: nobody does. */
  find(key: string): Flight | null {
    return this.#flights.get(key) ?? null;
  }

  /** Somebody asks, and says by `land` what became of it. */
  begin(key: string): Flight {
    const flight = new Flight(key, this.#flights);
    this.#flights.set(key, flight);
    return flight;
  }
}
