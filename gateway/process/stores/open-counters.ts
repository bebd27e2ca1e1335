/** Opens the rate-limit counters: in Redis for many gateway processes, otherwise in the memory of this one, its quotas in a file too. */
import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Counting } from '../../../config/redis-settings.ts';
import type { Clock } from '../../../services/shared/ports/clock.ts';
import type { CounterStore } from '../../../services/shared/ports/counter-store.ts';
import type { Metrics } from '../../../services/shared/ports/metrics.ts';
import { MemoryCounterStore } from '../../../services/shared/storage/memory/memory-counter-store.ts';
import { BatchedCounterStore } from '../../../services/shared/storage/redis/batched-counter-store.ts';
import type { RedisAddress } from '../../../services/shared/storage/redis/redis-address.ts';
import { RedisCounterStore } from '../../../services/shared/storage/redis/redis-counter-store.ts';
import { DurableCounterStore } from '../../../services/shared/storage/sqlite/durable-counter-store.ts';
import { GuardedCounterStore } from '../../serve/counters/guarded-counter-store.ts';
import type { Closers } from '../all-or-nothing.ts';

export interface OpenCounters {
  readonly counters: CounterStore;
  /** Whether decisions are made without the shared store. */
  areDegraded(): boolean;
}

export interface CounterPorts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** How long startup waits for Redis before it counts without it, in milliseconds. */
const START_MS = 1_000;

/** Keeps this use of the cookie key apart from others. */
const PURPOSE = 'tidegate quotas\n';

export interface CounterSettings {
  readonly redis: RedisAddress | null;
  readonly counting: Counting;
  /** The file of quotas, used without Redis. */
  readonly quotaFile: string;
  /** Seals the addresses in that file. */
  readonly cookieKey: Uint8Array;
}

/** Opens the counters, with Redis once it answers or is known not to; `closers` gets the function that closes them. */
export async function openCounters(
  { redis, counting, quotaFile, cookieKey }: CounterSettings,
  ports: CounterPorts,
  closers: Closers,
): Promise<OpenCounters> {
  const local = new MemoryCounterStore(ports.clock);
  if (redis === null) {
    const seal = (text: string): string =>
      createHmac('sha256', cookieKey)
        .update(PURPOSE + text)
        .digest('base64url');
    const { clock, logger } = ports;
    const counters = new DurableCounterStore({ memory: local, path: quotaFile, seal, clock, logger });
    closers.push(() => counters.close());
    return { counters, areDegraded: () => false };
  }
  const { counters, settled } = redisCounters(redis, counting, local, ports);
  closers.push(() => counters.close());
  const late = new AbortController();
  await Promise.race([settled, delay(START_MS, undefined, { signal: late.signal }).catch(() => {})]);
  late.abort();
  return { counters, areDegraded: () => counters.state === 'open' };
}

/** Counts in Redis; without it by each limit's rule, starting from the last known counts. */
function redisCounters(
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
