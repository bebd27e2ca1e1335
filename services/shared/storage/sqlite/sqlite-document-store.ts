/** The embedded document store: one SQLite file, durable at every commit, which several processes of one machine may read. */

import { newActivity } from '../../model/activity.ts';
import type { CollectionName, DocumentIn, SortedByIn, UniqueIn } from '../../model/collection-types.ts';
import { COLLECTIONS, DECLARATIONS } from '../../model/collections.ts';
import { INSTALLATION } from '../../model/configuration-record.ts';
import { organizationUsageId } from '../../model/organization-usage.ts';
import { websiteSchema } from '../../model/website.ts';
import type { Clock } from '../../ports/clock.ts';
import type { DocumentStore, OwnPublicLimit, WebsiteSummary } from '../../ports/document-store.ts';
import { wellFormed } from '../../text/clean-text.ts';
import { fieldExpression, openDatabase } from './open-database.ts';
import { ReadTurns } from './read-turns.ts';
import { SqliteCollection } from './sqlite-collection.ts';
import { SqliteConnection } from './sqlite-connection.ts';

/** All uses of a batch in one statement, so in one commit; the later minute wins. Uses of deleted keys are dropped. */
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

/** All increments in one statement, so in one commit. Those of deleted organizations are dropped. */
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

/** The same for counts over time, added up name by name; those of the installation belong to no organization. */
const ADD_ACTIVITY = `
  INSERT INTO ${COLLECTIONS.activity.name} (id, organization_id, version, document)
  SELECT json_extract(value, '$.id'), json_extract(value, '$.organizationId'), 1, json(value) FROM json_each(?)
  WHERE json_extract(value, '$.organizationId') = '${INSTALLATION}'
    OR EXISTS (SELECT 1 FROM ${COLLECTIONS.organizations.name} WHERE id = json_extract(value, '$.organizationId'))
  ON CONFLICT (id) DO UPDATE SET
    version = version + 1,
    document = json_set(document,
      '$.version', version + 1,
      '$.updatedAt', json_extract(excluded.document, '$.updatedAt'),
      '$.counts', (SELECT json_group_object(key, total) FROM (
        SELECT key, sum(value) AS total FROM (
          SELECT key, value FROM json_each(document, '$.counts')
          UNION ALL SELECT key, value FROM json_each(excluded.document, '$.counts'))
        GROUP BY key)))`;
const REMOVE_OLD_ACTIVITY = `
  DELETE FROM ${COLLECTIONS.activity.name} WHERE ${fieldExpression('expiresAt')} <= ?
  AND organization_id IN (SELECT value FROM json_each(?))`;

/** The list fields of many websites, read without the rest of them. */
const SUMMARIES = `
  SELECT json_object('id', id, 'name', document -> 'name', 'domain', document -> 'domain',
    'isPublic', document -> 'isPublic', 'createdAt', document -> 'createdAt') AS summary
  FROM ${COLLECTIONS.websites.name} WHERE organization_id = ? AND id > ? ORDER BY id LIMIT ?`;
const SUMMARIES_AT_A_TIME = 200;
const summarySchema = websiteSchema.pick({
  id: true,
  name: true,
  domain: true,
  isPublic: true,
  createdAt: true,
});

export interface SqliteDocumentStoreOptions {
  /** The file; created with its directory when absent. */
  readonly path: string;
  readonly clock: Clock;
  /** How long after a deletion the log is emptied, in milliseconds; default 5,000. */
  readonly emptyLogAfterMs?: number;
}

/** Largest page of key hashes: a few milliseconds of reading. */
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
export interface SqliteDocumentStore extends DocumentStore {
  /**
   * Rises with every committed write, by any process, to a collection that verdicts depend on: cached documents are
   * fresh while it stays the same.
   * @throws ApiError SERVICE_UNAVAILABLE
   */
  changes(): Promise<number>;
}

/** Opens the store. @throws Error that names the file and what to do. */
export function createSqliteDocumentStore({
  path,
  clock,
  emptyLogAfterMs,
}: SqliteDocumentStoreOptions): SqliteDocumentStore {
  const connection = new SqliteConnection(openDatabase(path), emptyLogAfterMs);
  const turns = new ReadTurns();
  /** How far this store's own writes raised the change counter. */
  let ownChanges = 0;
  const collections = openCollections({ connection, turns, clock }, (rows) => {
    ownChanges += rows;
  });
  const { organizations, users, memberships, flags, cleanups } = collections;
  const now = () => new Date(clock.now()).toISOString();

  async function changes(): Promise<number> {
    const rows = connection.all('SELECT changes FROM change_counter', []);
    return (rows[0] as { changes: number }).changes;
  }

  return {
    ...collections,
    allOrganizations: () => organizations.everything(),
    allCleanups: () => cleanups.everything(),
    usersOf: (email) => users.oldestFirst('email', email),
    membershipsOf: (userId) => memberships.oldestFirst('userId', userId),
    flagsIn: (organizationId, scopeId) => flags.having(organizationId, 'scopeId', scopeId, 'key'),
    async websitesOf(organizationId) {
      const found: WebsiteSummary[] = [];
      for (;;) {
        await turns.take(organizationId);
        const rows = connection.all(SUMMARIES, [organizationId, found.at(-1)?.id ?? '', SUMMARIES_AT_A_TIME]);
        found.push(
          ...rows.map((row) => summarySchema.parse(JSON.parse((row as { summary: string }).summary))),
        );
        if (rows.length < SUMMARIES_AT_A_TIME) return found;
      }
    },
    async apiKeyHashes({ limit, after = '' }) {
      if (!Number.isInteger(limit) || limit < 1 || limit > MOST_HASHES) {
        throw new RangeError(`limit must be 1..${MOST_HASHES}, got ${limit}`);
      }
      const rows = connection.all(KEY_HASHES, [after, limit, after, now(), limit, limit]);
      return rows.map((row) => (row as { hash: string }).hash);
    },
    async ownPublicLimits() {
      const rows = connection.all(OWN_PUBLIC_LIMITS, []);
      return rows.map((row) => {
        const { websiteIds, ...limit } = row as Omit<OwnPublicLimit, 'websiteIds'> & { websiteIds: string };
        return { ...limit, websiteIds: JSON.parse(websiteIds) as string[] };
      });
    },
    async recordApiKeyUses(uses) {
      if (uses.length === 0) return;
      const at = now();
      const documents = uses.map(({ apiKeyId, organizationId, lastUsedAt }) => {
        const stored = { id: apiKeyId, organizationId, version: 1, createdAt: at, updatedAt: at };
        return { ...stored, lastUsedAt };
      });
      connection.run(RECORD_USES, [JSON.stringify(wellFormed(documents))], () => null);
    },
    async addUsage(increments) {
      if (increments.length === 0) return;
      const at = now();
      const documents = increments.map(({ organizationId, month, requests, events }) => ({
        ...{ id: organizationUsageId({ organizationId, month }), organizationId, version: 1 },
        ...{ createdAt: at, updatedAt: at, month, requests, events },
      }));
      connection.run(ADD_USAGE, [JSON.stringify(wellFormed(documents))], () => null);
    },
    async addActivity(increments) {
      if (increments.length === 0) return;
      const at = now();
      const stored = { version: 1, createdAt: at, updatedAt: at };
      const documents = increments.map((increment) => ({ ...newActivity(increment), ...stored }));
      connection.run(ADD_ACTIVITY, [JSON.stringify(wellFormed(documents))], () => null);
      const organizations = [...new Set(increments.map(({ organizationId }) => organizationId))];
      connection.run(REMOVE_OLD_ACTIVITY, [at, JSON.stringify(organizations)], () => null);
    },
    changes,
    async foreignChanges() {
      // A process keeps its caches when it writes itself; a write that failed but was committed counts as foreign.
      return (await changes()) - ownChanges;
    },
    async ping() {
      await changes();
    },
    async close() {
      connection.close();
    },
  };
}

/** Every collection of the list. */
type SqliteCollections = {
  readonly [Name in CollectionName]: SqliteCollection<DocumentIn<Name>, UniqueIn<Name>, SortedByIn<Name>>;
};

function openCollections(
  file: ConstructorParameters<typeof SqliteCollection>[0],
  counted: (rows: number) => void,
): SqliteCollections {
  const opened = DECLARATIONS.map(
    ([name, declaration]) => [name, new SqliteCollection(file, declaration, counted)] as const,
  );
  return Object.fromEntries(opened) as unknown as SqliteCollections;
}
