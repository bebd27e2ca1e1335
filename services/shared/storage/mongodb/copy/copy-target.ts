/** The database that a copy goes to: takes documents and events unchanged, as often as sent, and reports what it holds. */
import type { Connection } from 'mongoose';
import type { CollectionName } from '../../../model/collection-types.ts';
import { COLLECTIONS } from '../../../model/collections.ts';
import type { EventRecord } from '../../../model/event-record.ts';
import type { Stored } from '../../../model/stored.ts';
import { EventWriter } from '../arrivals/event-writer.ts';
import { WRITER_COLLECTION } from '../arrivals/event-writers.ts';
import { CHANGE_COLLECTION } from '../change-counter.ts';
import { documentValues, type RawDocument } from '../document-values.ts';
import { EVENT_COLLECTION, type EventDocument, toEventDocument, toEventRecord } from '../event-document.ts';
import { deadlineIn } from '../event-faults.ts';
import { EVENT_ID_COLLECTION } from '../event-ids.ts';
import { LEASE_COLLECTION } from '../lease.ts';
import { SCHEMA_COLLECTION } from '../migrate.ts';
import { PROBE_COLLECTION } from '../server-abilities.ts';
import {
  type CopiedEvent,
  copiedEventId,
  type IdentifiedEvent,
  type StoredEventId,
  storedEventId,
} from './copied-event.ts';
import { COPY_COLLECTION } from './copy-state.ts';
import { putNew } from './put-new.ts';

/** Documents read from the server at once. */
const READ_AT_ONCE = 2_000;
/** Documents removed at once. */
const REMOVED_AT_ONCE = 10_000;

/** What a comparison reads: what a majority holds, from the primary. */
const READ = { readPreference: 'primary', readConcern: { level: 'majority' } } as const;

/** Collections about the database itself, which hold nothing of an installation. */
const OWN_COLLECTIONS: ReadonlySet<string> = new Set([SCHEMA_COLLECTION, COPY_COLLECTION, PROBE_COLLECTION]);

/** Collections of an installation: those that a copy fills, and those that processes create besides. */
const INSTALLATION: ReadonlySet<string> = new Set([
  ...Object.values(COLLECTIONS).map(({ name }) => name),
  ...[EVENT_COLLECTION, EVENT_ID_COLLECTION, WRITER_COLLECTION, CHANGE_COLLECTION, LEASE_COLLECTION],
]);

/** How long the first events wait until they have a writer, in milliseconds. */
const WRITER_MS = 10_000;

export class CopyTarget {
  readonly #connection: Connection;
  readonly #writer: EventWriter;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#writer = new EventWriter(connection.getClient().db(connection.name));
  }

  /** Tells readers that nothing more arrives; the connection stays open. */
  close(): Promise<void> {
    return this.#writer.close();
  }

  /** Names of the collections that are not empty. */
  async filledCollections(): Promise<string[]> {
    const filled: string[] = [];
    for (const { name } of await this.#connection.listCollections()) {
      if (name.startsWith('system.') || OWN_COLLECTIONS.has(name)) continue;
      if ((await this.#connection.collection(name).findOne({}, READ)) !== null) filled.push(name);
    }
    return filled.sort();
  }

  /** Removes everything of an installation, and nothing else that was written meanwhile; indexes and shard keys stay. */
  async clear(): Promise<void> {
    for (const name of await this.filledCollections()) {
      if (!INSTALLATION.has(name)) continue;
      const collection = this.#connection.collection(name);
      for (;;) {
        const found = await collection
          .find({}, { ...READ, projection: { _id: 1 } })
          .limit(REMOVED_AT_ONCE)
          .toArray();
        if (found.length === 0) break;
        await collection.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
      }
    }
  }

  /** A document as it will be stored: MongoDB cannot store lone surrogates. */
  asHeld(collection: CollectionName, document: Stored): Stored {
    const values = documentValues<Stored>(COLLECTIONS[collection].schema);
    return COLLECTIONS[collection].schema.parse(values.fromRaw(values.toRaw(document)));
  }

  /**
   * Stores documents, replacing those with the same ids.
   * @throws MongoBulkWriteError when another one has a unique value of theirs
   */
  async putDocuments(collection: CollectionName, documents: readonly Stored[]): Promise<void> {
    const { name, schema } = COLLECTIONS[collection];
    const values = documentValues<Stored>(schema);
    const replacements = documents.map((document) => {
      const { _id, ...replacement } = values.toRaw(document);
      const filter = { _id, organizationId: document.organizationId };
      return { replaceOne: { filter, replacement, upsert: true } };
    });
    if (replacements.length === 0) return;
    await this.#connection.collection<RawDocument>(name).bulkWrite(replacements, { ordered: false });
  }

  /** The stored documents, in no order. */
  async *documents(collection: CollectionName): AsyncGenerator<Stored> {
    const { name, schema } = COLLECTIONS[collection];
    const values = documentValues<Stored>(schema);
    const found = this.#connection.collection<RawDocument>(name).find({}, READ).batchSize(READ_AT_ONCE);
    for await (const raw of found) yield schema.parse(values.fromRaw(raw));
  }

  /**
   * Stores events under the ids of their rows; one that is already stored stays as it is. The ids of those that came at
   * `earliest` (milliseconds) or later are kept, so that their repeats are still recognized.
   */
  async putEvents(events: readonly CopiedEvent[], earliest: number): Promise<void> {
    const ids = events.flatMap((copied) => storedEventId(copied, earliest) ?? []);
    await putNew(this.#connection.collection<StoredEventId>(EVENT_ID_COLLECTION), ids);
    const stamp = await this.#writer.begin(deadlineIn(WRITER_MS));
    const documents = events.map(
      ({ row, event }): IdentifiedEvent => ({
        ...toEventDocument(event),
        ...stamp,
        _id: copiedEventId(row),
      }),
    );
    await putNew(this.#connection.collection<IdentifiedEvent>(EVENT_COLLECTION), documents);
    this.#writer.end(stamp);
  }

  /** The stored events, in no order. */
  async *events(): AsyncGenerator<EventRecord> {
    const found = this.#connection
      .collection<EventDocument>(EVENT_COLLECTION)
      .find({}, READ)
      .batchSize(READ_AT_ONCE);
    for await (const document of found) yield toEventRecord(document);
  }
}
