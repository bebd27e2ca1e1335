/**
 * Where requests wait while as many as may be are under way at an address: in their order, for a bounded time, and only
 * while their client stays. The transport behind it needs no queue.
 */
import type { ServerResponse } from 'node:http';
import type { Transport } from './transport.ts';

/** How often it looks for who waits too long, in milliseconds. */
const LOOK_MS = 250;

/** A request that may have to wait for its turn. */
export interface Waiter {
  /** Its turn came: it goes by the transport of `line`, and calls `leave` there once it is over. */
  begin(line: WaitingLine): void;
  /** It has no turn: it waited for too long, its client left, or the line ends. */
  turnAway(): void;
}

interface Place {
  readonly waiter: Waiter;
  readonly res: ServerResponse;
  /** By `performance.now()`. */
  readonly untilMs: number;
  /** Its client left. */
  readonly onClose: () => void;
  before: Place | null;
  behind: Place | null;
}

/** To one address. Without anybody who waits, it has no timer and listens to nothing. */
export class WaitingLine {
  readonly transport: Transport;
  readonly #most: number;
  #underWay = 0;
  #first: Place | null = null;
  #last: Place | null = null;
  #looking: NodeJS.Timeout | null = null;
  #isAdvancing = false;
  #isEnded = false;

  /** `most`: how many may be under way at once. */
  constructor(transport: Transport, most: number) {
    this.transport = transport;
    this.#most = most;
  }

  /**
   * Lets the waiter begin: now, or after those who came before. It waits until `untilMs`, by `performance.now()`, and while
   * `res` is open.
   */
  enter(waiter: Waiter, res: ServerResponse, untilMs: number): void {
    // What a transport that has ended is given, it fails.
    if (this.#isEnded || (this.#first === null && this.#underWay < this.#most)) this.#begin(waiter);
    else if (res.destroyed) waiter.turnAway();
    else this.#append(waiter, res, untilMs);
  }

  /** One that began is over. */
  leave(): void {
    this.#underWay--;
    if (this.#first === null || this.#isAdvancing) return;
    this.#isAdvancing = true;
    // Not from within the transport, which has yet to free what carried the one that leaves.
    queueMicrotask(this.#advance);
  }

  /** Turns away who waits, and fails what is under way. */
  async destroy(): Promise<void> {
    this.#isEnded = true;
    this.#turnAwayUntil(Number.POSITIVE_INFINITY);
    await this.transport.destroy();
  }

  #begin(waiter: Waiter): void {
    this.#underWay++;
    waiter.begin(this);
  }

  readonly #advance = (): void => {
    this.#isAdvancing = false;
    const nowMs = performance.now();
    while (this.#first !== null && this.#underWay < this.#most) {
      const place = this.#first;
      this.#remove(place);
      if (place.untilMs > nowMs) this.#begin(place.waiter);
      else place.waiter.turnAway();
    }
  };

  /** Those whose time is over by then; they need not stand in that order, since a request may be sent anew. */
  #turnAwayUntil(nowMs: number): void {
    const late: Place[] = [];
    for (let place = this.#first; place !== null; place = place.behind) {
      if (place.untilMs <= nowMs) late.push(place);
    }
    for (const place of late) this.#remove(place);
    for (const { waiter } of late) waiter.turnAway();
  }

  #append(waiter: Waiter, res: ServerResponse, untilMs: number): void {
    const onClose = (): void => {
      this.#remove(place);
      waiter.turnAway();
    };
    const place: Place = { waiter, res, untilMs, onClose, before: this.#last, behind: null };
    if (this.#last === null) this.#first = place;
    else this.#last.behind = place;
    this.#last = place;
    res.once('close', onClose);
    this.#looking ??= setInterval(() => this.#turnAwayUntil(performance.now()), LOOK_MS).unref();
  }

  #remove({ res, onClose, before, behind }: Place): void {
    res.off('close', onClose);
    if (before === null) this.#first = behind;
    else before.behind = behind;
    if (behind === null) this.#last = before;
    else behind.before = before;
    if (this.#first !== null || this.#looking === null) return;
    clearInterval(this.#looking);
    this.#looking = null;
  }
}
