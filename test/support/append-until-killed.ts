/** A process that stores one thing after another and prints each number once it is acknowledged, until it is killed. */

import { systemClock } from '../../services/shared/ports/clock.ts';
import { COMPACTION } from '../../services/shared/storage/duckdb/compaction/compactor.ts';
import { createDuckDbEventStore } from '../../services/shared/storage/duckdb/duckdb-event-store.ts';
import { createMongodbDocumentStore } from '../../services/shared/storage/mongodb/mongodb-document-store.ts';
import { openConnection } from '../../services/shared/storage/mongodb/open-connection.ts';
import { createSqliteDocumentStore } from '../../services/shared/storage/sqlite/sqlite-document-store.ts';
import { newWebsite } from '../contract/document-store.contract.ts';
import { eventRecord } from './event-record.ts';

const [kind, path] = process.argv.slice(2);
if (path === undefined) {
  throw new Error('usage: append-until-killed documents|mongodb-documents|events|compacted-events FILE|URI');
}

/** Writes at once and in order: what the parent reads before the kill was acknowledged before the kill. */
function acknowledge(number: number): void {
  process.stdout.write(`${number}\n`);
}

if (kind === 'documents' || kind === 'mongodb-documents') {
  const store =
    kind === 'documents'
      ? createSqliteDocumentStore({ path, clock: systemClock })
      : createMongodbDocumentStore({
          connection: await openConnection(path, { appName: 'tidegate-test' }),
          clock: systemClock,
        });
  for (let number = 0; ; number++) {
    await store.websites.insert(newWebsite(`web_${number}`));
    acknowledge(number);
    await new Promise(setImmediate);
  }
} else {
  const store = await createDuckDbEventStore({
    path,
    // So small that every second many slices are under way.
    compaction: {
      ...COMPACTION,
      runEvents: 40,
      sliceEvents: 10,
      fanIn: 3,
      slicesPerCheckpoint: 3,
      restFactor: 0,
      lookEveryMs: 1,
    },
  });
  if (kind === 'compacted-events') {
    store.compactor.start({
      compacted: () => undefined,
      failed: (fault) => {
        throw fault;
      },
    });
  }
  let next = 0;
  const writer = async () => {
    for (;;) {
      const number = next++;
      await store.append([eventRecord({ event_id: String(number) })]);
      acknowledge(number);
    }
  };
  await Promise.all(Array.from({ length: 8 }, writer));
}
