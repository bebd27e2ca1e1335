/** Event stores on MongoDB for tests: over a database of their own, opened as often as a test needs. */
import type { EventRecord } from '../../../services/shared/model/event-record.ts';
import {
  EVENT_COLLECTION,
  type EventDocument,
  toEventRecord,
} from '../../../services/shared/storage/mongodb/event-document.ts';
import { migrate } from '../../../services/shared/storage/mongodb/migrate.ts';
import {
  createMongodbEventStore,
  type MongodbEventStore,
  type MongodbEventStoreOptions,
} from '../../../services/shared/storage/mongodb/mongodb-event-store.ts';
import { openConnection } from '../../../services/shared/storage/mongodb/open-connection.ts';
import { createTempDirectory, type TempDirectory } from '../temp-directory.ts';
import { createTestClock, type TestClock } from '../test-clock.ts';
import { withDatabase } from './with-database.ts';

type Options = Partial<Omit<MongodbEventStoreOptions, 'connection'>>;

export interface TestEvents {
  readonly uri: string;
  /** Of every store. It starts now: a MongoDB server itself removes what is old by its own clock. */
  readonly clock: TestClock;
  /** A folder of the test's own. */
  readonly directory: TempDirectory;
  /** Opens the store over the migrated database. */
  open(options?: Options): Promise<MongodbEventStore>;
  /** A further store, as another process would open it; `address`: of the database, on another way. */
  openAnother(options?: Options, address?: string): Promise<MongodbEventStore>;
  /** Closes the latest store and opens it again. */
  reopen(): Promise<MongodbEventStore>;
  /** Every event of the database, `event_id` ascending. */
  stored(): Promise<EventRecord[]>;
  /** Closes every store, and removes the database. */
  remove(): Promise<void>;
}

export function mongodbEvents(uri: string): TestEvents {
  const clock = createTestClock(Date.now());
  const directory = createTempDirectory();
  const stores: MongodbEventStore[] = [];

  async function openAnother(options: Options = {}, address = uri): Promise<MongodbEventStore> {
    const connection = await openConnection(address, { appName: 'tidegate-test' });
    const store = await createMongodbEventStore({ connection, clock, ...options });
    stores.push(store);
    return store;
  }

  async function open(options: Options = {}): Promise<MongodbEventStore> {
    await withDatabase(uri, (connection) => migrate(connection));
    return openAnother(options);
  }

  return {
    uri,
    clock,
    directory,
    open,
    openAnother,
    async reopen() {
      await stores.at(-1)?.close();
      return openAnother();
    },
    stored: () =>
      withDatabase(uri, async (connection) => {
        const documents = connection.collection<EventDocument>(EVENT_COLLECTION);
        return (await documents.find().sort({ event_id: 1 }).toArray()).map(toEventRecord);
      }),
    async remove() {
      await Promise.all(stores.map((store) => store.close()));
      await withDatabase(uri, (connection) => connection.dropDatabase());
      directory.remove();
    },
  };
}
