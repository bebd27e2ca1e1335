/** Composes the rate-limit counters that many gateway processes share: Redis, with a guard before it. */
import type { Counting } from '../../../config/redis-settings.ts';
import type { MemoryCounterStore } from '../../../services/shared/storage/memory/memory-counter-store.ts';
import { BatchedCounterStore } from '../../../services/shared/storage/redis/batched-counter-store.ts';
import type { RedisAddress } from '../../../services/shared/storage/redis/redis-address.ts';
import { RedisCounterStore } from '../../../services/shared/storage/redis/redis-counter-store.ts';
import { GuardedCounterStore } from '../../serve/counters/guarded-counter-store.ts';
import type { CounterPorts } from './stores.ts';

/** Counts in Redis; without it by each limit's rule, starting from the last known counts. */
export function redisCounters(
  address: RedisAddress,
  counting: Counting,
  local: MemoryCounterStore,
  { clock, logger, metrics }: CounterPorts,
): { readonly counters: GuardedCounterStore; readonly settled: Promise<void> } {
  let settle = (): void => {};
  const failed = new Promise<void>((resolve) => {
    settle = resolve;
  });
  const remote = new RedisCounterStore({
    address,
    lastKnown: local,
    onConnection(fault) {
      settle();
      if (fault === null) counters.back();
      else counters.lost(fault);
    },
  });
  const counters = new GuardedCounterStore({
    remote: counting === 'fast' ? new BatchedCounterStore({ remote, lastKnown: local }) : remote,
    lastKnown: local,
    clock,
    metrics,
    // Only the message: the error of a refused login has the password among its properties.
    onChange(fault) {
      if (fault === null) logger.info('the counters in Redis answer again');
      else
        logger.warn(
          { reason: fault instanceof Error ? fault.message : String(fault) },
          'the counters in Redis do not answer: until they do, each limit follows its onStoreFailure',
        );
    },
  });
  return { counters, settled: Promise.race([remote.connected(), failed]) };
}
