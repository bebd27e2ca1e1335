/** Rate-limit counters in the memory of one process: exact, because a decision runs without interruption. */
import type { Clock } from '../../ports/clock.ts';
import type { CounterStore, LimitDecision, LimitState, LimitUse } from '../../ports/counter-store.ts';

/** One running window of one limit. */
interface Window {
  readonly name: string;
  readonly windowMs: number;
  endsAtMs: number;
  used: number;
}

/** How many subjects each decision looks at to drop those whose windows all ended: memory follows the live callers. */
const SWEPT_PER_DECISION = 2;

export class MemoryCounterStore implements CounterStore {
  readonly #clock: Clock;
  readonly #subjects = new Map<string, Window[]>();
  #sweep = this.#subjects.entries();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How many subjects are held at the moment. */
  get size(): number {
    return this.#subjects.size;
  }

  decide(subject: string, uses: readonly LimitUse[]): LimitDecision {
    const now = this.#clock.now();
    this.#dropEnded(now);
    let windows = this.#subjects.get(subject);
    if (windows === undefined) {
      windows = [];
      this.#subjects.set(subject, windows);
    }
    let admitted = true;
    for (const use of uses) {
      if (usedIn(windows, use, now) + use.cost > use.limit) admitted = false;
    }
    const states: LimitState[] = [];
    for (const use of uses)
      states.push(admitted ? take(windows, use, now) : stateOf(windows, use, now, use.cost));
    if (windows.length === 0) this.#subjects.delete(subject);
    return { admitted, states, nowMs: now };
  }

  peek(subject: string, use: LimitUse): LimitState {
    return stateOf(this.#subjects.get(subject) ?? [], use, this.#clock.now(), 0);
  }

  /**
   * Takes over how a remote store decided, in place of what was counted here: counting goes on from its last known
   * counts. A window ends as long from now as it did from the decision, so the two clocks need not agree.
   */
  adopt(subject: string, uses: readonly LimitUse[], decision: LimitDecision): void {
    const now = this.#clock.now();
    const windows = this.#subjects.get(subject) ?? [];
    uses.forEach((use, index) => {
      const state = decision.states[index];
      if (state === undefined) return;
      // Of a violated limit it is only known that this cost did not fit.
      const used = state.violated ? Math.max(0, use.limit - use.cost + 1) : use.limit - state.remaining;
      const endsAtMs = now + Math.min(use.windowMs, state.resetAtMs - decision.nowMs);
      const window = find(windows, use);
      if (window === undefined) windows.push({ name: use.name, windowMs: use.windowMs, endsAtMs, used });
      else Object.assign(window, { endsAtMs, used });
    });
    this.#subjects.set(subject, windows);
  }

  async close(): Promise<void> {
    this.#subjects.clear();
  }

  #dropEnded(now: number): void {
    for (let count = 0; count < SWEPT_PER_DECISION; count++) {
      const { value, done } = this.#sweep.next();
      if (done) {
        this.#sweep = this.#subjects.entries();
        return;
      }
      const [subject, windows] = value;
      if (windows.every((window) => window.endsAtMs <= now)) this.#subjects.delete(subject);
    }
  }
}

function find(windows: readonly Window[], use: LimitUse): Window | undefined {
  for (const window of windows) {
    if (window.name === use.name && window.windowMs === use.windowMs) return window;
  }
  return undefined;
}

function usedIn(windows: readonly Window[], use: LimitUse, now: number): number {
  const window = find(windows, use);
  return window === undefined || window.endsAtMs <= now ? 0 : window.used;
}

/** Counts the cost, in a new window when none runs. */
function take(windows: Window[], use: LimitUse, now: number): LimitState {
  let window = find(windows, use);
  if (window === undefined) {
    window = { name: use.name, windowMs: use.windowMs, endsAtMs: now + use.windowMs, used: 0 };
    windows.push(window);
  } else if (window.endsAtMs <= now) {
    window.endsAtMs = now + use.windowMs;
    window.used = 0;
  }
  window.used += use.cost;
  return {
    limit: use.limit,
    remaining: use.limit - window.used,
    resetAtMs: window.endsAtMs,
    violated: false,
  };
}

/** The state without counting; violated when `cost` more would exceed the limit. */
function stateOf(windows: readonly Window[], use: LimitUse, now: number, cost: number): LimitState {
  const window = find(windows, use);
  const running = window !== undefined && window.endsAtMs > now;
  const used = running ? window.used : 0;
  const violated = cost > 0 && used + cost > use.limit;
  return {
    limit: use.limit,
    remaining: violated ? 0 : Math.max(0, use.limit - used),
    resetAtMs: running ? window.endsAtMs : now + use.windowMs,
    violated,
  };
}
