/** The port of rate-limit counters: one atomic decision over every limit that a request falls under. */

/** How a limit counts: windows from the first request on, or a ring of sub-windows that slides. */
export const ALGORITHMS = ['fixed', 'sliding'] as const;
export type Algorithm = (typeof ALGORITHMS)[number];

/** What holds while the store does not answer: each process counts for itself, nothing is counted, or nothing is let in. */
export const STORE_FAILURES = ['local', 'open', 'closed'] as const;
export type StoreFailure = (typeof STORE_FAILURES)[number];

/** One limit as it applies to one request. */
export interface LimitUse {
  /** Names the counter below its subject, such as `plan@10s` or `public:other`; it keeps its count when the rule changes. */
  readonly name: string;
  /** The most that one window admits. */
  readonly limit: number;
  /** Length of the window, in milliseconds. */
  readonly windowMs: number;
  /** What this request takes of it; 1 save for batches. */
  readonly cost: number;
  readonly algorithm: Algorithm;
  readonly onStoreFailure: StoreFailure;
}

/** How one limit stands after the decision. */
export interface LimitState {
  readonly limit: number;
  /** What the window still admits; of a violated limit 0. */
  readonly remaining: number;
  /**
   * In epoch milliseconds: when the window ends; of a sliding limit when its oldest sub-window leaves or, where the cost
   * does not fit, the earliest instant at which it does.
   */
  readonly resetAtMs: number;
  /** Whether this limit refused the request. */
  readonly violated: boolean;
}

/** The request counts in every limit (`admitted`) or in none. */
export interface LimitDecision {
  readonly admitted: boolean;
  /** A state for each use, in their order. */
  readonly states: readonly LimitState[];
  /** The instant of the decision by the store's own clock, in epoch milliseconds. */
  readonly nowMs: number;
}

export interface CounterStore {
  /**
   * Decides for `subject` (an organization or an address) over `uses`: at least one, each name once. A fixed
   * window starts with the subject's first counted request in it; no window of a sliding limit ever holds more than the
   * limit (contract.md section 4). A limit whose rule changes, its window too, keeps its count: what
   * was counted leaves no later than a window from now. A store in memory answers at once, others
   * with a promise, which is rejected when the store does not answer.
   */
  decide(subject: string, uses: readonly LimitUse[]): LimitDecision | Promise<LimitDecision>;
  /** How a limit stands as this process last knew it, counting nothing. */
  peek(subject: string, use: LimitUse): LimitState;
  close(): Promise<void>;
}
