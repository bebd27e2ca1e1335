/** A few places, such as connections, that many queries share: further ones wait, and no party keeps the others out. */
import { ApiError } from '../errors/api-error.ts';

interface Turn<P> {
  readonly party: string | undefined;
  readonly start: (place: P) => void;
  readonly refuse: (error: Error) => void;
}

/** What is taken for one query is given back after it. The queries of one party hold all places but one at most. */
export class FairTurns<P> {
  #idle: P[];
  #all: readonly P[];
  readonly #maxWaiting: number;
  /** Queries that run, by party. */
  readonly #running = new Map<string, number>();
  /** In the order in which they came. */
  #turns: Turn<P>[] = [];
  #isHeld = false;
  #whenAllIdle: (() => void)[] = [];

  /** `maxWaiting`: most queries that wait for a place, half of them of one party; a further one is SERVICE_UNAVAILABLE. */
  constructor(places: readonly P[], maxWaiting: number) {
    this.#all = places;
    this.#idle = [...places];
    this.#maxWaiting = maxWaiting;
  }

  /** A place, once the turn has come; rejects with the signal's reason when it aborts before. @throws ApiError SERVICE_UNAVAILABLE */
  take(signal: AbortSignal | undefined, party: string | undefined): Promise<P> {
    const idle = this.#mayRun(party) && !this.#isHeld ? this.#idle.pop() : undefined;
    if (idle !== undefined) {
      this.#count(party, 1);
      return Promise.resolve(idle);
    }
    if (this.#isFull(party)) {
      const cause = new Error(`${this.#turns.length} queries wait already`);
      const text = 'Too many queries wait; try again shortly.';
      return Promise.reject(new ApiError('SERVICE_UNAVAILABLE', { cause, text }));
    }
    return this.#wait(signal, party);
  }

  /** Ends the turn of a query of `party`. */
  give(place: P, party: string | undefined): void {
    this.#count(party, -1);
    const next = this.#isHeld ? undefined : this.#next();
    if (next) {
      this.#start(next, place);
      return;
    }
    this.#idle.push(place);
    if (this.#idle.length === this.#all.length) for (const tell of this.#whenAllIdle.splice(0)) tell();
  }

  /** The places that are taken at the moment. */
  taken(): P[] {
    return this.#all.filter((place) => !this.#idle.includes(place));
  }

  /** Refuses what waits with SERVICE_UNAVAILABLE; `reason` only reaches the log. */
  refuseAll(reason: string): void {
    const turns = this.#turns;
    this.#turns = [];
    for (const turn of turns) turn.refuse(new ApiError('SERVICE_UNAVAILABLE', { cause: new Error(reason) }));
  }

  /** Lets no further query start until {@link resume}. */
  hold(): void {
    this.#isHeld = true;
  }

  /** Goes on with other places. */
  resume(places: readonly P[]): void {
    this.#all = places;
    this.#idle = [...places];
    this.#isHeld = false;
    for (let next = this.#next(); next && this.#idle.length > 0; next = this.#next()) {
      const place = this.#idle.pop();
      if (place !== undefined) this.#start(next, place);
    }
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

  #wait(signal: AbortSignal | undefined, party: string | undefined): Promise<P> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#turns = this.#turns.filter((other) => other !== turn);
        reject(signal?.reason);
      };
      const settle = () => signal?.removeEventListener('abort', leave);
      const turn: Turn<P> = {
        party,
        start: (place) => {
          settle();
          resolve(place);
        },
        refuse: (error) => {
          settle();
          reject(error);
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#turns.push(turn);
    });
  }

  #mayRun(party: string | undefined): boolean {
    return this.#runningOf(party) < Math.max(1, this.#all.length - 1);
  }

  /** Queries without party are one by one their own. */
  #runningOf(party: string | undefined): number {
    return party === undefined ? 0 : (this.#running.get(party) ?? 0);
  }

  #count(party: string | undefined, change: 1 | -1): void {
    if (party === undefined) return;
    const running = this.#runningOf(party) + change;
    if (running === 0) this.#running.delete(party);
    else this.#running.set(party, running);
  }

  #isFull(party: string | undefined): boolean {
    if (this.#turns.length >= this.#maxWaiting) return true;
    if (party === undefined) return false;
    const waiting = this.#turns.filter((turn) => turn.party === party).length;
    return waiting >= Math.ceil(this.#maxWaiting / 2);
  }

  /** Of those that wait, the first one of the party that runs least; none when every party runs as much as it may. */
  #next(): Turn<P> | undefined {
    let next: Turn<P> | undefined;
    for (const turn of this.#turns) {
      if (!this.#mayRun(turn.party)) continue;
      if (!next || this.#runningOf(turn.party) < this.#runningOf(next.party)) next = turn;
    }
    return next;
  }

  #start(turn: Turn<P>, place: P): void {
    this.#turns = this.#turns.filter((other) => other !== turn);
    this.#count(turn.party, 1);
    turn.start(place);
  }
}
