/** The bus over a real Redis: the port's contract, and what a lost connection means. */
import { expect } from 'chai';
import { Redis } from 'ioredis';
import type { Invalidation } from '../../../../../services/shared/ports/bus.ts';
import { parseRedisUrl } from '../../../../../services/shared/storage/redis/redis-address.ts';
import { RedisBus } from '../../../../../services/shared/storage/redis/redis-bus.ts';
import { busContract, record } from '../../../../contract/bus.contract.ts';
import { requireRedis, startRedis, type TestRedis } from '../../../../support/redis-server.ts';

describe('the bus over Redis', () => {
  let redis: TestRedis;

  before(async function () {
    requireRedis(this);
    redis = await startRedis();
  });
  after(() => redis?.kill());

  const open = (onConnection: (fault: Error | null) => void = () => {}) =>
    new RedisBus({ address: parseRedisUrl(redis.url), onConnection });

  busContract('RedisBus', async () => {
    const [here, there] = [open(), open()];
    await Promise.all([here.connected(), there.connected()]);
    return { here, there, close: () => Promise.all([here.close(), there.close()]).then(() => {}) };
  });

  /** That nothing but gaps in delivery was told. */
  function expectGaps(heard: readonly Invalidation[]): void {
    for (const [index, { kind }] of heard.entries())
      expect(kind).to.equal(index % 2 === 0 ? 'everything' : 'keptAnswers');
  }

  it('says everything after a lost connection is back, has kept answers forgotten, and goes on', async () => {
    const connection: (string | null)[] = [];
    const here = open();
    const there = open((fault) => connection.push(fault && 'lost'));
    await Promise.all([here.connected(), there.connected()]);
    const { heard, until } = record(there);
    await redis.kill();
    here.publish({ kind: 'organization', id: 'org_lost' });
    await redis.start();
    await until(1);
    expect(connection).to.deep.equal(['lost', null]);
    await Promise.all([here.connected(), there.connected()]);
    await here.close();
    const again = open();
    await again.connected();
    again.publish({ kind: 'organization', id: 'org_a' });
    while (heard.at(-1)?.kind !== 'organization') await until(heard.length + 1);
    // Once for what may have been missed, and once more when the other end makes up for its lost message after that.
    expect(heard.length).to.be.oneOf([3, 5]);
    expectGaps(heard.slice(0, -1));
    expect(heard.at(-1)).to.deep.equal({ kind: 'organization', id: 'org_a' });
    await again.close();
    await there.close();
  });

  it('is told of as lost when Redis hangs, and says everything when it answers again', async () => {
    const connection: (string | null)[] = [];
    let isLost = (): void => {};
    const lost = new Promise<void>((resolve) => {
      isLost = resolve;
    });
    const bus = open((fault) => {
      connection.push(fault && 'lost');
      if (fault !== null) isLost();
    });
    await bus.connected();
    const { until } = record(bus);
    const operator = new Redis(redis.url);
    await operator.client('PAUSE', 6_000, 'ALL');
    await lost;
    await until(1);
    expect(connection).to.deep.equal(['lost', null]);
    operator.disconnect();
    await bus.close();
  });

  it('makes up for a message that was lost, by everything, once it can publish again', async () => {
    const [here, there] = [open(), open()];
    await Promise.all([here.connected(), there.connected()]);
    const { heard, until } = record(there);
    const operator = new Redis(redis.url);
    // Ends the connection by which `here` publishes; those that listen stay.
    await operator.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    here.publish({ kind: 'apiKey', organizationId: 'org_a', id: 'key_1', keyHash: 'aa' });
    await until(1);
    here.publish({ kind: 'organization', id: 'org_a' });
    while (heard.at(-1)?.kind !== 'organization') await until(heard.length + 1);
    expect(heard.at(-1)).to.deep.equal({ kind: 'organization', id: 'org_a' });
    // Twice where a busy machine made an answer late.
    expect(heard.length).to.be.above(2);
    expectGaps(heard.slice(0, -1));
    operator.disconnect();
    await Promise.all([here.close(), there.close()]);
  });

  it('tells its own process while there is no Redis, and closes at once', async () => {
    const lonely = new RedisBus({ address: parseRedisUrl('redis://127.0.0.1:1'), onConnection: () => {} });
    const { heard } = record(lonely);
    lonely.publish({ kind: 'everything' });
    expect(heard).to.deep.equal([{ kind: 'everything' }]);
    await lonely.close();
  });

  it('takes a message that it does not understand for a change of everything', async () => {
    const bus = open();
    await bus.connected();
    const { heard, until } = record(bus);
    const stranger = new Redis(redis.url);
    for (const text of ['no JSON', '{}', '{"from":"x","invalidation":{"kind":"newer"}}']) {
      await stranger.publish('tidegate:invalidations', text);
    }
    await until(3);
    expect(heard).to.deep.equal(Array(3).fill({ kind: 'everything' }));
    stranger.disconnect();
    await bus.close();
  });
});
