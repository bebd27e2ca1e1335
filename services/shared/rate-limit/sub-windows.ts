/** How finely a sliding limit counts: the length of the sub-windows that its ring is made of. */
import type { LimitUse } from '../ports/counter-store.ts';

/** A request leaves a sliding window at the latest this part of the window after it could have left. */
export const SUB_WINDOWS = 10;

/**
 * Milliseconds of one sub-window; 0 for a fixed limit, which has none. What falls into the same one (counted from the
 * epoch) is kept as one count that leaves a window after its last request, so no window ever holds more than the limit.
 */
export function subWindowMs(use: Pick<LimitUse, 'algorithm' | 'windowMs'>): number {
  return use.algorithm === 'sliding' ? Math.ceil(use.windowMs / SUB_WINDOWS) : 0;
}
