/** The MongoDB document store: the port's contract, each test on a database of its own. */

import { migrate } from '../../../services/shared/storage/mongodb/migrate.ts';
import { createMongodbDocumentStore } from '../../../services/shared/storage/mongodb/mongodb-document-store.ts';
import { openConnection } from '../../../services/shared/storage/mongodb/open-connection.ts';
import { type DocumentStoreFixture, documentStoreContract } from '../../contract/document-store.contract.ts';
import { documentStoreMemoryContract } from '../../contract/document-store-memory.contract.ts';
import { membershipsContract } from '../../contract/memberships.contract.ts';
import { resourcesContract } from '../../contract/resources.contract.ts';
import { requireMongodb, startMongodb, type TestMongodb } from '../../support/mongodb/mongodb-server.ts';
import { createTestClock } from '../../support/test-clock.ts';

describe('the MongoDB document store', () => {
  let mongodb: TestMongodb;

  before(async function () {
    requireMongodb(this);
    this.timeout(60_000);
    mongodb = await startMongodb();
  });
  after(() => mongodb?.close());

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
        const cleaning = await openConnection(uri, { appName: 'tidegate-test' });
        await cleaning.dropDatabase();
        await cleaning.close();
      },
    };
  }

  documentStoreContract('MongodbDocumentStore', createFixture);
  membershipsContract('MongodbDocumentStore', createFixture);
  documentStoreMemoryContract('MongodbDocumentStore', createFixture);
  resourcesContract('MongodbDocumentStore', createFixture);
});
