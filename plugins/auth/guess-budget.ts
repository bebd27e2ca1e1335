/** How many unknown keys of one address may be looked up: as many as it may fail, however many it sends at once. */

import type { GatewayRuntime } from '../../services/shared/plugin/runtime.ts';
import type { LimitUse } from '../../services/shared/ports/counter-store.ts';
import { addressSubject, publicLimitUses } from '../../services/shared/rate-limit/public-limit.ts';
import { MemoryCounterStore } from '../../services/shared/storage/memory/memory-counter-store.ts';

/** Addresses whose guesses are counted at a time; past it what the counters know still bounds each. */
const MOST_ADDRESSES = 65_536;

/** Takes one look-up of the address's budget; whether there was one. No store is asked for a stranger. */
export type MayGuess = (address: string) => boolean;

/**
 * A failure is known of only when its request has been decided, and what the address has left is what this process last
 * knew: requests at once would all see the same budget. So guesses are counted here too, before they are made.
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
