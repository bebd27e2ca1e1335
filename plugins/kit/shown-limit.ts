/** Which of several limits the response headers show, and in which form (contract.md section 4, Headers). */
import {
  type LimitDecision,
  type LimitState,
  type LimitUse,
  neededOf,
} from '../../services/shared/ports/counter-store.ts';

/** The three header values; `resetSeconds` is a Unix timestamp in seconds. */
export interface ShownLimit {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** A state as the headers show it: the reset rounded up to the second. */
export function showState(state: LimitState): ShownLimit {
  return { limit: state.limit, remaining: state.remaining, resetSeconds: Math.ceil(state.resetAtMs / 1000) };
}

/**
 * The index of the limit to show: of violated ones the one that frees last; else the one that admits the fewest further
 * requests of this cost, and on a tie the one that resets later. Limits in shadow are not shown. -1: there is none.
 */
export function shownIndex(decision: LimitDecision, uses: readonly LimitUse[]): number {
  const { admitted, states } = decision;
  let best = -1;
  let bestFurther = 0;
  let bestReset = 0;
  for (let index = 0; index < states.length; index++) {
    const state = states[index] as LimitState;
    const use = uses[index] as LimitUse;
    if (admitted ? use.shadow : !state.violated) continue;
    const further = admitted ? Math.floor(state.remaining / Math.max(1, neededOf(use))) : 0;
    if (best === -1 || further < bestFurther || (further === bestFurther && state.resetAtMs > bestReset)) {
      best = index;
      bestFurther = further;
      bestReset = state.resetAtMs;
    }
  }
  return best;
}
