/** Counters and bus over a Redis Cluster: their contracts, keys of one subject at one node, and a node that is lost. */
import { once } from 'node:events';
import { expect } from 'chai';
import type { Cluster, Redis } from 'ioredis';
import type { LimitUse } from '../../../../../services/shared/ports/counter-store.ts';
import { openRedis } from '../../../../../services/shared/storage/redis/open-redis.ts';
import { parseRedisUrl } from '../../../../../services/shared/storage/redis/redis-address.ts';
import { RedisBus } from '../../../../../services/shared/storage/redis/redis-bus.ts';
import { RedisCounterStore } from '../../../../../services/shared/storage/redis/redis-counter-store.ts';
import { busContract, record } from '../../../../contract/bus.contract.ts';
import { counterStoreContract } from '../../../../contract/counter-store.contract.ts';
import { redisFailoverContract } from '../../../../contract/redis-failover.contract.ts';
import {
  type ClockedRedisCounters,
  openClockedRedisCounters,
} from '../../../../support/clocked-redis-counters.ts';
import { eventually } from '../../../../support/eventually.ts';
import { startCluster, type TestCluster } from '../../../../support/redis-cluster.ts';
import { requireRedis } from '../../../../support/redis-server.ts';

const LIMIT_50: LimitUse = {
  name: 'plan@10s',
  limit: 50,
  windowMs: 60_000,
  cost: 1,
  algorithm: 'fixed',
  onStoreFailure: 'local',
};
const USES = [LIMIT_50, { ...LIMIT_50, name: 'plan' }, { ...LIMIT_50, name: 'custom-sql' }];
const SUBJECTS = Array.from({ length: 60 }, (_, index) => `organization:org_${index}`);

describe('a Redis Cluster', () => {
  let cluster: TestCluster;
  const open: { close(): Promise<void> }[] = [];

  before(async function () {
    requireRedis(this);
    cluster = await startCluster();
  });
  after(() => cluster?.close());
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.close()));
  });

  const openBus = (url: string, onConnection: (fault: Error | null) => void = () => {}) => {
    const bus = new RedisBus({ address: parseRedisUrl(url), onConnection });
    open.push(bus);
    return bus;
  };
  async function connect(count: number): Promise<readonly RedisCounterStore[]> {
    const address = parseRedisUrl(cluster.url);
    const stores = Array.from(
      { length: count },
      () => new RedisCounterStore({ address, commandTimeoutMs: 30_000, onConnection: () => {} }),
    );
    open.push(...stores);
    await Promise.all(stores.map((store) => store.connected()));
    return stores;
  }

  describe('with a clock that the test moves', () => {
    let clocked: ClockedRedisCounters;
    before(async () => {
      clocked = await openClockedRedisCounters(cluster.url);
    });
    after(() => clocked?.close());
    counterStoreContract('Redis Cluster', (clock) => clocked.make(clock));
  });

  describe('between two nodes', () => {
    let marks: Redis;
    before(async () => {
      marks = (cluster.masters[1] as Redis).duplicate();
      await marks.subscribe('mark');
    });
    after(() => marks?.disconnect());

    busContract('RedisBus over a Cluster', async () => {
      const [first, second] = cluster.masters as [Redis, Redis];
      const [here, there] = [first, second].map(({ options }) =>
        openBus(`redis-cluster://127.0.0.1:${options.port}`),
      ) as [RedisBus, RedisBus];
      await Promise.all([here.connected(), there.connected()]);
      return {
        here,
        there,
        async close() {
          await Promise.all([here.close(), there.close()]);
          // What goes from node to node may still be under way; this comes after it.
          const marked = new Promise((resolve) => marks.once('message', resolve));
          await first.publish('mark', '');
          await marked;
        },
      };
    });
  });

  it('leaves no timer behind when it is closed while it asks which node has which keys', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
    // The limit of the test has a timer too, from its first wait on.
    await new Promise(setImmediate);
    const before = timers();
    const client = openRedis(parseRedisUrl(cluster.url)) as Cluster;
    await once(client, 'ready');
    const ask = client.refreshSlotsCache.bind(client);
    await new Promise<void>((resolve) => {
      client.refreshSlotsCache = (callback) => {
        client.refreshSlotsCache = ask;
        ask((...answer) => {
          callback?.(...answer);
          resolve();
        });
        client.disconnect();
      };
    });
    await eventually(timers).satisfies((left) => expect(left).to.be.at.most(before));
  });

  it('admits exactly 50 of 1,000 parallel requests of each of 6 subjects through 4 stores', async () => {
    const stores = await connect(4);
    // One subject after another: a process that is busy with more for seconds takes its connections for silent.
    for (const subject of ['a', 'b', 'c', 'd', 'e', 'f']) {
      const decisions = await Promise.all(
        Array.from({ length: 1_000 }, (_, index) => stores[index % 4]?.decide(`parallel-${subject}`, USES)),
      );
      expect(decisions.filter((decision) => decision?.admitted)).to.have.length(50);
    }
  });

  it('keeps the counters of a subject at one node, and subjects at all nodes', async () => {
    const [store] = await connect(1);
    await Promise.all(cluster.masters.map((master) => master.flushdb()));
    for (const subject of SUBJECTS) await store?.decide(subject, USES);
    const held = await Promise.all(cluster.masters.map((master) => master.keys('*')));
    const nodes = SUBJECTS.map((subject) =>
      held.map((keys) => keys.filter((key) => key.includes(`{${subject}}`)).length).sort(),
    );
    expect(nodes).to.deep.equal(SUBJECTS.map(() => [0, 0, USES.length]));
    for (const keys of held) expect(keys).to.not.have.length(0);
  });

  it('decides at each node that has forgotten the script', async () => {
    const [store] = await connect(1);
    for (const subject of SUBJECTS) await store?.decide(subject, [LIMIT_50]);
    await Promise.all(cluster.masters.map((master) => master.script('FLUSH')));
    const before = SUBJECTS.map((subject) => store?.peek(subject, LIMIT_50).remaining ?? 0);
    const decisions = await Promise.all(SUBJECTS.map((subject) => store?.decide(subject, [LIMIT_50])));
    expect(decisions.map((decision) => decision?.states[0]?.remaining)).to.deep.equal(
      before.map((remaining) => remaining - 1),
    );
  });

  it('follows counters that move to another node, and counts each call once', async () => {
    const [store] = await connect(1);
    const [first, second] = cluster.masters as [Redis, Redis];
    const [subject] = await subjectsOf(first);
    const slot = await first.cluster('KEYSLOT', `{${subject}}`);
    const [from, to] = await Promise.all([first.cluster('MYID'), second.cluster('MYID')]);
    expect((await store?.decide(subject, [LIMIT_50]))?.states[0]?.remaining).to.equal(49);
    for (const [giver, taker, takerId, giverId] of [
      [first, second, to, from],
      [second, first, from, to],
    ] as const) {
      await taker.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', giverId);
      await giver.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', takerId);
      for (const key of (await giver.call('CLUSTER', 'GETKEYSINSLOT', slot, 10)) as string[]) {
        await giver.migrate('127.0.0.1', taker.options.port ?? 0, key, 0, 5_000);
      }
      await store?.decide(subject, [LIMIT_50]);
      for (const master of [taker, giver]) await master.call('CLUSTER', 'SETSLOT', slot, 'NODE', takerId);
      await store?.decide(subject, [LIMIT_50]);
    }
    expect((await store?.decide(subject, [LIMIT_50]))?.states[0]?.remaining).to.equal(44);
  });

  // The last two, in this order: the first node is gone for good afterwards.
  it('bus: listens at another node when its own is lost, takes everything for changed, and goes on', async () => {
    const [first, second] = cluster.masters as [Redis, Redis];
    const url = `redis-cluster://127.0.0.1:${first.options.port},127.0.0.1:${second.options.port}`;
    const here = openBus(url);
    // Else it may be the one that begins to listen there.
    await here.connected();
    const lost: RedisBus[] = [];
    // Each begins at any node.
    while (lost.length === 0) {
      const before = await listeners(first);
      let isLost = false;
      const bus = openBus(url, (fault) => {
        isLost ||= fault !== null;
      });
      await bus.connected();
      expect(isLost).to.equal(false);
      if ((await listeners(first)) > before) lost.push(bus);
    }
    const [there] = lost as [RedisBus];
    await Promise.all([here.connected(), there.connected()]);
    const { heard, until } = record(there);
    await first.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    await until(1);
    await Promise.all([here.connected(), there.connected()]);
    expect(heard[0]).to.deep.equal({ kind: 'everything' });
    // What is not accepted in time is made up for by `everything`.
    while (!heard.some(({ kind }) => kind === 'organization')) {
      here.publish({ kind: 'organization', id: 'org_a' });
      await until(heard.length + 1);
    }
  });

  describe('a node of which is lost', () => {
    let subjects: readonly [string, string];
    before(async () => {
      subjects = await subjectsOf(cluster.masters[0] as Redis);
    });
    redisFailoverContract('counters', () => ({
      url: cluster.url,
      subjects,
      kill: () => cluster.killFirst(),
      succeed: () => cluster.succeed(),
    }));
  });

  /** Two subjects whose counters the first master holds. */
  async function subjectsOf(first: Redis): Promise<[string, string]> {
    const found: string[] = [];
    for (let index = 0; found.length < 2; index++) {
      const slot = await first.cluster('KEYSLOT', `{lost-${index}}`);
      if (Number(slot) <= 5_460) found.push(`lost-${index}`);
    }
    return found as [string, string];
  }
});

async function listeners(node: Redis): Promise<number> {
  const [, count] = (await node.pubsub('NUMSUB', 'tidegate:invalidations')) as [string, number];
  return Number(count);
}
