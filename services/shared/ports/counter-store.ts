/** The port of rate-limit counters: one atomic decision over all limits of a request. */

/** How a limit counts: fixed windows, each starting with a request, or a sliding ring of sub-windows. */
export const ALGORITHMS = ['fixed', 'sliding'] as const;
export type Algorithm = (typeof ALGORITHMS)[number];

/**
 * What applies while the store does not answer: each process counts for itself, nothing is counted, or nothing is
 * admitted.
 */
export const STORE_FAILURES = ['local', 'open', 'closed'] as const;
export type StoreFailure = (typeof STORE_FAILURES)[number];

/** Windows by the calendar, in UTC: they end at midnight, or at midnight before the first of the month. */
export const PERIODS = ['day', 'month'] as const;
export type Period = (typeof PERIODS)[number];

/** The longest that a period lasts, in milliseconds. */
export const LONGEST_PERIOD_MS: Readonly<Record<Period, number>> = {
  day: 86_400_000,
  month: 31 * 86_400_000,
};

/** One limit as it applies to one request. */
export interface LimitUse {
  /** Names the counter within its subject, such as `plan@10s` or `public:other`; it keeps its count when the rule changes. */
  readonly name: string;
  /** How much one window admits at most. */
  readonly limit: number;
  /** Length of the window, in milliseconds; of a calendar period the longest that it lasts. */
  readonly windowMs: number;
  /** The window is this period of the calendar instead of one that a request starts; `fixed` only. Such a limit is a quota. */
  readonly period?: Period;
  /** Decided and counted as any other, but it refuses nothing. */
  readonly shadow?: true;
  /** What this request takes from it; 1 except for batches, and 0 of a limit that is charged afterwards. */
  readonly cost: number;
  /** What must be left for the request to pass; defaults to its cost. */
  readonly needs?: number;
  readonly algorithm: Algorithm;
  readonly onStoreFailure: StoreFailure;
}

/** The state of one limit after the decision. */
export interface LimitState {
  readonly limit: number;
  /** What the window still admits; 0 for a violated limit. */
  readonly remaining: number;
  /**
   * In epoch milliseconds. Fixed: when the window ends. Sliding: when the oldest sub-window leaves or, where the cost
   * does not fit, the earliest instant at which it will.
   */
  readonly resetAtMs: number;
  /** Whether this limit refused the request. */
  readonly violated: boolean;
  /** Present where a limit in shadow would have refused it. */
  readonly shadowed?: true;
}

/**
 * The request counts in every limit (`admitted`) or in none. Those in shadow count it together or not at all: as if they
 * refused, but only where the others admit.
 */
export interface LimitDecision {
  readonly admitted: boolean;
  /** One state for each use, in the same order. */
  readonly states: readonly LimitState[];
  /** The instant of the decision by the store's own clock, in epoch milliseconds. */
  readonly nowMs: number;
}

/** What must be left in the limit for the request to pass. */
export function neededOf({ needs, cost }: LimitUse): number {
  return needs ?? cost;
}

/** The use that counts `amount` afterwards: it needs nothing left, so nothing refuses it. */
export function chargeUse(use: LimitUse, amount: number): LimitUse {
  return { ...use, cost: amount, needs: 0 };
}

export interface CounterStore {
  /**
   * Decides for `subject` (an organization or an address) over `uses`: at least one, each name once. A fixed
   * window starts with the subject's first counted request in it; no window of a sliding limit ever holds more than the
   * limit (contract.md section 4). A limit whose rule changes, its window too, keeps its count: what
   * was counted leaves no later than a window from now. A store in memory answers at once, others
   * with a promise, which is rejected when the store does not answer. A quota ends with its period by the store's clock,
   * whenever its first request came.
   */
  decide(subject: string, uses: readonly LimitUse[]): LimitDecision | Promise<LimitDecision>;
  /**
   * Counts `amount` (a whole number from 1) in the limit of `use`, whatever is left of it: work that was done must be
   * paid. A window that then exceeds its limit has 0 remaining. Like {@link decide}, it answers at once or with a
   * promise, which rejects when the store does not answer.
   */
  charge(subject: string, use: LimitUse, amount: number): LimitState | Promise<LimitState>;
  /** The state of a limit as this process last knew it; counts nothing. */
  peek(subject: string, use: LimitUse): LimitState;
  close(): Promise<void>;
}
