/** Opens the rate-limit counters: in Redis for many gateway processes, without it in the memory of this one. */
import type { Logger } from 'pino';
import type { Clock } from '../services/shared/ports/clock.ts';
import type { CounterStore } from '../services/shared/ports/counter-store.ts';
import { MemoryCounterStore } from '../services/shared/storage/memory/memory-counter-store.ts';
import { RedisCounterStore } from '../services/shared/storage/redis/redis-counter-store.ts';

/** Opens them; `closers` gets what closes them. */
export function openCounters(
  { redisUrl }: { readonly redisUrl: string | null },
  clock: Clock,
  logger: Logger,
  closers: (() => Promise<unknown>)[],
): CounterStore {
  const local = new MemoryCounterStore(clock);
  const counters = redisUrl === null ? local : redisCounters(redisUrl, local, logger);
  closers.push(() => counters.close());
  return counters;
}

/** Counts in Redis; what it does not answer is counted here, from the last known counts on. */
function redisCounters(url: string, local: MemoryCounterStore, logger: Logger): CounterStore {
  const remote = new RedisCounterStore({
    url,
    lastKnown: local,
    // The message alone: the error of a refused login carries the password among its properties.
    onConnection(fault) {
      if (fault === null) logger.info('the counters in Redis answer again');
      else logger.warn({ reason: fault.message }, 'the counters in Redis are lost');
    },
  });
  return {
    decide: (subject, uses) => remote.decide(subject, uses).catch(() => local.decide(subject, uses)),
    peek: (subject, use) => remote.peek(subject, use),
    close: () => remote.close(),
  };
}
