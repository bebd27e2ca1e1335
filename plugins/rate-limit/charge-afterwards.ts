/** Charges limits of seconds when the work is over: what ran is paid, whatever the answer. */
import { LRUCache } from 'lru-cache';
import { atMost } from '../../services/shared/caches/at-most.ts';
import type { LimitUse } from '../../services/shared/ports/counter-store.ts';
import type { GatewayRuntime } from '../kit/runtime.ts';
import type { Charge } from './limit-uses.ts';

/** How many counters have their fraction of a second remembered. */
const MOST_FRACTIONS = 10_000;

/** Whether a use takes nothing in advance, and is charged afterwards with the time that the work ran. */
export function isChargedAfterwards({ needs, cost }: LimitUse): boolean {
  return needs !== undefined && cost === 0;
}

/**
 * Counters hold whole seconds. The remaining fraction is kept here and charged with the next work on the same counter,
 * so that many short runs cost what they took.
 */
export function createChargeAfterwards({
  counters,
  logger,
}: GatewayRuntime): (charge: Charge, milliseconds: number) => void {
  const fractions = new LRUCache<string, number>(atMost(MOST_FRACTIONS));

  /** Never rejects: the answer goes on, whatever the counters do. */
  async function count(subject: string, use: LimitUse, seconds: number): Promise<void> {
    try {
      await counters.charge(subject, use, seconds);
    } catch (fault) {
      logger.error({ err: fault, limit: use.name }, 'work that ran could not be charged');
    }
  }

  return function chargeAfterwards({ subject, uses }, milliseconds) {
    for (const use of uses) {
      if (!isChargedAfterwards(use)) continue;
      const key = `${subject} ${use.name}`;
      const owed = (fractions.get(key) ?? 0) + milliseconds;
      const seconds = Math.floor(owed / 1_000);
      fractions.set(key, owed - seconds * 1_000);
      if (seconds === 0) continue;
      void count(subject, use, seconds);
    }
  };
}
