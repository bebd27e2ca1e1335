/** Which of several limits the response headers show, and how they read (contract.md section 4, Headers). */
import type { LimitDecision, LimitState, LimitUse } from '../ports/counter-store.ts';

/** The three header values; `resetSeconds` is a Unix timestamp in seconds. */
export interface ShownLimit {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** A state as headers show it: the reset rounded up to the second. */
export function showState(state: LimitState): ShownLimit {
  return { limit: state.limit, remaining: state.remaining, resetSeconds: Math.ceil(state.resetAtMs / 1000) };
}

/**
 * The index of the limit to show: of violated ones the one that frees last; else the one that admits the fewest further
 * requests of this cost, on a tie the one that resets later.
 */
export function shownIndex(decision: LimitDecision, uses: readonly LimitUse[]): number {
  const { admitted, states } = decision;
  let best = -1;
  let bestFurther = 0;
  let bestReset = 0;
  for (let index = 0; index < states.length; index++) {
    const state = states[index] as LimitState;
    if (!admitted && !state.violated) continue;
    const further = admitted ? Math.floor(state.remaining / (uses[index] as LimitUse).cost) : 0;
    if (best === -1 || further < bestFurther || (further === bestFurther && state.resetAtMs > bestReset)) {
      best = index;
      bestFurther = further;
      bestReset = state.resetAtMs;
    }
  }
  return best;
}
