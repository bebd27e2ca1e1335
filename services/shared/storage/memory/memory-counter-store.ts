/** Rate-limit counters in the memory of one process: exact, because a decision runs without interruption. */
import type { Clock } from '../../ports/clock.ts';
import {
  type CounterStore,
  chargeUse,
  type LimitDecision,
  type LimitState,
  type LimitUse,
  neededOf,
} from '../../ports/counter-store.ts';
import { subWindowMs } from '../sub-windows.ts';
import { windowLengthMs } from '../window-length.ts';
import { CountTable, NONE } from './count-table.ts';
import { LimitIds } from './limit-ids.ts';
import { SteadyTime } from './steady-time.ts';
import { SubjectIds } from './subject-ids.ts';

/** How many counts each decision checks in order to drop ended ones: memory follows the active callers. */
const SWEPT_PER_DECISION = 16;
/**
 * About 400 MB when each belongs to an address of its own (160 bytes, measured), 500 MB with uncollected garbage. Beyond
 * it an arbitrary count is forgotten for each new one, so that strangers cannot exhaust the memory.
 */
const MOST_COUNTS = 2_500_000;
/** The largest value of one count. */
const MOST_COUNTED = 2 ** 32 - 1;

/**
 * A fixed window is one count, which leaves when the window ends; a sliding one is a count per sub-window, each leaving
 * a window after its last request. A clock that is set back extends nothing; see {@link SteadyTime}.
 */
export class MemoryCounterStore implements CounterStore {
  readonly #time: SteadyTime;
  readonly #mostCounts: number;
  readonly #table = new CountTable();
  readonly #limits = new LimitIds();
  readonly #subjects = new SubjectIds();
  /** For each use of the decision in progress: what counts in it, from the newest count to the oldest, and how much. */
  readonly #newestSlot: number[] = [];
  readonly #oldestSlot: number[] = [];
  readonly #used: number[] = [];
  readonly #dropped = (subject: number, limit: number): void => {
    this.#subjects.release(subject);
    this.#limits.release(limit);
  };

  constructor(clock: Clock, mostCounts = MOST_COUNTS) {
    this.#time = new SteadyTime(clock);
    this.#mostCounts = mostCounts;
  }

  /** How many subjects are held. */
  get size(): number {
    return this.#subjects.size;
  }

  decide(subject: string, uses: readonly LimitUse[]): LimitDecision {
    const now = this.#time.now();
    this.#makeRoom(now, uses.length);
    const id = this.#subjects.find(subject);
    let admitted = true;
    let shadowed = false;
    for (let index = 0; index < uses.length; index++) {
      const use = uses[index] as LimitUse;
      if (!exceeds(use, this.#look(id, use, now, index))) continue;
      if (use.shadow) shadowed = true;
      else admitted = false;
    }
    const states: LimitState[] = [];
    for (let index = 0; index < uses.length; index++) {
      const use = uses[index] as LimitUse;
      const used = this.#used[index] as number;
      const counted = admitted && !(shadowed && use.shadow) ? use.cost : 0;
      if (counted > 0) this.#take(subject, use, now, index);
      const exceeded = (shadowed || !admitted) && exceeds(use, used);
      states.push(this.#state(use, used + counted, now, index, exceeded));
    }
    return { admitted, states, nowMs: this.#time.onClock(now) };
  }

  charge(subject: string, use: LimitUse, amount: number): LimitState {
    return this.decide(subject, [chargeUse(use, amount)]).states[0] as LimitState;
  }

  peek(subject: string, use: LimitUse): LimitState {
    const now = this.#time.now();
    const used = this.#look(this.#subjects.find(subject), use, now, 0);
    const { resetAtMs } = this.#state(use, used, now, 0, exceeds(use, used));
    return { limit: use.limit, remaining: Math.max(0, use.limit - used), resetAtMs, violated: false };
  }

  /**
   * Adopts the decision of another store in place of what was counted here, so that counting continues from its last
   * known counts. It costs about as much as a decision. Instants are taken relative to the decision's own, so the two
   * clocks need not agree. What a state leaves open is interpreted strictly. A violated limit counts as full enough to
   * refuse its cost (a fixed window that is known to hold more keeps that). In a sliding limit, everything but what
   * leaves at its reset stays for a whole window.
   */
  adopt(subject: string, uses: readonly LimitUse[], decision: LimitDecision): void {
    const now = this.#time.now();
    this.#makeRoom(now, 2 * uses.length);
    for (let index = 0; index < uses.length; index++) {
      const use = uses[index] as LimitUse;
      const state = decision.states[index] as LimitState;
      const used =
        state.violated || state.shadowed
          ? this.#leastUsed(subject, use, now, index)
          : use.limit - state.remaining;
      const leaveAt = now + Math.min(use.windowMs, state.resetAtMs - decision.nowMs);
      this.#replace(subject, use, now, leaveAt, Math.min(Math.max(used, 0), MOST_COUNTED));
    }
  }

  async close(): Promise<void> {}

  /** The least that a window must hold if it did not admit this use. */
  #leastUsed(subject: string, use: LimitUse, now: number, index: number): number {
    const tooMuch = use.limit - neededOf(use) + 1;
    if (use.algorithm === 'sliding') return tooMuch;
    return Math.max(tooMuch, this.#look(this.#subjects.find(subject), use, now, index));
  }

  /** Drops ended counts, and active ones when there is no room for `more`. */
  #makeRoom(now: number, more: number): void {
    this.#table.sweep(now, SWEPT_PER_DECISION, this.#dropped);
    while (this.#table.size > this.#mostCounts - more && this.#table.size > 0) {
      this.#table.dropAny(this.#dropped);
    }
  }

  /** The newest count of a limit that has not left, or NONE. */
  #newest(subject: number, use: LimitUse, now: number): number {
    const limit = subject === NONE ? NONE : this.#limits.find(use.name);
    return limit === NONE ? NONE : this.#table.newest(subject, limit, now);
  }

  /** Finds what counts in a limit, as the use `index` of the decision in progress; returns how much it is. */
  #look(subject: number, use: LimitUse, now: number, index: number): number {
    const newest = this.#newest(subject, use, now);
    const latest = newest === NONE ? 0 : this.#latest(use, now);
    let oldest = NONE;
    let used = 0;
    for (let slot = newest; slot !== NONE; slot = this.#table.older(slot, now)) {
      const count = this.#table.count(slot);
      // The window was shortened since.
      if (this.#table.leaveAt(slot) > latest) this.#table.set(slot, latest, count);
      used += count;
      oldest = slot;
    }
    this.#newestSlot[index] = newest;
    this.#oldestSlot[index] = oldest;
    this.#used[index] = used;
    return used;
  }

  /** Counts the cost. */
  #take(subject: string, use: LimitUse, now: number, index: number): void {
    const newest = this.#newestSlot[index] as number;
    const leaveAt = this.#latest(use, now);
    if (newest !== NONE) {
      const newestLeaveAt = this.#table.leaveAt(newest);
      const sub = subWindowMs(use);
      const fixed = sub === 0;
      if (fixed || Math.floor((newestLeaveAt - use.windowMs) / sub) === Math.floor(now / sub)) {
        this.#table.set(
          newest,
          fixed ? newestLeaveAt : leaveAt,
          Math.min(this.#table.count(newest) + use.cost, MOST_COUNTED),
        );
        return;
      }
    }
    this.#insert(subject, use, leaveAt, use.cost);
  }

  /** Its reset is when the oldest count leaves or, if it is exceeded, when enough has left for the cost to fit. */
  #state(use: LimitUse, used: number, now: number, index: number, exceeded: boolean): LimitState {
    const oldest = this.#oldestSlot[index] as number;
    let leaveAt = oldest === NONE ? this.#latest(use, now) : this.#table.leaveAt(oldest);
    if (exceeded && oldest !== this.#newestSlot[index]) {
      let kept = neededOf(use);
      let slot = this.#newestSlot[index] as number;
      while (slot !== NONE && kept <= use.limit) {
        leaveAt = this.#table.leaveAt(slot);
        kept += this.#table.count(slot);
        slot = this.#table.older(slot, now);
      }
    }
    const remaining = exceeded ? 0 : Math.max(0, use.limit - used);
    const resetAtMs = this.#time.onClock(leaveAt);
    if (exceeded && use.shadow)
      return { limit: use.limit, remaining, resetAtMs, violated: false, shadowed: true };
    return { limit: use.limit, remaining, resetAtMs, violated: exceeded };
  }

  /** When what is counted now leaves at the latest. */
  #latest(use: LimitUse, now: number): number {
    if (use.period === undefined) return now + use.windowMs;
    return now + windowLengthMs(use, this.#time.onClock(now));
  }

  /** Replaces what is counted by `used`: in a sliding limit one leaves at `leaveAt`, the rest a window from now. */
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
    return this.#table.insert(this.#subjects.hold(subject), this.#limits.hold(use.name), leaveAt, count);
  }
}

function exceeds(use: LimitUse, used: number): boolean {
  const needed = neededOf(use);
  return needed > 0 && used + needed > Math.min(use.limit, MOST_COUNTED);
}
