/** The embedded document store: one SQLite file, durable at every commit, readable by several processes of one machine. */
import type { Organization } from '../../model/organization.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Collection, DocumentStore } from '../../ports/document-store.ts';
import { COLLECTIONS } from '../collections.ts';
import { fieldExpression, openDatabase } from './open-database.ts';
import { SqliteCollection } from './sqlite-collection.ts';
import { SqliteConnection } from './sqlite-connection.ts';

export interface SqliteDocumentStoreOptions {
  /** The file; made with its directory when absent. */
  readonly path: string;
  readonly clock: Clock;
}

/** Largest page of key hashes: some milliseconds of reading. */
const MOST_HASHES = 10_000;

/** {@link DocumentStore} over one SQLite file. */
export class SqliteDocumentStore implements DocumentStore {
  readonly organizations: Collection<Organization>;
  readonly users: DocumentStore['users'];
  readonly memberships: DocumentStore['memberships'];
  readonly websites: DocumentStore['websites'];
  readonly apiKeys: DocumentStore['apiKeys'];
  readonly provisionedEntries: DocumentStore['provisionedEntries'];
  readonly allOrganizations: () => Promise<Organization[]>;
  readonly #connection: SqliteConnection;

  constructor(connection: SqliteConnection, clock: Clock) {
    this.#connection = connection;
    const organizations = new SqliteCollection(connection, clock, COLLECTIONS.organizations);
    this.organizations = organizations;
    this.allOrganizations = () => organizations.everything();
    this.users = new SqliteCollection(connection, clock, COLLECTIONS.users);
    this.memberships = new SqliteCollection(connection, clock, COLLECTIONS.memberships);
    this.websites = new SqliteCollection(connection, clock, COLLECTIONS.websites);
    this.apiKeys = new SqliteCollection(connection, clock, COLLECTIONS.apiKeys);
    this.provisionedEntries = new SqliteCollection(connection, clock, COLLECTIONS.provisionedEntries);
  }

  async apiKeyHashes(page: { limit: number; after?: string }): Promise<string[]> {
    if (!Number.isInteger(page.limit) || page.limit < 1 || page.limit > MOST_HASHES) {
      throw new RangeError(`limit must be 1..${MOST_HASHES}, got ${page.limit}`);
    }
    const hash = fieldExpression('keyHash');
    const rows = this.#connection.all(
      `SELECT ${hash} AS hash FROM ${COLLECTIONS.apiKeys.name} WHERE ${hash} > ? ORDER BY ${hash} LIMIT ?`,
      [page.after ?? '', page.limit],
    );
    return rows.map((row) => (row as { hash: string }).hash);
  }

  /**
   * Rises with every committed write of any process: what is remembered from the store is fresh while it stands still.
   * @throws ApiError SERVICE_UNAVAILABLE
   */
  async changes(): Promise<number> {
    const rows = this.#connection.all('SELECT changes FROM change_counter', []);
    return (rows[0] as { changes: number }).changes;
  }

  async foreignChanges(): Promise<number> {
    // SQLite moves it for commits of other connections only: a process does not drop what it knows for its own writes.
    const rows = this.#connection.all('PRAGMA data_version', []);
    return (rows[0] as { data_version: number }).data_version;
  }

  async ping(): Promise<void> {
    await this.changes();
  }

  async close(): Promise<void> {
    this.#connection.close();
  }
}

/** Opens the store. @throws Error that names the file and what to do. */
export function createSqliteDocumentStore(options: SqliteDocumentStoreOptions): SqliteDocumentStore {
  return new SqliteDocumentStore(new SqliteConnection(openDatabase(options.path)), options.clock);
}
