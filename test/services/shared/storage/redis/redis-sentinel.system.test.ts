/** Counters and bus over a Redis found through Sentinel: their contracts, and another master when the first is lost. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../../../config/settings.ts';
import { parseRedisUrl } from '../../../../../services/shared/storage/redis/redis-address.ts';
import { RedisBus } from '../../../../../services/shared/storage/redis/redis-bus.ts';
import { busContract, record } from '../../../../contract/bus.contract.ts';
import { counterStoreContract } from '../../../../contract/counter-store.contract.ts';
import { redisFailoverContract } from '../../../../contract/redis-failover.contract.ts';
import {
  type ClockedRedisCounters,
  openClockedRedisCounters,
} from '../../../../support/clocked-redis-counters.ts';
import { startSentinel, type TestSentinel } from '../../../../support/redis-sentinel.ts';
import { requireRedis } from '../../../../support/redis-server.ts';

/** The user with the rights that the documentation gives it, and no more. */
const SENTINEL_USER = /user tidegate on >PASSWORD .+/.exec(
  readFileSync(join(PACKAGE_ROOT, 'docs/operations.md'), 'utf8'),
)?.[0] as string;

describe('Redis through Sentinel', () => {
  let sentinel: TestSentinel;

  before(async function () {
    requireRedis(this);
    sentinel = await startSentinel(SENTINEL_USER);
  });
  after(() => sentinel?.close());

  const openBus = (onConnection: (fault: Error | null) => void = () => {}) =>
    new RedisBus({ address: parseRedisUrl(sentinel.url), onConnection });

  describe('with a clock that the test moves', () => {
    let clocked: ClockedRedisCounters;
    before(async () => {
      clocked = await openClockedRedisCounters(sentinel.url);
    });
    after(() => clocked?.close());
    counterStoreContract('Redis through Sentinel', (clock) => clocked.make(clock));
  });

  busContract('RedisBus through Sentinel', async () => {
    const [here, there] = [openBus(), openBus()];
    await Promise.all([here.connected(), there.connected()]);
    return { here, there, close: () => Promise.all([here.close(), there.close()]).then(() => {}) };
  });

  // The last two, in this order: the first master is gone for good afterwards.
  describe('whose master is lost', () => {
    let here: RedisBus;
    let there: RedisBus;
    let heard: ReturnType<typeof record>;
    const connection: (string | null)[] = [];

    before(async () => {
      here = openBus();
      there = openBus((fault) => connection.push(fault && 'lost'));
      await Promise.all([here.connected(), there.connected()]);
      heard = record(there);
    });
    after(() => Promise.all([here?.close(), there?.close()]));

    redisFailoverContract('counters', () => ({
      url: sentinel.url,
      subjects: ['lost', 'another'],
      kill: () => sentinel.killMaster(),
      succeed: () => sentinel.succeed(),
    }));

    it('bus: takes everything for changed once the next master is there, and goes on', async () => {
      await heard.until(1);
      await Promise.all([here.connected(), there.connected()]);
      expect(connection).to.deep.equal(['lost', null]);
      expect(heard.heard[0]).to.deep.equal({ kind: 'everything' });
      here.publish({ kind: 'organization', id: 'org_a' });
      while (heard.heard.at(-1)?.kind !== 'organization') await heard.until(heard.heard.length + 1);
      expect(heard.heard.at(-1)).to.deep.equal({ kind: 'organization', id: 'org_a' });
    });
  });
});
