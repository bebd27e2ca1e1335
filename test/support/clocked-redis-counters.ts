/** A counter store over a real Redis of any form whose script reads a test clock in place of the server's. */
import { Cluster } from 'ioredis';
import type { CounterStore } from '../../services/shared/ports/counter-store.ts';
import { MemoryCounterStore } from '../../services/shared/storage/memory/memory-counter-store.ts';
import { COUNTER_SCRIPT } from '../../services/shared/storage/redis/counter-script.ts';
import { openRedis } from '../../services/shared/storage/redis/open-redis.ts';
import { parseRedisUrl } from '../../services/shared/storage/redis/redis-address.ts';
import { RedisCounterStore } from '../../services/shared/storage/redis/redis-counter-store.ts';
import type { TestClock } from './test-clock.ts';

const PARTS = COUNTER_SCRIPT.split("redis.call('TIME')");
/** Keys end by the server's clock, which goes on while the test's stands still: so late that no test meets it. */
const KEPT_MS = 3_600_000;
const EXPIRY = /\+ 1000\)(?=\)\n)/g;
/** Each subject has a clock of its own, in the same slot as its counters: a script in a Cluster reads no other. */
const NOW = "tonumber(redis.call('GET', 'clock:' .. string.match(KEYS[1], '{.-}')))";
const CLOCKED_SCRIPT = PARTS.join(`{ math.floor(${NOW} / 1000), ${NOW} % 1000 * 1000 }`).replace(
  EXPIRY,
  `+ ${KEPT_MS})`,
);

export interface ClockedRedisCounters {
  /** Empties Redis and opens a store on the clock; one at a time is in use. */
  make(clock: TestClock): Promise<CounterStore>;
  close(): void;
}

export async function openClockedRedisCounters(url: string): Promise<ClockedRedisCounters> {
  if (PARTS.length !== 2) throw new Error('the script asks for the time in one place');
  if (COUNTER_SCRIPT.match(EXPIRY)?.length !== 1) throw new Error('keys get their expiry in one place');
  const address = parseRedisUrl(url);
  const control = openRedis(address);
  control.on('error', () => {});
  if (control.status !== 'ready') await new Promise((resolve) => control.once('ready', resolve));
  return {
    async make(clock) {
      const store = new RedisCounterStore({
        address,
        commandTimeoutMs: 30_000,
        onConnection: () => {},
        script: CLOCKED_SCRIPT,
        lastKnown: new MemoryCounterStore(clock),
      });
      const servers = control instanceof Cluster ? control.nodes('master') : [control];
      await Promise.all([store.connected(), ...servers.map((server) => server.flushdb())]);
      const told = new Map<string, { readonly atMs: number; readonly telling: Promise<unknown> }>();
      return {
        async decide(subject, uses) {
          await tell(subject);
          return store.decide(subject, uses);
        },
        async charge(subject, use, amount) {
          await tell(subject);
          return store.charge(subject, use, amount);
        },
        peek: (subject, use) => store.peek(subject, use),
        close: () => store.close(),
      };
      async function tell(subject: string): Promise<void> {
        if (told.get(subject)?.atMs !== clock.now()) {
          const telling = control.set(`clock:{${subject}}`, clock.now());
          told.set(subject, { atMs: clock.now(), telling });
        }
        await told.get(subject)?.telling;
      }
    },
    close: () => control.disconnect(),
  };
}
