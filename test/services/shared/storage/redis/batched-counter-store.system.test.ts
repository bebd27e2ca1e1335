/** Fast counting over a real Redis: four processes as fast as they can stay within the bound, and Redis knows all that passed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { systemClock } from '../../../../../services/shared/ports/clock.ts';
import type { LimitUse } from '../../../../../services/shared/ports/counter-store.ts';
import { MemoryCounterStore } from '../../../../../services/shared/storage/memory/memory-counter-store.ts';
import {
  BatchedCounterStore,
  NEAR,
  TOLD_EVERY_MS,
} from '../../../../../services/shared/storage/redis/batched-counter-store.ts';
import { parseRedisUrl } from '../../../../../services/shared/storage/redis/redis-address.ts';
import { RedisCounterStore } from '../../../../../services/shared/storage/redis/redis-counter-store.ts';
import { requireRedis, startRedis, type TestRedis } from '../../../../support/redis-server.ts';

const GATEWAYS = 4;
const useOf = (limit: number, name: string): LimitUse => ({
  ...{ name, limit, windowMs: 60_000, cost: 1, algorithm: 'fixed', onStoreFailure: 'local' },
});

describe('fast counting over Redis', function () {
  this.timeout(60_000);
  let redis: TestRedis;
  let stores: BatchedCounterStore[];
  let exact: RedisCounterStore;

  before(async function () {
    requireRedis(this);
    redis = await startRedis();
    const open = async () => {
      const lastKnown = new MemoryCounterStore(systemClock);
      const address = parseRedisUrl(redis.url);
      const remote = new RedisCounterStore({ address, lastKnown, onConnection: () => undefined });
      await remote.connected();
      return { remote, lastKnown };
    };
    stores = [];
    for (let count = 0; count < GATEWAYS; count++) stores.push(new BatchedCounterStore(await open()));
    exact = (await open()).remote;
  });
  after(async () => {
    await Promise.all((stores ?? []).map((store) => store.close()));
    await exact?.close();
    await redis?.kill();
  });

  it('holds a burst of all processes to 0.8 times the limit each, and tells Redis every request that passed', async () => {
    const use = useOf(2_000, 'burst@60s');
    let admitted = 0;
    await Promise.all(
      stores.map(async (store) => {
        for (let sent = 0; sent < 4_000; sent++) {
          if ((await store.decide('organization:burst', [use])).admitted) admitted++;
          if (sent % 500 === 0) await sleep(1);
        }
      }),
    );
    expect(admitted).to.be.at.least(2_000);
    expect(admitted).to.be.at.most((1 - NEAR) * GATEWAYS * 2_000);
    await Promise.all(stores.map((store) => store.tell()));
    // A limit far above shows how much Redis counted.
    const wide = await exact.decide('organization:burst', [{ ...use, limit: 1_000_000, cost: 0, needs: 0 }]);
    expect(1_000_000 - (wide.states[0]?.remaining ?? 0)).to.equal(admitted);
  });

  it('exceeds a limit of a steady stream by less than the others admit between two tellings', async () => {
    const use = useOf(1_000, 'steady@60s');
    const admittedAt: number[][] = stores.map(() => []);
    let slowestMs = 0;
    await Promise.all(
      stores.map(async (store, gateway) => {
        for (let sent = 0; sent < 600; sent++) {
          const askedMs = performance.now();
          const { admitted } = await store.decide('organization:steady', [use]);
          const endedMs = performance.now();
          slowestMs = Math.max(slowestMs, endedMs - askedMs);
          if (admitted) admittedAt[gateway]?.push(endedMs);
          await sleep(2);
        }
      }),
    );
    const total = admittedAt.reduce((sum, of) => sum + of.length, 0);
    const most = admittedAt.map((of) => mostWithin(of, TOLD_EVERY_MS + 2 * slowestMs + 50));
    const others = most.reduce((sum, of) => sum + of) - Math.min(...most);
    expect(total).to.be.at.least(1_000);
    expect(total).to.be.at.most(1_000 + others);
    const refused = await Promise.all(stores.map((store) => store.decide('organization:steady', [use])));
    expect(refused.map(({ admitted }) => admitted)).to.deep.equal(stores.map(() => false));
  });
});

/** The most of these instants, ascending, that lie within so many milliseconds. */
function mostWithin(instants: readonly number[], milliseconds: number): number {
  let most = 0;
  let first = 0;
  for (const [index, at] of instants.entries()) {
    while (at - (instants[first] ?? at) > milliseconds) first++;
    most = Math.max(most, index - first + 1);
  }
  return most;
}
