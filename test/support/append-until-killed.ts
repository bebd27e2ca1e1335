/** A process that stores one thing after another and prints each number once it is acknowledged, until it is killed. */
import { systemClock } from '../../services/shared/ports/clock.ts';
import type { EventKeeper } from '../../services/shared/ports/event-store.ts';
import { COMPACTION } from '../../services/shared/storage/duckdb/compaction/compactor.ts';
import { createDuckDbEventStore } from '../../services/shared/storage/duckdb/duckdb-event-store.ts';
import { createMongodbDocumentStore } from '../../services/shared/storage/mongodb/mongodb-document-store.ts';
import { createMongodbEventStore } from '../../services/shared/storage/mongodb/mongodb-event-store.ts';
import { openConnection } from '../../services/shared/storage/mongodb/open-connection.ts';
import { createSqliteDocumentStore } from '../../services/shared/storage/sqlite/sqlite-document-store.ts';
import { newWebsite } from '../contract/document-store.contract.ts';
import { eventRecord } from './event-record.ts';
import { COMPACTED } from './kill-while-writing.ts';

/** Stands in events that are erased. */
const MARK = 'kournikova-';

const [kind, path] = process.argv.slice(2);
if (path === undefined) {
  throw new Error(
    'usage: append-until-killed documents|events|compacted-events|wiped-events FILE, or mongodb-documents|mongodb-events URI',
  );
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
} else if (kind === 'mongodb-events') {
  const connection = await openConnection(path, { appName: 'tidegate-test-killed' });
  await append(await createMongodbEventStore({ connection }), 5);
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
      wipeEveryMs: 0,
      settleMs: 0,
    },
  });
  if (kind === 'compacted-events' || kind === 'wiped-events') {
    store.compactor.start({
      compacted: () => process.stdout.write(`${COMPACTED}\n`),
      wiped: () => undefined,
      failed: (fault) => {
        throw fault;
      },
    });
  }
  await Promise.all([append(store, 1), kind === 'wiped-events' && eraseAgainAndAgain(store)]);
}

/** Erases what it stored of an organization, so that wipings are under way all the time. */
async function eraseAgainAndAgain(store: EventKeeper): Promise<void> {
  for (let number = 0; ; number++) {
    const title = `${MARK}${number}`;
    await store.append([eventRecord({ event_id: title, organization_id: 'org_gone', title })]);
    await store.erase({ organizationId: 'org_gone', websiteId: null, anonymousId: null });
  }
}

/** Appends single events, and every third time some, until the end. */
async function append(store: EventKeeper, most: number): Promise<void> {
  let next = 0;
  const writer = async () => {
    for (;;) {
      const numbers = Array.from({ length: next % 3 === 0 ? most : 1 }, () => next++);
      await store.append(numbers.map((number) => eventRecord({ event_id: String(number) })));
      for (const number of numbers) acknowledge(number);
    }
  };
  await Promise.all(Array.from({ length: 8 }, writer));
}
