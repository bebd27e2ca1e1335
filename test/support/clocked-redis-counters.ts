/** A counter store over a real Redis whose script reads a test clock in place of the server's. */
import { Redis } from 'ioredis';
import type { CounterStore } from '../../services/shared/ports/counter-store.ts';
import { MemoryCounterStore } from '../../services/shared/storage/memory/memory-counter-store.ts';
import { COUNTER_SCRIPT } from '../../services/shared/storage/redis/counter-script.ts';
import { RedisCounterStore } from '../../services/shared/storage/redis/redis-counter-store.ts';
import type { TestClock } from './test-clock.ts';

const CLOCK_KEY = 'test-clock';
const PARTS = COUNTER_SCRIPT.split("redis.call('TIME')");
const CLOCKED_SCRIPT = PARTS.join(`{ math.floor(tonumber(redis.call('GET', '${CLOCK_KEY}')) / 1000),
  tonumber(redis.call('GET', '${CLOCK_KEY}')) % 1000 * 1000 }`);

export interface ClockedRedisCounters {
  /** Empties Redis and opens a store on the clock; one at a time is in use. */
  make(clock: TestClock): Promise<CounterStore>;
  close(): void;
}

export function openClockedRedisCounters(url: string): ClockedRedisCounters {
  if (PARTS.length !== 2) throw new Error('the script asks for the time in one place');
  const control = new Redis(url);
  return {
    async make(clock) {
      const store = new RedisCounterStore({
        url,
        commandTimeoutMs: 30_000,
        onConnection: () => {},
        script: CLOCKED_SCRIPT,
        lastKnown: new MemoryCounterStore(clock),
      });
      await Promise.all([control.flushdb(), store.connected()]);
      let toldMs = Number.NaN;
      let telling: Promise<unknown> = Promise.resolve();
      return {
        async decide(subject, uses) {
          if (toldMs !== clock.now()) {
            toldMs = clock.now();
            telling = control.set(CLOCK_KEY, toldMs);
          }
          await telling;
          return store.decide(subject, uses);
        },
        peek: (subject, use) => store.peek(subject, use),
        close: () => store.close(),
      };
    },
    close: () => control.disconnect(),
  };
}
