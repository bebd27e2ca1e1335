/** The MongoDB document store: the port's contract, each test on a database of its own. */

import { migrate } from '../../../../../services/shared/storage/mongodb/migrate.ts';
import { createMongodbDocumentStore } from '../../../../../services/shared/storage/mongodb/mongodb-document-store.ts';
import { openConnection } from '../../../../../services/shared/storage/mongodb/open-connection.ts';
import {
  type DocumentStoreFixture,
  documentStoreContract,
} from '../../../../contract/document-store.contract.ts';
import { documentStoreMemoryContract } from '../../../../contract/document-store-memory.contract.ts';
import { flagsInContract } from '../../../../contract/flags-in.contract.ts';
import { membershipsContract } from '../../../../contract/memberships.contract.ts';
import { passwordResetsContract } from '../../../../contract/password-resets.contract.ts';
import { resourcesContract } from '../../../../contract/resources.contract.ts';
import { searchContract } from '../../../../contract/search.contract.ts';
import { useMongodb } from '../../../../support/mongodb/use-mongodb.ts';
import { withDatabase } from '../../../../support/mongodb/with-database.ts';
import { createTestClock } from '../../../../support/test-clock.ts';

describe('the MongoDB document store', () => {
  const mongodb = useMongodb();

  async function createFixture(): Promise<DocumentStoreFixture> {
    const uri = mongodb.newUri();
    const connection = await openConnection(uri, { appName: 'tidegate-test' });
    await migrate(connection);
    const clock = createTestClock();
    const store = createMongodbDocumentStore({ connection, clock });
    return {
      store,
      clock,
      // The independent server compares text by UTF-16 code units, MongoDB by the bytes of UTF-8.
      ordersByUtf16: mongodb.kind === 'mongo-java-server',
      async close() {
        await store.close();
        await withDatabase(uri, (database) => database.dropDatabase());
      },
    };
  }

  documentStoreContract('MongodbDocumentStore', createFixture);
  membershipsContract('MongodbDocumentStore', createFixture);
  passwordResetsContract('MongodbDocumentStore', createFixture);
  flagsInContract('MongodbDocumentStore', createFixture);
  documentStoreMemoryContract('MongodbDocumentStore', createFixture);
  resourcesContract('MongodbDocumentStore', createFixture);
  searchContract('MongodbDocumentStore', createFixture);
});
