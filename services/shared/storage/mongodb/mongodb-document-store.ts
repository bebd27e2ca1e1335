/** The document store for many machines: MongoDB by mongoose, one collection per kind of document. */
import type { Connection } from 'mongoose';
import type { CollectionName, DocumentIn, SortedByIn, UniqueIn } from '../../model/collection-types.ts';
import { DECLARATIONS } from '../../model/collections.ts';
import type { Clock } from '../../ports/clock.ts';
import type { DocumentStore } from '../../ports/document-store.ts';
import { ChangeCounter } from './change-counter.ts';
import { DocumentAccess } from './document-access.ts';
import { readKeyHashes, readOwnPublicLimits, readWebsiteSummaries } from './document-reads.ts';
import { type Counted, MongodbCollection } from './mongodb-collection.ts';
import { UsageWrites } from './usage-writes.ts';

export interface MongodbDocumentStoreOptions {
  /** An open connection to a migrated database; the store closes it. */
  readonly connection: Connection;
  readonly clock: Clock;
}

/** Largest page of key hashes: a few milliseconds of reading. */
const MOST_HASHES = 10_000;

/** Its parts, over an open connection. */
export type MongodbDocumentStore = DocumentStore;

/**
 * {@link DocumentStore} over MongoDB, without transactions: every write changes one document, also within a bulk
 * command. Where two documents must agree, their writers order the writes so that a crash in between is repaired:
 *
 * - Deleting an organization, a website or a visitor with all that depends on it: the clean-up is written first and removed
 *   last, so that it runs again until everything is gone (services/resources/cleanup).
 * - The last owner: the mark on the organization is written before the membership changes and removed afterwards; a mark
 *   that a crash left counts for two minutes (services/resources/members/departing-member.ts).
 * - A rotated key: both hashes are in the key's one document.
 * - An entry of the provisioning file: its document is written before the hash that records it, and again without the hash.
 * - A change and its announcement to other processes: {@link ChangeCounter}.
 * - Usage of an organization or key that is deleted meanwhile: {@link UsageWrites}.
 *
 * Nothing is read or written before the first call.
 */
export function createMongodbDocumentStore({
  connection,
  clock,
}: MongodbDocumentStoreOptions): MongodbDocumentStore {
  const access = new DocumentAccess(connection);
  const counter = new ChangeCounter(access, clock);
  const collections = openCollections(access, clock, (write) => counter.around(write));
  const { organizations, users, memberships, websites, apiKeys, flags, cleanups } = collections;
  const usage = new UsageWrites(access, clock, {
    apiKeys: apiKeys.model,
    apiKeyUsage: collections.apiKeyUsage.model,
    organizations: organizations.model,
    organizationUsage: collections.organizationUsage.model,
    activity: collections.activity.model,
  });

  return {
    ...collections,
    allOrganizations: () => organizations.everything(),
    allCleanups: () => cleanups.everything(),
    usersOf: (email) => users.oldestFirst('email', email),
    membershipsOf: (userId) => memberships.oldestFirst('userId', userId),
    flagsIn: (organizationId, scopeId) => flags.having(organizationId, 'scopeId', scopeId, 'key'),
    websitesOf: (organizationId) => access.run(() => readWebsiteSummaries(websites.model, organizationId)),
    ownPublicLimits: () => access.run(() => readOwnPublicLimits(organizations.model, websites.model)),
    async apiKeyHashes({ limit, after = '' }) {
      if (!Number.isInteger(limit) || limit < 1 || limit > MOST_HASHES) {
        throw new RangeError(`limit must be 1..${MOST_HASHES}, got ${limit}`);
      }
      const now = new Date(clock.now());
      return access.run(() => readKeyHashes(apiKeys.model, { limit, after, now }));
    },
    async recordApiKeyUses(uses) {
      if (uses.length > 0) await usage.recordApiKeyUses(uses);
    },
    addUsage: (increments) => usage.addUsage(increments),
    addActivity: (increments) => usage.addActivity(increments),
    foreignChanges: () => counter.foreignChanges(),
    async ping() {
      await counter.foreignChanges();
    },
    async close() {
      // What was not answered is lost with the process if the server does not answer now either.
      await usage.settle().catch(() => undefined);
      await access.close();
    },
  };
}

/** Every collection of the list. */
type MongodbCollections = {
  readonly [Name in CollectionName]: MongodbCollection<DocumentIn<Name>, UniqueIn<Name>, SortedByIn<Name>>;
};

function openCollections(access: DocumentAccess, clock: Clock, counted: Counted): MongodbCollections {
  const opened = DECLARATIONS.map(
    ([name, declaration]) => [name, new MongodbCollection(access, clock, declaration, counted)] as const,
  );
  return Object.fromEntries(opened) as unknown as MongodbCollections;
}
