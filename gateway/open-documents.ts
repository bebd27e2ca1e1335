/** Opens the document store of this machine with its bus: each gateway process writes and forgets by these two. */
import type { Logger } from 'pino';
import type { Bus } from '../services/shared/ports/bus.ts';
import type { Clock } from '../services/shared/ports/clock.ts';
import type { DocumentStore } from '../services/shared/ports/document-store.ts';
import { MemoryBus } from '../services/shared/storage/memory/memory-bus.ts';
import { publishWrites } from '../services/shared/storage/publish-writes.ts';
import type { RedisAddress } from '../services/shared/storage/redis/redis-address.ts';
import { RedisBus } from '../services/shared/storage/redis/redis-bus.ts';
import { createSqliteDocumentStore } from '../services/shared/storage/sqlite/sqlite-document-store.ts';
import type { Closers } from './all-or-nothing.ts';
import { type ChangeWatch, watchChanges } from './change-watch.ts';

export interface OpenDocuments {
  readonly bus: Bus;
  /** Tells the bus of its writes. */
  readonly documents: DocumentStore;
}

/**
 * Opens both; `closers` gets what closes them. Without Redis, and while it is lost, the change counter stands in for
 * other processes' word; beside a Redis that answers it would drop all that is remembered at each write told of already.
 */
export function openDocuments(
  { redis }: { readonly redis: RedisAddress | null },
  path: string,
  clock: Clock,
  logger: Logger,
  closers: Closers,
): OpenDocuments {
  const store = createSqliteDocumentStore({ path, clock });
  closers.push(() => store.close());
  let watch: ChangeWatch | null = null;
  const startWatch = (): ChangeWatch => {
    watch ??= watchChanges(store, bus, logger);
    return watch;
  };
  const stopWatch = (): void => {
    watch?.close();
    watch = null;
  };
  const bus =
    redis === null
      ? new MemoryBus()
      : redisBus(redis, logger, {
          lost: () => void startWatch().check(),
          back: stopWatch,
        });
  closers.push(() => bus.close());
  closers.push(async () => stopWatch());
  if (redis === null) startWatch();
  return { bus, documents: publishWrites(store, bus) };
}

function redisBus(address: RedisAddress, logger: Logger, told: { lost(): void; back(): void }): Bus {
  return new RedisBus({
    address,
    // The message alone: the error of a refused login carries the password among its properties.
    onConnection(fault) {
      if (fault === null) {
        told.back();
        logger.info('Redis answers again');
        return;
      }
      told.lost();
      logger.warn(
        { reason: fault.message },
        'Redis is lost: changes of other gateways are looked for in the document store',
      );
    },
  });
}
