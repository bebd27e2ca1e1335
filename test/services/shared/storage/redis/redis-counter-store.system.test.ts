/** The counters over a real Redis: exact over several connections, and prompt refusals without one. */
import { expect } from 'chai';
import { Redis } from 'ioredis';
import {
  type LimitDecision,
  type LimitUse,
  LONGEST_PERIOD_MS,
} from '../../../../../services/shared/ports/counter-store.ts';
import { parseRedisUrl } from '../../../../../services/shared/storage/redis/redis-address.ts';
import { RedisCounterStore } from '../../../../../services/shared/storage/redis/redis-counter-store.ts';
import { counterStoreContract } from '../../../../contract/counter-store.contract.ts';
import { counterStoreModelContract } from '../../../../contract/counter-store-model.contract.ts';
import {
  type ClockedRedisCounters,
  openClockedRedisCounters,
} from '../../../../support/clocked-redis-counters.ts';
import { commandCalls } from '../../../../support/command-calls.ts';
import { requireRedis, startRedis, type TestRedis } from '../../../../support/redis-server.ts';
import { rejection } from '../../../../support/rejection.ts';

const LIMIT_50 = {
  name: 'plan',
  limit: 50,
  windowMs: 60_000,
  cost: 1,
  algorithm: 'fixed',
  onStoreFailure: 'local',
} satisfies LimitUse;

/** Two plan windows and two limits of an endpoint. */
const USES: readonly LimitUse[] = [
  { ...LIMIT_50, name: 'plan@10s', windowMs: 10_000 },
  { ...LIMIT_50, limit: 300 },
  { ...LIMIT_50, name: 'custom-sql', windowMs: 61_000 },
  { ...LIMIT_50, name: 'batch', limit: 100, windowMs: 62_000, algorithm: 'sliding', cost: 3 },
];

describe('RedisCounterStore', () => {
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
    before(async () => {
      clocked = await openClockedRedisCounters(redis.url);
    });
    after(() => clocked?.close());
    counterStoreContract('Redis', (clock) => clocked.make(clock));
    counterStoreModelContract('Redis', (clock) => clocked.make(clock), { runs: 60, backwards: false });
  });

  async function connect(count: number): Promise<readonly RedisCounterStore[]> {
    const stores = Array.from({ length: count }, () => {
      const store = new RedisCounterStore({
        address: parseRedisUrl(redis.url),
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

  it('admits exactly the quota of a month of 300 parallel requests through 4 stores', async () => {
    const stores = await connect(4);
    const use = { ...LIMIT_50, limit: 100, period: 'month', windowMs: LONGEST_PERIOD_MS.month } as const;
    const decisions = await Promise.all(
      Array.from({ length: 300 }, (_, index) => stores[index % 4]?.decide('quota', [use])),
    );
    const last = decisions.at(-1)?.states[0]?.resetAtMs ?? 0;
    // Those of one month: a run at its end has two.
    const ofLast = decisions.filter((decision) => decision?.states[0]?.resetAtMs === last);
    expect(ofLast.filter((decision) => decision?.admitted)).to.have.length(Math.min(100, ofLast.length));
    expect(new Date(last).toISOString()).to.match(/-01T00:00:00\.000Z$/);
  });

  it('asks Redis once for each decision, whatever the number of limits', async () => {
    const [store] = await connect(1);
    await store?.decide('warm', USES);
    const calls = await commandCalls(redis.url);
    for (let count = 0; count < 20; count++) await store?.decide('calls', USES);
    // Reading, writing and asking for the time happen within the script.
    const { mget, set, time, info, 'config|resetstat': reset, ...sent } = await calls.since();
    expect(sent).to.deep.equal({ evalsha: 20 });
    expect([mget, set, time]).to.deep.equal([20, 20 * USES.length, 20]);
  });

  it('keeps all keys of a subject in one hash slot, each with an expiry', async () => {
    const [store] = await connect(1);
    const control = new Redis(redis.url);
    await control.flushdb();
    for (const subject of ['organization:org_1', 'odd}{%subject']) {
      await control.flushdb();
      await store?.decide(subject, USES);
      const keys = await control.keys('*');
      expect(keys).to.have.length(USES.length);
      const slots = await Promise.all(keys.map((key) => hashTagOf(key)));
      expect(new Set(slots).size, keys.join(' ')).to.equal(1);
      for (const key of keys) {
        const use = USES.find(({ name }) => key.endsWith(`:${name}`));
        expect(await control.pttl(key)).to.be.within(1, (use?.windowMs ?? 0) + 1_000);
      }
    }
    control.disconnect();
  });

  it('goes on when Redis has forgotten the script', async () => {
    const [store] = await connect(1);
    const control = new Redis(redis.url);
    expect((await store?.decide('forgotten', [LIMIT_50]))?.states[0]?.remaining).to.equal(49);
    await control.script('FLUSH');
    expect((await store?.decide('forgotten', [LIMIT_50]))?.states[0]?.remaining).to.equal(48);
    control.disconnect();
  });

  it('tells the time of the server, and ends windows by it', async () => {
    const [store] = await connect(1);
    const control = new Redis(redis.url);
    const serverMs = async () => {
      const [seconds, microseconds] = await control.time();
      return Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000);
    };
    const before = await serverMs();
    const decision = await store?.decide('time', [{ ...LIMIT_50, limit: 1 }]);
    expect(decision?.nowMs).to.be.within(before, await serverMs());
    expect(decision?.states[0]?.resetAtMs).to.equal((decision?.nowMs ?? 0) + 60_000);
    const short = { ...LIMIT_50, limit: 1, windowMs: 50 };
    const first = await store?.decide('short', [short]);
    expect(first?.admitted).to.equal(true);
    let next = await store?.decide('short', [short]);
    while (next?.admitted === false) next = await store?.decide('short', [short]);
    expect(next?.nowMs).to.be.at.least(first?.states[0]?.resetAtMs ?? Number.POSITIVE_INFINITY);
    control.disconnect();
  });

  it('rejects at once while there is no connection, knowing nothing', async () => {
    const faults: (Error | null)[] = [];
    const store = new RedisCounterStore({
      address: parseRedisUrl('redis://127.0.0.1:1'),
      onConnection: (fault) => faults.push(fault),
    });
    open.push(store);
    expect(await rejection(store.decide('a', [LIMIT_50]))).to.be.instanceOf(Error);
    expect(store.peek('a', LIMIT_50)).to.include({ limit: 50, remaining: 50, violated: false });
  });

  it('refuses what is frozen after its timeout, counts nothing twice, and says when it is back', async () => {
    const changes: (string | null)[] = [];
    let isBack = (): void => {};
    const back = new Promise<void>((resolve) => {
      isBack = resolve;
    });
    const own = await startRedis();
    const control = new Redis(own.url);
    control.on('error', () => {});
    try {
      const store = new RedisCounterStore({
        address: parseRedisUrl(own.url),
        commandTimeoutMs: 100,
        onConnection(fault) {
          changes.push(fault && 'lost');
          if (fault === null) isBack();
        },
      });
      open.push(store);
      await store.connected();
      let asked = 0;
      const ask = () => {
        asked++;
        return store.decide('frozen', [LIMIT_50]);
      };
      await decided(ask);
      // Longer than a connection may owe an answer.
      await control.client('PAUSE', 5_000, 'ALL');
      const faults = [];
      for (let count = 0; count < 3; count++) faults.push(await rejection(ask()));
      expect(faults.every((fault) => fault instanceof Error)).to.equal(true);
      expect(store.peek('frozen', LIMIT_50).remaining).to.be.lessThan(50);
      await back;
      expect(changes).to.deep.equal(['lost', null]);
      const { states } = await decided(ask);
      expect(states[0]?.remaining).to.be.within(50 - asked, 48);
      await own.kill();
      expect(await rejection(ask())).to.be.instanceOf(Error);
    } finally {
      control.disconnect();
      await own.kill();
    }
  });
});

/** A decision on a machine that may be busy: asked again where it timed out. */
async function decided(ask: () => Promise<LimitDecision>): Promise<LimitDecision> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (fault) {
      if (attempt === 20) throw fault;
    }
  }
}

/** What Redis Cluster hashes of a key: what stands in its first braces, unless they are empty. */
function hashTagOf(key: string): string {
  const tag = /\{([^}]*)\}/.exec(key)?.[1] ?? '';
  return tag === '' ? key : tag;
}
