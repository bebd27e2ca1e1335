/** A migrated database of a test, over which it opens as many document stores as it wants, each like a process of its own. */
import { type Connection, createConnection } from 'mongoose';
import type { Clock } from '../../../services/shared/ports/clock.ts';
import { migrate } from '../../../services/shared/storage/mongodb/migrate.ts';
import {
  createMongodbDocumentStore,
  type MongodbDocumentStore,
} from '../../../services/shared/storage/mongodb/mongodb-document-store.ts';
import { openConnection } from '../../../services/shared/storage/mongodb/open-connection.ts';
import { createTestClock } from '../test-clock.ts';

export interface DocumentDatabase {
  readonly uri: string;
  /** To look past the stores. */
  readonly connection: Connection;
  /** Closed with the database. */
  open(clock?: Clock): Promise<MongodbDocumentStore>;
  /** The same with its connection, which prefers secondaries and tells of each command that it sends. */
  openTelling(options?: {
    readonly clock?: Clock;
    readonly uri?: string;
  }): Promise<{ readonly store: MongodbDocumentStore; readonly connection: Connection }>;
  /** Closes all and drops it. */
  close(): Promise<void>;
}

export async function createDocumentDatabase(uri: string): Promise<DocumentDatabase> {
  const connection = await openConnection(uri, { appName: 'tidegate-test' });
  await migrate(connection);
  const stores: MongodbDocumentStore[] = [];

  function storeOver(over: Connection, clock: Clock): MongodbDocumentStore {
    const store = createMongodbDocumentStore({ connection: over, clock });
    stores.push(store);
    return store;
  }

  return {
    uri,
    connection,
    async open(clock = createTestClock()) {
      return storeOver(await openConnection(uri, { appName: 'tidegate-test' }), clock);
    },
    async openTelling({ clock = createTestClock(), uri: asked = uri } = {}) {
      const telling = createConnection(asked, {
        monitorCommands: true,
        readPreference: 'secondaryPreferred',
        writeConcern: { w: 'majority', journal: true },
        bufferCommands: false,
      });
      await telling.asPromise();
      return { store: storeOver(telling, clock), connection: telling };
    },
    async close() {
      await Promise.all(stores.map((store) => store.close()));
      await connection.dropDatabase();
      await connection.close();
    },
  };
}
