/** A few places, such as connections, that many queries share: the rest wait, and no party keeps the others out. */
import { ApiError } from '../errors/api-error.ts';
import { type Turn, TurnLine } from '../turns/turn-line.ts';

interface PlaceTurn extends Turn {
  readonly party: string | undefined;
  readonly refuse: (error: Error) => void;
}

/** What a query takes is given back after it. The queries of one party occupy at most all places but one. */
export class FairTurns<P> {
  #idle: P[];
  #all: readonly P[];
  readonly #maxWaiting: number;
  /** The turn that occupies a place. */
  readonly #holding = new Map<P, PlaceTurn>();
  readonly #line = new TurnLine<PlaceTurn>({
    mayStart: ({ party }) => !this.#isHeld && this.#idle.length > 0 && this.#mayRun(party),
    shareOf: ({ party }) => this.#runningOf(party),
  });
  #isHeld = false;
  #whenAllIdle: (() => void)[] = [];

  /**
   * `maxWaiting`: how many queries may wait for a place, at most half of them of one party; a further one gets
   * SERVICE_UNAVAILABLE.
   */
  constructor(places: readonly P[], maxWaiting: number) {
    this.#all = places;
    this.#idle = [...places];
    this.#maxWaiting = maxWaiting;
  }

  /**
   * A place, once the turn has come; rejects with the signal's reason if it aborts before.
   * @throws ApiError SERVICE_UNAVAILABLE
   */
  take(signal: AbortSignal | undefined, party: string | undefined): Promise<P> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#line.leave(turn);
        reject(signal?.reason);
      };
      const settle = () => signal?.removeEventListener('abort', leave);
      const turn: PlaceTurn = {
        party,
        start: () => {
          settle();
          const place = this.#idle.pop() as P;
          this.#holding.set(place, turn);
          resolve(place);
        },
        refuse: (error) => {
          settle();
          reject(error);
        },
      };
      if (this.#line.enter(turn)) return;
      if (this.#isFull(party)) {
        const cause = new Error(`${this.#line.waiting.length} queries wait already`);
        const text = 'Too many queries wait; try again shortly.';
        reject(new ApiError('SERVICE_UNAVAILABLE', { cause, text }));
        return;
      }
      signal?.addEventListener('abort', leave, { once: true });
      this.#line.wait(turn);
    });
  }

  /** Ends the turn that occupies a place. */
  give(place: P): void {
    const turn = this.#holding.get(place);
    this.#holding.delete(place);
    this.#idle.push(place);
    if (turn) this.#line.end(turn);
    if (this.#idle.length === this.#all.length) for (const tell of this.#whenAllIdle.splice(0)) tell();
  }

  /** The places in use. */
  taken(): P[] {
    return this.#all.filter((place) => !this.#idle.includes(place));
  }

  /** Refuses waiting queries with SERVICE_UNAVAILABLE; `reason` reaches only the log. */
  refuseAll(reason: string): void {
    for (const turn of [...this.#line.waiting]) {
      this.#line.leave(turn);
      turn.refuse(new ApiError('SERVICE_UNAVAILABLE', { cause: new Error(reason) }));
    }
  }

  /** Starts no further query until {@link resume}. */
  hold(): void {
    this.#isHeld = true;
  }

  /** Resumes with other places. */
  resume(places: readonly P[]): void {
    this.#all = places;
    this.#idle = [...places];
    this.#isHeld = false;
    this.#line.startWaiting();
  }

  /** Has no places any more. */
  clear(): void {
    this.#all = [];
    this.#idle = [];
  }

  async untilAllIdle(): Promise<void> {
    if (this.#idle.length === this.#all.length) return;
    await new Promise<void>((resolve) => this.#whenAllIdle.push(resolve));
  }

  #mayRun(party: string | undefined): boolean {
    return this.#runningOf(party) < Math.max(1, this.#all.length - 1);
  }

  /** Each query without a party counts as a party of its own. */
  #runningOf(party: string | undefined): number {
    if (party === undefined) return 0;
    let running = 0;
    for (const turn of this.#line.running) if (turn.party === party) running++;
    return running;
  }

  #isFull(party: string | undefined): boolean {
    const { waiting } = this.#line;
    if (waiting.length >= this.#maxWaiting) return true;
    if (party === undefined) return false;
    return waiting.filter((turn) => turn.party === party).length >= Math.ceil(this.#maxWaiting / 2);
  }
}
