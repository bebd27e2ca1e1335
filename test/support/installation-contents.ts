/** Reads everything that an embedded installation, and a database, hold: as they hold it, past the stores and past the copy. */
import { cpSync } from 'node:fs';
import Database from 'libsql';
import { dataPathsOf } from '../../config/data-directory.ts';
import type { CollectionName } from '../../services/shared/model/collection-types.ts';
import { COLLECTIONS } from '../../services/shared/model/collections.ts';
import type { EventRecord } from '../../services/shared/model/event-record.ts';
import type { Stored } from '../../services/shared/model/stored.ts';
import { createDuckDbEventStore } from '../../services/shared/storage/duckdb/duckdb-event-store.ts';
import { documentValues, type RawDocument } from '../../services/shared/storage/mongodb/document-values.ts';
import { type EventDocument, toEventRecord } from '../../services/shared/storage/mongodb/event-document.ts';
import { withDatabase } from './mongodb/with-database.ts';
import { createTempDirectory } from './temp-directory.ts';

export interface Contents {
  /** By the name of their collection, then by id. */
  readonly documents: Readonly<Record<string, readonly object[]>>;
  /** Ordered by their JSON text. */
  readonly events: readonly object[];
}

const NAMES = Object.keys(COLLECTIONS) as CollectionName[];

/** Of the files of a stopped server, which stay as they are: a copy of them is opened. */
export async function contentsOfFiles(dataDir: string): Promise<Contents> {
  const directory = createTempDirectory();
  try {
    cpSync(dataDir, directory.path, { recursive: true });
    const paths = dataPathsOf(directory.path);
    const sqlite = new Database(paths.documents);
    const documents = NAMES.map((collection) => {
      const { name } = COLLECTIONS[collection];
      const rows = sqlite.prepare(`SELECT document FROM ${name}`).all() as { document: string }[];
      return [name, sorted(rows.map(({ document }) => JSON.parse(document)))] as const;
    });
    sqlite.close();
    const store = await createDuckDbEventStore({ path: paths.events });
    const rows = await store.run({
      engine: 'duckdb',
      sql: 'SELECT * EXCLUDE (received_at) FROM events',
      params: {},
    });
    await store.close();
    return { documents: Object.fromEntries(documents), events: sorted([...rows]) };
  } finally {
    directory.remove();
  }
}

/** Of a database. */
export async function contentsOfDatabase(uri: string): Promise<Contents> {
  return withDatabase(uri, async (database) => {
    const documents: [string, object[]][] = [];
    for (const collection of NAMES) {
      const { name, schema } = COLLECTIONS[collection];
      const values = documentValues<Stored>(schema);
      const found = await database.collection<RawDocument>(name).find().toArray();
      documents.push([name, sorted(found.map((raw) => values.fromRaw(raw)))]);
    }
    const events = await database.collection<EventDocument>('events').find().toArray();
    return { documents: Object.fromEntries(documents), events: sorted(events.map(toEventRecord)) };
  });
}

/** With their keys in order, without fields that are null, and the objects themselves in order. */
function sorted(objects: readonly (object | EventRecord)[]): object[] {
  return objects
    .map((object) => JSON.stringify(present(object)))
    .sort()
    .map((text) => JSON.parse(text) as object);
}

function present(object: object): object {
  const entries = Object.entries(object).filter(([, value]) => value !== null);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
