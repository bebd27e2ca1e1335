/** How many unknown keys one address may have looked up: as many as it may fail, however many it sends at once. */

import { addressSubject, publicLimitUses } from '../../services/shared/plans/public-limit.ts';
import type { LimitUse } from '../../services/shared/ports/counter-store.ts';
import { MemoryCounterStore } from '../../services/shared/storage/memory/memory-counter-store.ts';
import type { GatewayRuntime } from '../kit/runtime.ts';

/** How many addresses are tracked at a time; beyond that, the counters still bound each. */
const MOST_ADDRESSES = 65_536;

/** Takes one look-up from the address's budget, and returns whether there was one. Asks no store for a stranger. */
export type MayGuess = (address: string) => boolean;

/**
 * A failure is known only when its request has been decided, and what the address has left is what this process last
 * knew, so parallel requests would all see the same budget. Guesses are therefore counted here too, before they are
 * made.
 */
export function createGuessBudget({
  clock,
  counters,
  plans,
}: Pick<GatewayRuntime, 'clock' | 'counters' | 'plans'>): MayGuess {
  const failures = publicLimitUses(plans)['failed-credentials'];
  const guesses = new MemoryCounterStore(clock, MOST_ADDRESSES);
  const uses: readonly LimitUse[] = [failures];

  return function mayGuess(address) {
    const subject = addressSubject(address);
    return counters.peek(subject, failures).remaining > 0 && guesses.decide(subject, uses).admitted;
  };
}
