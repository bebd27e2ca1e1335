/** Opens the rate-limit counters: in Redis for many gateway processes, without it in the memory of this one. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Clock } from '../services/shared/ports/clock.ts';
import type { CounterStore } from '../services/shared/ports/counter-store.ts';
import type { Metrics } from '../services/shared/ports/metrics.ts';
import { GuardedCounterStore } from '../services/shared/rate-limit/guarded-counter-store.ts';
import { MemoryCounterStore } from '../services/shared/storage/memory/memory-counter-store.ts';
import type { RedisAddress } from '../services/shared/storage/redis/redis-address.ts';
import { RedisCounterStore } from '../services/shared/storage/redis/redis-counter-store.ts';
import type { Closers } from './all-or-nothing.ts';

export interface OpenCounters {
  readonly counters: CounterStore;
  /** Whether decisions are made without the store that all processes share. */
  areDegraded(): boolean;
}

export interface CounterPorts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** How long a start waits for Redis before it counts without, in milliseconds. */
const START_MS = 1_000;

/** Opens them, with Redis once it answers or is known not to; `closers` gets what closes them. */
export async function openCounters(
  { redis }: { readonly redis: RedisAddress | null },
  ports: CounterPorts,
  closers: Closers,
): Promise<OpenCounters> {
  const local = new MemoryCounterStore(ports.clock);
  if (redis === null) {
    closers.push(() => local.close());
    return { counters: local, areDegraded: () => false };
  }
  const { counters, settled } = redisCounters(redis, local, ports);
  closers.push(() => counters.close());
  const late = new AbortController();
  await Promise.race([settled, delay(START_MS, undefined, { signal: late.signal }).catch(() => {})]);
  late.abort();
  return { counters, areDegraded: () => counters.state === 'open' };
}

/** Counts in Redis; without it by each limit's rule, from the last known counts on. */
function redisCounters(
  address: RedisAddress,
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
    remote,
    lastKnown: local,
    clock,
    metrics,
    // The message alone: the error of a refused login carries the password among its properties.
    onChange(fault) {
      if (fault === null) logger.info('the counters in Redis answer again');
      else
        logger.warn(
          { reason: fault instanceof Error ? fault.message : String(fault) },
          'the counters in Redis are lost: until they answer each limit goes by its onStoreFailure',
        );
    },
  });
  return { counters, settled: Promise.race([remote.connected(), failed]) };
}
