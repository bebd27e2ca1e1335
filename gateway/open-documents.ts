/** Opens the document store with its bus: each process writes and forgets by these two. One of two files that know where stores lie. */
import { existsSync } from 'node:fs';
import type { Logger } from 'pino';
import type { Bus } from '../services/shared/ports/bus.ts';
import type { Clock } from '../services/shared/ports/clock.ts';
import type { DocumentStore } from '../services/shared/ports/document-store.ts';
import { MemoryBus } from '../services/shared/storage/memory/memory-bus.ts';
import { withLease } from '../services/shared/storage/mongodb/lease.ts';
import { migrate, requireMigrated } from '../services/shared/storage/mongodb/migrate.ts';
import { createMongodbDocumentStore } from '../services/shared/storage/mongodb/mongodb-document-store.ts';
import { openConnection } from '../services/shared/storage/mongodb/open-connection.ts';
import { publishWrites } from '../services/shared/storage/publish-writes.ts';
import type { RedisAddress } from '../services/shared/storage/redis/redis-address.ts';
import { RedisBus } from '../services/shared/storage/redis/redis-bus.ts';
import { createSqliteDocumentStore } from '../services/shared/storage/sqlite/sqlite-document-store.ts';
import type { Closers } from './all-or-nothing.ts';
import { type ChangeWatch, watchChanges } from './change-watch.ts';

/** What decides where documents lie and how processes tell each other of changes. */
export interface DocumentSettings {
  /** Null: in the file. */
  readonly mongodbUri: string | null;
  readonly redis: RedisAddress | null;
}

export interface DocumentOptions {
  /** The file of the embedded store. */
  readonly path: string;
  /** Whether this process makes what is missing: the file, or the schema of the database. Others find it, or do not start. */
  readonly isOwner: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** There is no embedded store, and this process makes none. */
export class NoStoreError extends Error {
  constructor(path: string) {
    super(
      `there is no document store ${path}: start the embedded server (npm start) first, with the same DATA_DIR, or set MONGODB_URI for documents in MongoDB`,
    );
    this.name = 'NoStoreError';
  }
}

/** Does work while no other process that has the store open does any. */
export type Exclusively = <T>(work: () => Promise<T>) => Promise<T>;

export interface OpenDocuments {
  readonly bus: Bus;
  /** Tells the bus of its writes. */
  readonly documents: DocumentStore;
  /** For what may be done by one process at a time: provisioning and the first start. */
  readonly exclusively: Exclusively;
  /** Resolves once what is written is told to other processes at once; with Redis, not before that answers. */
  connected(): Promise<void>;
  /** Whether other processes may write to the stores, events too: false where this one owns their files. */
  readonly isShared: boolean;
}

/**
 * Opens both; `closers` gets what closes them. Without Redis, and while it is lost, the change counter stands in for
 * other processes' word; beside a Redis that answers it would drop all that is remembered at each write told of already.
 * @throws NoStoreError when there is none and this process is not its owner; Error when the database does not answer
 */
export async function openDocuments(
  settings: DocumentSettings,
  options: DocumentOptions,
  closers: Closers,
): Promise<OpenDocuments> {
  const { redis } = settings;
  const { logger } = options;
  const { store, exclusively } = await openStore(settings, options);
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
  const remote =
    redis === null
      ? null
      : redisBus(redis, logger, {
          lost: () => void startWatch().check(),
          back: stopWatch,
        });
  const bus = remote ?? new MemoryBus();
  closers.push(() => bus.close());
  closers.push(async () => stopWatch());
  if (redis === null) startWatch();
  const isShared = settings.mongodbUri !== null;
  const connected = async () => remote?.connected();
  return { bus, documents: publishWrites(store, bus), exclusively, connected, isShared };
}

/** What there is to do alone, as the lease of a database calls it. */
const START_LEASE = 'start';

async function openStore(
  { mongodbUri }: DocumentSettings,
  { path, isOwner, clock, logger }: DocumentOptions,
): Promise<{ readonly store: DocumentStore; readonly exclusively: Exclusively }> {
  if (mongodbUri === null) {
    if (!isOwner && !existsSync(path)) {
      throw new NoStoreError(path);
    }
    // Whoever owns the file is alone: the event store beside it refuses a second server.
    return { store: createSqliteDocumentStore({ path, clock }), exclusively: (work) => work() };
  }
  const connection = await openConnection(mongodbUri, { appName: 'tidegate documents' });
  try {
    if (isOwner) await migrate(connection, { told: (step) => logger.info(step) });
    else await requireMigrated(connection);
  } catch (fault) {
    await connection.close();
    throw fault;
  }
  return {
    store: createMongodbDocumentStore({ connection, clock }),
    exclusively: (work) => withLease(connection, START_LEASE, work),
  };
}

function redisBus(address: RedisAddress, logger: Logger, told: { lost(): void; back(): void }): RedisBus {
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
