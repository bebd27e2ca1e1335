/** Opens the rate-limit counters: in Redis for many gateway processes, otherwise in the memory of this one, its quotas in a file too. */
import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Counting } from '../../../config/redis-settings.ts';
import type { CounterStore } from '../../../services/shared/ports/counter-store.ts';
import { MemoryCounterStore } from '../../../services/shared/storage/memory/memory-counter-store.ts';
import type { RedisAddress } from '../../../services/shared/storage/redis/redis-address.ts';
import { DurableCounterStore } from '../../../services/shared/storage/sqlite/durable-counter-store.ts';
import type { Closers } from '../all-or-nothing.ts';
import type { CounterPorts } from './stores.ts';

export interface OpenCounters {
  readonly counters: CounterStore;
  /** Whether decisions are made without the shared store. */
  areDegraded(): boolean;
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
  // As with documents: only who counts there loads the client.
  const { redisCounters } = await import('./redis-counters.ts');
  const { counters, settled } = redisCounters(redis, counting, local, ports);
  closers.push(() => counters.close());
  const late = new AbortController();
  await Promise.race([settled, delay(START_MS, undefined, { signal: late.signal }).catch(() => {})]);
  late.abort();
  return { counters, areDegraded: () => counters.state === 'open' };
}
