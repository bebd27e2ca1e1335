/** The command timeout of the counters in Redis: it ends waiting for the store, and is not fooled by a busy process. */
import { mock } from 'node:test';
import { expect } from 'chai';
import type { LimitUse } from '../../../../../services/shared/ports/counter-store.ts';
import { parseRedisUrl } from '../../../../../services/shared/storage/redis/redis-address.ts';
import {
  COMMAND_TIMEOUT_MS,
  RedisCounterStore,
} from '../../../../../services/shared/storage/redis/redis-counter-store.ts';
import { type FaultProxy, startFaultProxy } from '../../../../support/fault-proxy.ts';
import { requireRedis, startRedis, type TestRedis } from '../../../../support/redis-server.ts';

const USES: readonly LimitUse[] = [
  {
    name: 'plan',
    limit: 50,
    windowMs: 60_000,
    cost: 1,
    algorithm: 'fixed',
    onStoreFailure: 'local',
  },
];

describe('the command timeout of RedisCounterStore', () => {
  let redis: TestRedis;
  let proxy: FaultProxy;
  let store: RedisCounterStore;

  before(async function () {
    requireRedis(this);
    redis = await startRedis();
  });
  after(() => redis?.kill());
  beforeEach(async () => {
    proxy = await startFaultProxy(Number(new URL(redis.url).port));
    store = await connect(`redis://127.0.0.1:${proxy.port}`);
  });
  afterEach(async () => {
    await store.close();
    await proxy.close();
  });

  it('is at most the 300 ms that a request may be made to wait', () => {
    expect(COMMAND_TIMEOUT_MS).to.be.within(1, 300);
  });

  it('rejects a decision that Redis does not answer when it is over, and not before', async () => {
    await proxy.set('freeze');
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      let outcome = 'none';
      Promise.resolve(store.decide('a', USES)).then(
        () => {
          outcome = 'decided';
        },
        (fault: unknown) => {
          outcome = String(fault);
        },
      );
      await turns();
      mock.timers.tick(COMMAND_TIMEOUT_MS - 1);
      await turns();
      expect(outcome).to.equal('none');
      mock.timers.tick(1);
      await turns();
      expect(outcome).to.contain('timed out');
    } finally {
      mock.timers.reset();
    }
  });

  it('takes an answer that came in time, although the process was too busy to read it', async () => {
    await store.close();
    // Without the proxy, which runs in this process and would be as busy.
    store = await connect(redis.url);
    const decisions = Array.from({ length: 20 }, () => store.decide('b', USES));
    const busyUntil = performance.now() + 1_000;
    while (performance.now() < busyUntil);
    expect((await Promise.all(decisions)).filter(({ admitted }) => admitted)).to.have.length(20);
  });
});

/** Lets everything happen that waits for no timer. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
}

/** A store whose script the server knows. */
async function connect(url: string): Promise<RedisCounterStore> {
  const store = new RedisCounterStore({ address: parseRedisUrl(url), onConnection: () => {} });
  await store.connected();
  await store.decide('warm', USES);
  return store;
}
