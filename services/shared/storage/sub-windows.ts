/** How finely a sliding limit counts: the length of its sub-windows. */
import type { LimitUse } from '../ports/counter-store.ts';

/** The share of the window by which a request may stay too long in a sliding window, at most. */
export const SUB_WINDOWS = 10;

/**
 * Milliseconds of one sub-window; 0 for a fixed limit, which has none. Requests in the same one (counted from the epoch)
 * are kept as one count that leaves a window after its last request, so no window ever holds more than the limit.
 */
export function subWindowMs(use: Pick<LimitUse, 'algorithm' | 'windowMs'>): number {
  return use.algorithm === 'sliding' ? Math.ceil(use.windowMs / SUB_WINDOWS) : 0;
}
