/** Rate-limit counters in the memory of one process: exact, because a decision runs without interruption. */
import type { Clock } from '../../ports/clock.ts';
import type { CounterStore, LimitDecision, LimitState, LimitUse } from '../../ports/counter-store.ts';
import { subWindowMs } from '../../rate-limit/sub-windows.ts';
import { CountTable, NONE } from './count-table.ts';
import { LimitIds } from './limit-ids.ts';
import { SteadyTime } from './steady-time.ts';
import { SubjectIds } from './subject-ids.ts';

/** How many counts each decision looks at to drop those that ended: memory follows the live callers. */
const SWEPT_PER_DECISION = 16;
/** Some 500 MB; past it an arbitrary count is forgotten for each new one, so that strangers cannot exhaust the memory. */
const MOST_COUNTS = 2 ** 23;
/** The most that one count can hold. */
const MOST_COUNTED = 2 ** 32 - 1;

/**
 * A fixed window is one count, which leaves when the window ends; a sliding one is a count per sub-window, each leaving
 * a window after its last request. A clock that is set back prolongs nothing; see {@link SteadyTime}.
 */
export class MemoryCounterStore implements CounterStore {
  readonly #time: SteadyTime;
  readonly #mostCounts: number;
  readonly #table = new CountTable();
  readonly #limits = new LimitIds();
  readonly #subjects = new SubjectIds();
  /** Of each use of the decision under way: its newest count, and how much it used. */
  readonly #found: number[] = [];
  readonly #foundUsed: number[] = [];
  readonly #dropped = (subject: number, limit: number): void => {
    this.#subjects.release(subject);
    this.#limits.release(limit);
  };

  constructor(clock: Clock, mostCounts = MOST_COUNTS) {
    this.#time = new SteadyTime(clock);
    this.#mostCounts = mostCounts;
  }

  /** How many subjects are held at the moment. */
  get size(): number {
    return this.#subjects.size;
  }

  decide(subject: string, uses: readonly LimitUse[]): LimitDecision {
    const now = this.#time.now();
    this.#makeRoom(now, uses.length);
    const id = this.#subjects.find(subject);
    let admitted = true;
    for (let index = 0; index < uses.length; index++) {
      const use = uses[index] as LimitUse;
      const newest = this.#newest(id, use, now);
      const used = this.#used(newest, now);
      this.#found[index] = newest;
      this.#foundUsed[index] = used;
      if (exceeds(use, used)) admitted = false;
    }
    const states: LimitState[] = [];
    for (let index = 0; index < uses.length; index++) {
      const use = uses[index] as LimitUse;
      let newest = this.#found[index] as number;
      let used = this.#foundUsed[index] as number;
      const violated = !admitted && exceeds(use, used);
      if (admitted && use.cost > 0) {
        newest = this.#take(subject, newest, use, now);
        used += use.cost;
      }
      states.push({
        limit: use.limit,
        remaining: violated ? 0 : Math.max(0, use.limit - used),
        resetAtMs: this.#time.onClock(this.#resetAt(newest, use, now, violated)),
        violated,
      });
    }
    return { admitted, states, nowMs: this.#time.onClock(now) };
  }

  peek(subject: string, use: LimitUse): LimitState {
    const now = this.#time.now();
    const newest = this.#newest(this.#subjects.find(subject), use, now);
    const used = this.#used(newest, now);
    return {
      limit: use.limit,
      remaining: Math.max(0, use.limit - used),
      resetAtMs: this.#time.onClock(this.#resetAt(newest, use, now, exceeds(use, used))),
      violated: false,
    };
  }

  /**
   * Takes over how another store decided, in place of what was counted here, so that counting goes on from its last
   * known counts. It costs about what a decision does. Instants are taken relative to the decision's own, so the two
   * clocks need not agree. What a state leaves open is taken strictly: of a violated limit only that its cost did not
   * fit, of a sliding one that all but what leaves at its reset stays for a whole window.
   */
  adopt(subject: string, uses: readonly LimitUse[], decision: LimitDecision): void {
    const now = this.#time.now();
    this.#makeRoom(now, 2 * uses.length);
    for (let index = 0; index < uses.length; index++) {
      const use = uses[index] as LimitUse;
      const state = decision.states[index] as LimitState;
      const used = state.violated ? use.limit - use.cost + 1 : use.limit - state.remaining;
      const leaveAt = now + Math.min(use.windowMs, state.resetAtMs - decision.nowMs);
      this.#replace(subject, use, now, leaveAt, Math.min(Math.max(used, 0), MOST_COUNTED));
    }
  }

  async close(): Promise<void> {}

  /** Drops counts that ended, and living ones where there is no room for `more`. */
  #makeRoom(now: number, more: number): void {
    this.#table.sweep(now, SWEPT_PER_DECISION, this.#dropped);
    while (this.#table.size > this.#mostCounts - more && this.#table.size > 0) {
      this.#table.dropAny(this.#dropped);
    }
  }

  /** The newest count of a limit that has not left, or NONE. */
  #newest(subject: number, use: LimitUse, now: number): number {
    const limit = subject === NONE ? NONE : this.#limits.find(use);
    return limit === NONE ? NONE : this.#table.newest(subject, limit, now);
  }

  #used(newest: number, now: number): number {
    let used = 0;
    for (let slot = newest; slot !== NONE; slot = this.#table.older(slot, now))
      used += this.#table.count(slot);
    return used;
  }

  /** Counts the cost; the newest count then. */
  #take(subject: string, newest: number, use: LimitUse, now: number): number {
    const leaveAt = now + use.windowMs;
    if (newest === NONE) return this.#insert(subject, use, leaveAt, use.cost);
    const newestLeaveAt = this.#table.leaveAt(newest);
    const sub = subWindowMs(use);
    if (sub === 0) this.#table.set(newest, newestLeaveAt, this.#table.count(newest) + use.cost);
    else if (Math.floor((newestLeaveAt - use.windowMs) / sub) === Math.floor(now / sub)) {
      this.#table.set(newest, leaveAt, this.#table.count(newest) + use.cost);
    } else return this.#insert(subject, use, leaveAt, use.cost);
    return newest;
  }

  /** When the oldest count leaves, or if the limit is `full`, when enough has left for the cost to fit. */
  #resetAt(newest: number, use: LimitUse, now: number, full: boolean): number {
    if (newest === NONE) return now + use.windowMs;
    let leaveAt = 0;
    let kept = use.cost;
    for (let slot = newest; slot !== NONE; slot = this.#table.older(slot, now)) {
      leaveAt = this.#table.leaveAt(slot);
      kept += this.#table.count(slot);
      if (full && kept > use.limit) break;
    }
    return leaveAt;
  }

  /** Puts `used` in place of what is counted: of a sliding limit one leaves at `leaveAt`, the rest a window from now. */
  #replace(subject: string, use: LimitUse, now: number, leaveAt: number, used: number): void {
    const newest = this.#newest(this.#subjects.find(subject), use, now);
    const rest = use.algorithm === 'sliding' && used > 1 ? used - 1 : 0;
    const next = newest === NONE ? NONE : this.#table.older(newest, now);
    const kept = used === 0 || leaveAt <= now ? 0 : rest === 0 || next === NONE ? 1 : 2;
    let slot = newest;
    for (let place = 0; slot !== NONE; place++) {
      const older = this.#table.older(slot, now);
      if (place >= kept) this.#table.set(slot, 0, 0);
      else if (place < kept - 1) this.#table.set(slot, now + use.windowMs, rest);
      else this.#table.set(slot, leaveAt, used - rest);
      slot = older;
    }
    if (kept > 0 && newest === NONE) this.#insert(subject, use, leaveAt, used - rest);
    if (kept === 1 && rest > 0) this.#insert(subject, use, now + use.windowMs, rest);
  }

  #insert(subject: string, use: LimitUse, leaveAt: number, count: number): number {
    return this.#table.insert(this.#subjects.hold(subject), this.#limits.hold(use), leaveAt, count);
  }
}

function exceeds({ limit, cost }: LimitUse, used: number): boolean {
  return cost > 0 && used + cost > Math.min(limit, MOST_COUNTED);
}
