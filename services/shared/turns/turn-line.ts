/** Who runs and who waits where not all can run at once: one queue, whose rules say who may start, and who of them first. */

import { UnderWay } from './under-way.ts';

/** Something that takes a turn; {@link TurnLine} calls `start` when it comes. */
export interface Turn {
  start(): void;
}

export interface TurnRules<T> {
  /** Whether it may start beside what runs. Evaluated for each waiting one whenever another ends. */
  mayStart(turn: T): boolean;
  /** Its owner's part of what all share: the smallest starts first, the oldest on a tie. Absent: the oldest first. */
  shareOf?(turn: T): number;
}

/** Those that run, in no order. */
export interface Running<T> extends Iterable<T> {
  readonly size: number;
}

export class TurnLine<T extends Turn> {
  readonly #rules: TurnRules<T>;
  readonly #running = new UnderWay<T>();
  /** In order of arrival. */
  readonly #waiting: T[] = [];

  constructor(rules: TurnRules<T>) {
    this.#rules = rules;
  }

  get running(): Running<T> {
    return this.#running;
  }

  /** In order of arrival. */
  get waiting(): readonly T[] {
    return this.#waiting;
  }

  /** Starts it at once if it may start; false: it may not, and must {@link wait} or be refused. */
  enter(turn: T): boolean {
    if (!this.#rules.mayStart(turn)) return false;
    this.#running.add(turn);
    turn.start();
    return true;
  }

  /** Puts it at the end of the queue. */
  wait(turn: T): void {
    this.#waiting.push(turn);
  }

  /** Takes it out of the queue; does nothing when it is not in it. */
  leave(turn: T): void {
    const at = this.#waiting.indexOf(turn);
    if (at !== -1) this.#waiting.splice(at, 1);
  }

  /** It has ended: waiting ones start, as far as they now may. */
  end(turn: T): void {
    this.#running.delete(turn);
    this.startWaiting();
  }

  /** Starts those that may: call it after a change of what {@link TurnRules.mayStart} depends on. */
  startWaiting(): void {
    for (let next = this.#next(); next !== null; next = this.#next()) {
      this.leave(next);
      this.#running.add(next);
      next.start();
    }
  }

  #next(): T | null {
    const { shareOf } = this.#rules;
    let best: T | null = null;
    let least = Number.POSITIVE_INFINITY;
    for (const turn of this.#waiting) {
      if (!this.#rules.mayStart(turn)) continue;
      if (shareOf === undefined) return turn;
      const share = shareOf(turn);
      if (share >= least) continue;
      best = turn;
      least = share;
    }
    return best;
  }
}
