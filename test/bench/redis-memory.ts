/** How much memory of Redis a caller takes while its windows run, for each kind of caller that the shipped limits know. */
import { Redis } from 'ioredis';
import { addressSubject } from '../../services/shared/plans/public-limit.ts';
import type { LimitUse } from '../../services/shared/ports/counter-store.ts';
import { parseRedisUrl } from '../../services/shared/storage/redis/redis-address.ts';
import { RedisCounterStore } from '../../services/shared/storage/redis/redis-counter-store.ts';
import { startRedis } from '../support/redis-server.ts';

const CALLERS = 100_000;
const IN_FLIGHT = 200;

const COUNTED = { cost: 1, algorithm: 'fixed', onStoreFailure: 'local' } as const;
const PLAN: readonly LimitUse[] = [
  { ...COUNTED, name: 'plan@10s', limit: 50, windowMs: 10_000 },
  { ...COUNTED, name: 'plan@60s', limit: 300, windowMs: 60_000 },
];
const MINUTE = { ...COUNTED, windowMs: 60_000 };

const organization = (index: number): string => `organization:org_01J${`${index}`.padStart(23, '0')}`;
const address = (index: number): string =>
  addressSubject(`203.${index >> 16}.${(index >> 8) & 255}.${index & 255}`);

interface Kind {
  readonly name: string;
  readonly subject: (index: number) => string;
  readonly uses: readonly LimitUse[];
}

/** By the names and numbers of config/plans.yml. */
const KINDS: readonly Kind[] = [
  { name: 'organization, plan', subject: organization, uses: PLAN },
  {
    name: 'organization, plan and one limit of an endpoint',
    subject: organization,
    uses: [...PLAN, { ...MINUTE, name: 'custom-sql', limit: 30 }],
  },
  {
    name: 'organization, plan and both limits of batches',
    subject: organization,
    uses: [
      ...PLAN,
      { ...MINUTE, name: 'batch-datasets', limit: 6_000, cost: 5 },
      { ...MINUTE, name: 'batch-events', limit: 60_000, cost: 100 },
    ],
  },
  {
    name: 'address without credential',
    subject: address,
    uses: [{ ...MINUTE, name: 'public:other', limit: 100 }],
  },
];

/** Prints a line for each kind: what 100,000 callers take, keys that have ended kept so that none is missed. */
export async function measureRedisMemory(): Promise<void> {
  const redis = await startRedis(['--enable-debug-command', 'yes']);
  const control = new Redis(redis.url);
  await control.call('DEBUG', 'SET-ACTIVE-EXPIRE', '0');
  for (const kind of KINDS) {
    await control.flushall('SYNC');
    const before = await usedOf(control);
    await fill(redis.url, kind);
    const taken = (await usedOf(control)) - before;
    const keys = await control.dbsize();
    process.stdout.write(
      `Redis, ${kind.name}: ${(taken / CALLERS).toFixed(0)} bytes a caller (${keys / CALLERS} keys), ${(taken / 1e6).toFixed(1)} MB for ${CALLERS}\n`,
    );
  }
  control.disconnect();
  await redis.kill();
}

async function fill(url: string, { subject, uses }: Kind): Promise<void> {
  const store = new RedisCounterStore({
    address: parseRedisUrl(url),
    commandTimeoutMs: 30_000,
    onConnection: () => {},
  });
  await store.connected();
  let next = 0;
  const ask = async (): Promise<void> => {
    while (next < CALLERS) await store.decide(subject(next++), uses);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, ask));
  await store.close();
}

/** Bytes that Redis has allocated. */
async function usedOf(control: Redis): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(await control.info('memory'))?.[1]);
}
