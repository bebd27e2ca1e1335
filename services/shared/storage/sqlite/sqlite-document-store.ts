/** The embedded document store: one SQLite file, durable at every commit, readable by several processes of one machine. */
import type { ApiKeyUse } from '../../model/api-key-usage.ts';
import type { Cleanup } from '../../model/cleanup.ts';
import type { Organization } from '../../model/organization.ts';
import { organizationUsageId, type UsageIncrement } from '../../model/organization-usage.ts';
import type { Stored } from '../../model/stored.ts';
import type { Clock } from '../../ports/clock.ts';
import type { DocumentStore, OwnPublicLimit } from '../../ports/document-store.ts';
import { COLLECTIONS, type CollectionDeclaration } from '../collections.ts';
import { fieldExpression, openDatabase } from './open-database.ts';
import { SqliteCollection } from './sqlite-collection.ts';
import { SqliteConnection } from './sqlite-connection.ts';

/** All uses of a batch in one statement, so in one commit; the later minute wins. What was used and is deleted since leaves nothing. */
const RECORD_USES = `
  INSERT INTO ${COLLECTIONS.apiKeyUsage.name} (id, organization_id, version, document)
  SELECT json_extract(value, '$.id'), json_extract(value, '$.organizationId'), 1, json(value) FROM json_each(?)
  WHERE EXISTS (SELECT 1 FROM ${COLLECTIONS.apiKeys.name} WHERE id = json_extract(value, '$.id'))
  ON CONFLICT (id) DO UPDATE SET
    version = version + 1,
    document = json_set(document,
      '$.version', version + 1,
      '$.updatedAt', json_extract(excluded.document, '$.updatedAt'),
      '$.lastUsedAt', json_extract(excluded.document, '$.lastUsedAt'))
  WHERE json_extract(document, '$.lastUsedAt') < json_extract(excluded.document, '$.lastUsedAt')`;

/** All increments in one statement, so in one commit. An organization that is deleted has no usage any more. */
const ADD_USAGE = `
  INSERT INTO ${COLLECTIONS.organizationUsage.name} (id, organization_id, version, document)
  SELECT json_extract(value, '$.id'), json_extract(value, '$.organizationId'), 1, json(value) FROM json_each(?)
  WHERE EXISTS (SELECT 1 FROM ${COLLECTIONS.organizations.name} WHERE id = json_extract(value, '$.organizationId'))
  ON CONFLICT (id) DO UPDATE SET
    version = version + 1,
    document = json_set(document,
      '$.version', version + 1,
      '$.updatedAt', json_extract(excluded.document, '$.updatedAt'),
      '$.requests', json_extract(document, '$.requests') + json_extract(excluded.document, '$.requests'),
      '$.events', json_extract(document, '$.events') + json_extract(excluded.document, '$.events'))`;

export interface SqliteDocumentStoreOptions {
  /** The file; made with its directory when absent. */
  readonly path: string;
  readonly clock: Clock;
}

/** Largest page of key hashes: some milliseconds of reading. */
const MOST_HASHES = 10_000;

const HASH = fieldExpression('keyHash');
const PREVIOUS_HASH = fieldExpression('previousKeyHash');
/** One page of each of the two indexes, merged. */
const KEY_HASHES = `
  SELECT hash FROM (
    SELECT ${HASH} AS hash FROM ${COLLECTIONS.apiKeys.name} WHERE ${HASH} > ? ORDER BY ${HASH} LIMIT ?)
  UNION SELECT hash FROM (
    SELECT ${PREVIOUS_HASH} AS hash FROM ${COLLECTIONS.apiKeys.name}
    WHERE ${PREVIOUS_HASH} > ? AND ${fieldExpression('previousValidUntil')} > ? ORDER BY ${PREVIOUS_HASH} LIMIT ?)
  ORDER BY hash LIMIT ?`;

const PUBLIC_PER_MINUTE = fieldExpression('limits.publicPerMinute');
const OWN_PUBLIC_LIMITS = `
  SELECT id AS organizationId, ${PUBLIC_PER_MINUTE} AS publicPerMinute,
    (SELECT json_group_array(id) FROM ${COLLECTIONS.websites.name} WHERE organization_id = ${COLLECTIONS.organizations.name}.id) AS websiteIds
  FROM ${COLLECTIONS.organizations.name} WHERE ${PUBLIC_PER_MINUTE} > 0 ORDER BY id`;

/** {@link DocumentStore} over one SQLite file. */
export class SqliteDocumentStore implements DocumentStore {
  readonly organizations: DocumentStore['organizations'];
  readonly users: DocumentStore['users'];
  readonly memberships: DocumentStore['memberships'];
  readonly websites: DocumentStore['websites'];
  readonly apiKeys: DocumentStore['apiKeys'];
  readonly apiKeyUsage: DocumentStore['apiKeyUsage'];
  readonly invitations: DocumentStore['invitations'];
  readonly auditRecords: DocumentStore['auditRecords'];
  readonly provisionedEntries: DocumentStore['provisionedEntries'];
  readonly profiles: DocumentStore['profiles'];
  readonly visitorProfiles: DocumentStore['visitorProfiles'];
  readonly links: DocumentStore['links'];
  readonly flags: DocumentStore['flags'];
  readonly targetGroups: DocumentStore['targetGroups'];
  readonly integrations: DocumentStore['integrations'];
  readonly organizationUsage: DocumentStore['organizationUsage'];
  readonly cleanups: DocumentStore['cleanups'];
  readonly allCleanups: () => Promise<Cleanup[]>;
  readonly sessions: DocumentStore['sessions'];
  readonly membershipsOf: DocumentStore['membershipsOf'];
  readonly allOrganizations: () => Promise<Organization[]>;
  readonly #connection: SqliteConnection;
  readonly #clock: Clock;
  /** By how much this store's own writes raised the change counter. */
  #ownChanges = 0;

  constructor(connection: SqliteConnection, clock: Clock) {
    this.#connection = connection;
    this.#clock = clock;
    const open = <T extends Stored, UniqueIndex extends string>(
      declaration: CollectionDeclaration<T, UniqueIndex>,
    ) =>
      new SqliteCollection(connection, clock, declaration, (rows) => {
        this.#ownChanges += rows;
      });
    const organizations = open(COLLECTIONS.organizations);
    this.organizations = organizations;
    this.allOrganizations = () => organizations.everything();
    this.users = open(COLLECTIONS.users);
    const memberships = open(COLLECTIONS.memberships);
    this.memberships = memberships;
    this.membershipsOf = (userId) => memberships.oldestFirst('userId', userId);
    this.websites = open(COLLECTIONS.websites);
    this.apiKeys = open(COLLECTIONS.apiKeys);
    this.apiKeyUsage = open(COLLECTIONS.apiKeyUsage);
    this.invitations = open(COLLECTIONS.invitations);
    this.auditRecords = open(COLLECTIONS.auditRecords);
    this.provisionedEntries = open(COLLECTIONS.provisionedEntries);
    this.profiles = open(COLLECTIONS.profiles);
    this.visitorProfiles = open(COLLECTIONS.visitorProfiles);
    this.links = open(COLLECTIONS.links);
    this.flags = open(COLLECTIONS.flags);
    this.targetGroups = open(COLLECTIONS.targetGroups);
    this.integrations = open(COLLECTIONS.integrations);
    this.organizationUsage = open(COLLECTIONS.organizationUsage);
    const cleanups = open(COLLECTIONS.cleanups);
    this.cleanups = cleanups;
    this.allCleanups = () => cleanups.everything();
    this.sessions = open(COLLECTIONS.sessions);
  }

  async apiKeyHashes(page: { limit: number; after?: string }): Promise<string[]> {
    if (!Number.isInteger(page.limit) || page.limit < 1 || page.limit > MOST_HASHES) {
      throw new RangeError(`limit must be 1..${MOST_HASHES}, got ${page.limit}`);
    }
    const after = page.after ?? '';
    const now = new Date(this.#clock.now()).toISOString();
    const { limit } = page;
    const rows = this.#connection.all(KEY_HASHES, [after, limit, after, now, limit, limit]);
    return rows.map((row) => (row as { hash: string }).hash);
  }

  async ownPublicLimits(): Promise<OwnPublicLimit[]> {
    const rows = this.#connection.all(OWN_PUBLIC_LIMITS, []);
    return rows.map((row) => {
      const { websiteIds, ...limit } = row as Omit<OwnPublicLimit, 'websiteIds'> & { websiteIds: string };
      return { ...limit, websiteIds: JSON.parse(websiteIds) as string[] };
    });
  }

  /**
   * Rises with every committed write, of any process, to a collection that verdicts depend on: what is remembered of the
   * store is fresh while it stands still.
   * @throws ApiError SERVICE_UNAVAILABLE
   */
  async changes(): Promise<number> {
    const rows = this.#connection.all('SELECT changes FROM change_counter', []);
    return (rows[0] as { changes: number }).changes;
  }

  async recordApiKeyUses(uses: readonly ApiKeyUse[]): Promise<void> {
    if (uses.length === 0) return;
    const now = new Date(this.#clock.now()).toISOString();
    const documents = uses.map(({ apiKeyId, organizationId, lastUsedAt }) => {
      const stored = { id: apiKeyId, organizationId, version: 1, createdAt: now, updatedAt: now };
      return { ...stored, lastUsedAt };
    });
    this.#connection.run(RECORD_USES, [JSON.stringify(documents)], () => null);
  }

  async addUsage(increments: readonly UsageIncrement[]): Promise<void> {
    if (increments.length === 0) return;
    const now = new Date(this.#clock.now()).toISOString();
    const documents = increments.map(({ organizationId, month, requests, events }) => ({
      ...{ id: organizationUsageId({ organizationId, month }), organizationId, version: 1 },
      ...{ createdAt: now, updatedAt: now, month, requests, events },
    }));
    this.#connection.run(ADD_USAGE, [JSON.stringify(documents)], () => null);
  }

  async foreignChanges(): Promise<number> {
    // A process does not drop what it knows for its own writes; one that failed and was committed all the same is foreign.
    return (await this.changes()) - this.#ownChanges;
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
