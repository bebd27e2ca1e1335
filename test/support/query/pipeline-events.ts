/** Events whose queries are pipelines, on a server or in this process: just enough of a store to run what is compiled. */
import mingo from 'mingo';
import type { Connection } from 'mongoose';
import type { EventRecord } from '../../../services/shared/model/event-record.ts';
import type { EventStore, RawRow } from '../../../services/shared/ports/event-store.ts';
import {
  EVENT_COLLECTION,
  type EventDocument,
  toEventDocument,
} from '../../../services/shared/storage/mongodb/event-document.ts';
import { openConnection } from '../../../services/shared/storage/mongodb/open-connection.ts';
import { NO_PROFILE_EVENTS } from '../no-profile-events.ts';

type Pipeline = Record<string, unknown>[];

/** On the database of a connection string, which knows no repeats and erases nothing. */
export async function openPipelineEvents(uri: string): Promise<EventStore> {
  const connection: Connection = await openConnection(uri, { appName: 'tidegate-test' });
  const collection = connection.collection(EVENT_COLLECTION);
  // As at the start of an installation; some stages answer nothing on a collection that is not there.
  await connection.createCollection(EVENT_COLLECTION);
  return pipelineStore({
    insert: async (documents) => {
      if (documents.length > 0) await collection.insertMany(documents.map((document) => ({ ...document })));
    },
    aggregate: (pipeline) => collection.aggregate(pipeline, { allowDiskUse: true }).toArray(),
    close: () => connection.close(),
  });
}

/** In this process, by mingo: a third reading of the same pipelines. Sums beyond 2^53 are not exact here. */
export function openMingoEvents(): EventStore {
  const held: EventDocument[] = [];
  return pipelineStore({
    insert: async (documents) => {
      held.push(...documents);
    },
    aggregate: async (pipeline) => mingo.aggregate(held, pipeline),
    close: () => Promise.resolve(),
  });
}

interface Documents {
  insert(documents: readonly EventDocument[]): Promise<void>;
  aggregate(pipeline: Pipeline): Promise<unknown[]>;
  close(): Promise<void>;
}

function pipelineStore(documents: Documents): EventStore {
  return {
    engine: 'mongodb',
    profileEvents: NO_PROFILE_EVENTS,
    async append(events: readonly EventRecord[]) {
      await documents.insert(events.map(toEventDocument));
      return { repeated: 0 };
    },
    async run(query) {
      if (query.engine !== 'mongodb') throw new Error('only pipelines run here');
      const rows = await documents.aggregate(query.pipeline.map((stage) => ({ ...stage })));
      return rows.map((row) => rawRow(row as Record<string, unknown>));
    },
    erase: () => Promise.reject(new Error('nothing is erased here')),
    findRepeats: () => Promise.reject(new Error('nothing is stored here')),
    ping: () => Promise.resolve(),
    close: () => documents.close(),
  };
}

/** As the port wants it: integers beyond 2^53, which the driver gives as objects, as text. */
function rawRow(row: Record<string, unknown>): RawRow {
  const cells = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === 'object' && value !== null ? String(value) : value,
  ]);
  return Object.fromEntries(cells) as RawRow;
}
