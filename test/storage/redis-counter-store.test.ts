/** The counters over a real Redis: exact over several connections, and prompt refusals without one. */
import { expect } from 'chai';
import type { LimitUse } from '../../services/shared/ports/counter-store.ts';
import { RedisCounterStore } from '../../services/shared/storage/redis/redis-counter-store.ts';
import { counterStoreContract } from '../contract/counter-store.contract.ts';
import { counterStoreModelContract } from '../contract/counter-store-model.contract.ts';
import { type ClockedRedisCounters, openClockedRedisCounters } from '../support/clocked-redis-counters.ts';
import { requireRedis, startRedis, type TestRedis } from '../support/redis-server.ts';
import { rejection } from '../support/rejection.ts';

const LIMIT_50 = {
  name: 'plan',
  limit: 50,
  windowMs: 60_000,
  cost: 1,
  algorithm: 'fixed',
  onStoreFailure: 'local',
} satisfies LimitUse;

describe('RedisCounterStore', function () {
  this.timeout(60_000);
  let redis: TestRedis;
  const open: RedisCounterStore[] = [];

  before(async function () {
    requireRedis(this);
    redis = await startRedis();
  });
  after(() => redis?.kill());
  afterEach(async () => {
    await Promise.all(open.splice(0).map((store) => store.close()));
  });

  describe('with a clock that the test moves', () => {
    let clocked: ClockedRedisCounters;
    before(() => {
      clocked = openClockedRedisCounters(redis.url);
    });
    after(() => clocked?.close());
    counterStoreContract('Redis', (clock) => clocked.make(clock));
    counterStoreModelContract('Redis', (clock) => clocked.make(clock), { runs: 60, backwards: false });
  });

  async function connect(count: number): Promise<readonly RedisCounterStore[]> {
    const stores = Array.from({ length: count }, () => {
      const store = new RedisCounterStore({
        url: redis.url,
        commandTimeoutMs: 30_000,
        onConnection: () => {},
      });
      open.push(store);
      return store;
    });
    await Promise.all(stores.map((store) => store.connected()));
    return stores;
  }

  for (const algorithm of ['fixed', 'sliding'] as const) {
    for (const connections of [1, 4]) {
      it(`admits exactly 50 of 1,000 parallel requests through ${connections} store(s) (${algorithm})`, async () => {
        const stores = await connect(connections);
        const use = { ...LIMIT_50, algorithm };
        const subject = `parallel-${algorithm}-${connections}`;
        const decisions = await Promise.all(
          Array.from({ length: 1_000 }, (_, index) => stores[index % connections]?.decide(subject, [use])),
        );
        expect(decisions.filter((decision) => decision?.admitted)).to.have.length(50);
      });
    }
  }

  it('rejects at once while there is no connection', async () => {
    const faults: (Error | null)[] = [];
    const store = new RedisCounterStore({
      url: 'redis://127.0.0.1:1',
      onConnection: (fault) => faults.push(fault),
    });
    open.push(store);
    expect(await rejection(store.decide('a', [LIMIT_50]))).to.be.instanceOf(Error);
  });
});
