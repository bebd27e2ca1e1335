/** How long a verdict on a caller serves. */
import type { RequestContext } from './request-context.ts';

/**
 * In milliseconds, counted from before its look-up: with the look-up itself less than the 5 seconds in which a change
 * binds (contract.md).
 */
export const VERDICT_LIFE_MS = 4_000;

/** How much of its life a verdict must have left to serve a request, in milliseconds. */
export function leastLeftMs({ isStanding }: RequestContext): number {
  return isStanding ? VERDICT_LIFE_MS / 2 : 0;
}
