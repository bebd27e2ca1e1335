/** Opens the document store with its bus, for writes and cache invalidation. */
import { existsSync } from 'node:fs';
import type { Logger } from 'pino';
import type { Bus } from '../../../services/shared/ports/bus.ts';
import type { DocumentStore } from '../../../services/shared/ports/document-store.ts';
import { MemoryBus } from '../../../services/shared/storage/memory/memory-bus.ts';
import { publishWrites } from '../../../services/shared/storage/publish-writes.ts';
import type { RedisAddress } from '../../../services/shared/storage/redis/redis-address.ts';
import type { RedisBus } from '../../../services/shared/storage/redis/redis-bus.ts';
import { rememberWebsites } from '../../../services/shared/storage/remember-websites.ts';
import { createSqliteDocumentStore } from '../../../services/shared/storage/sqlite/sqlite-document-store.ts';
import type { Closers } from '../all-or-nothing.ts';
import { type ChangeWatch, watchChanges } from './change-watch.ts';
import type { DocumentOptions, Exclusively, OpenStore } from './stores.ts';

/** What decides where documents are stored and how processes notify each other of changes. */
export interface DocumentSettings {
  /** Null: in the file. */
  readonly mongodbUri: string | null;
  readonly redis: RedisAddress | null;
}

/** There is no embedded store, and this process does not create one. */
export class NoStoreError extends Error {
  constructor(path: string) {
    super(
      `there is no document store ${path}: start the embedded server (npm start) first, with the same DATA_DIR, or set MONGODB_URI for documents in MongoDB`,
    );
    this.name = 'NoStoreError';
  }
}

export interface OpenDocuments {
  readonly bus: Bus;
  /** Publishes its writes on the bus. */
  readonly documents: DocumentStore;
  /** For work that one process at a time may do: provisioning and the first start. */
  readonly exclusively: Exclusively;
  /** Resolves once writes are announced to other processes immediately; with Redis, once Redis answers. */
  connected(): Promise<void>;
  /** Whether other processes may write to the stores, events too: false where this one owns their files. */
  readonly isShared: boolean;
}

/**
 * Opens both; `closers` gets the functions that close them. Without Redis, or while it is lost, the change counter replaces
 * the announcements of other processes; with Redis it would empty all caches at writes that were already announced.
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
      : await openRedisBus(redis, logger, {
          lost: () => void startWatch().check(),
          back: stopWatch,
        });
  const bus = remote ?? new MemoryBus();
  closers.push(() => bus.close());
  closers.push(async () => stopWatch());
  if (redis === null) startWatch();
  const isShared = settings.mongodbUri !== null;
  const connected = async () => remote?.connected();
  const documents = rememberWebsites(publishWrites(store, bus), { bus, clock: options.clock });
  return { bus, documents, exclusively, connected, isShared };
}

async function openStore({ mongodbUri }: DocumentSettings, options: DocumentOptions): Promise<OpenStore> {
  if (mongodbUri !== null) {
    // Its driver takes a third of the start: only who stores there loads it.
    const { openMongodbDocuments } = await import('./open-mongodb-documents.ts');
    return openMongodbDocuments(mongodbUri, options);
  }
  const { path, isOwner, clock } = options;
  if (!isOwner && !existsSync(path)) throw new NoStoreError(path);
  // The owner of the file is alone: the event store beside it refuses a second server.
  return { store: createSqliteDocumentStore({ path, clock }), exclusively: (work) => work() };
}

async function openRedisBus(
  address: RedisAddress,
  logger: Logger,
  told: { lost(): void; back(): void },
): Promise<RedisBus> {
  const { RedisBus } = await import('../../../services/shared/storage/redis/redis-bus.ts');
  return new RedisBus({
    address,
    // Only the message: the error of a refused login has the password among its properties.
    onConnection(fault) {
      if (fault === null) {
        told.back();
        logger.info('Redis answers again');
        return;
      }
      told.lost();
      logger.warn(
        { reason: fault.message },
        'Redis is lost: polling the document store for changes of other gateways',
      );
    },
  });
}
