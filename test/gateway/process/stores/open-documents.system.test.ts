/** How a gateway process learns of what others write while the Redis that would tell it is away. */
import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { openDocuments } from '../../../../gateway/process/stores/open-documents.ts';
import type { Bus } from '../../../../services/shared/ports/bus.ts';
import { parseRedisUrl } from '../../../../services/shared/storage/redis/redis-address.ts';
import { createSqliteDocumentStore } from '../../../../services/shared/storage/sqlite/sqlite-document-store.ts';
import { record } from '../../../contract/bus.contract.ts';
import { newKey } from '../../../contract/document-store.contract.ts';
import { createStrictLogger } from '../../../support/log-watch.ts';
import { requireRedis, startRedis } from '../../../support/redis-server.ts';
import { createTempDirectory, type TempDirectory } from '../../../support/temp-directory.ts';
import { createTestClock } from '../../../support/test-clock.ts';

/** Records what is told of documents; what is told of kept answers beside it, where messages may be lost, is left out. */
const recordChanges = (bus: Bus) =>
  record({
    subscribe: (listener) =>
      bus.subscribe((change) => {
        if (change.kind !== 'keptAnswers') listener(change);
      }),
  });

describe('the document store of a process with REDIS_URL', () => {
  const clock = createTestClock();
  let directory: TempDirectory;
  let closers: (() => Promise<void>)[];

  beforeEach(() => {
    directory = createTempDirectory();
    closers = [];
  });
  afterEach(async () => {
    for (const close of closers.reverse()) await close();
    directory.remove();
  });

  async function open(redisUrl: string) {
    const path = directory.file('documents.sqlite');
    const mine = await openDocuments(
      { mongodbUri: null, redis: parseRedisUrl(redisUrl) },
      { path, isOwner: true, clock, logger: createStrictLogger() },
      closers,
    );
    const other = createSqliteDocumentStore({ path, clock });
    closers.push(() => other.close());
    return { bus: mine.bus, other };
  }

  it('makes none for a process that shares the one of another, and names both ways to one', async () => {
    const path = directory.file('documents.sqlite');
    const options = { path, isOwner: false, clock, logger: createStrictLogger() };
    const fault = await openDocuments({ mongodbUri: null, redis: null }, options, closers).catch(String);
    expect(fault).to.include(`no document store ${path}`).and.include('npm start').and.include('MONGODB_URI');
    expect(existsSync(path)).to.equal(false);
  });

  it('takes everything for changed when another process writes while Redis is away', async () => {
    const { bus, other } = await open('redis://127.0.0.1:1');
    const { heard, until } = recordChanges(bus);
    await until(1);
    await other.apiKeys.insert(newKey('key_1'));
    await until(2);
    expect(heard).to.deep.equal(Array(2).fill({ kind: 'everything' }));
  });

  it('does so when Redis goes, and hears from Redis alone once it is back', async function () {
    requireRedis(this);
    const redis = await startRedis();
    closers.push(() => redis.kill());
    const { bus, other } = await open(redis.url);
    const { heard, until } = recordChanges(bus);
    await until(1);
    await redis.kill();
    await until(2);
    await other.apiKeys.insert(newKey('key_1'));
    await until(3);
    await redis.start();
    await until(4);
    expect(heard).to.deep.equal(Array(4).fill({ kind: 'everything' }));
  });
});
