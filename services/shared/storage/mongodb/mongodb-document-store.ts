/** The document store of many machines: MongoDB by mongoose, one collection per kind of document. */
import type { Connection } from 'mongoose';
import type { ApiKeyUse } from '../../model/api-key-usage.ts';
import type { Cleanup } from '../../model/cleanup.ts';
import type { Organization } from '../../model/organization.ts';
import type { UsageIncrement } from '../../model/organization-usage.ts';
import type { Stored } from '../../model/stored.ts';
import type { Clock } from '../../ports/clock.ts';
import type { DocumentStore, OwnPublicLimit } from '../../ports/document-store.ts';
import { COLLECTIONS, type CollectionDeclaration } from '../collections.ts';
import { ChangeCounter } from './change-counter.ts';
import { DocumentAccess } from './document-access.ts';
import { readKeyHashes, readOwnPublicLimits } from './document-reads.ts';
import { MongodbCollection } from './mongodb-collection.ts';
import { UsageWrites } from './usage-writes.ts';

export interface MongodbDocumentStoreOptions {
  /** Open, on a database that was migrated; the store closes it. */
  readonly connection: Connection;
  readonly clock: Clock;
}

/** Largest page of key hashes: some milliseconds of reading. */
const MOST_HASHES = 10_000;

/**
 * {@link DocumentStore} over MongoDB, without transactions: every write is of one document, and a command of many writes
 * each by itself. Where two documents must agree, their writers order the writes so that a crash in between is repaired:
 *
 * - What hangs on something that goes (an organization, a website, a visitor): the clean-up is written first and removed
 *   last, so that it is carried out again until all is gone (services/resources/cleanup).
 * - The last owner: the mark on the organization is written before the membership changes and taken away afterwards; one
 *   that a crash left counts for two minutes (services/resources/members/departing-member.ts).
 * - A rotated key: both hashes stand in the one document of the key.
 * - An entry of the provisioning file: what it makes is written before the hash that says so, and written again without it.
 * - A change and the word that tells other processes of it: {@link ChangeCounter}.
 * - Usage of an organization or key that goes meanwhile: {@link UsageWrites}.
 */
export class MongodbDocumentStore implements DocumentStore {
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
  readonly sessions: DocumentStore['sessions'];
  readonly allCleanups: () => Promise<Cleanup[]>;
  readonly membershipsOf: DocumentStore['membershipsOf'];
  readonly allOrganizations: () => Promise<Organization[]>;
  readonly ownPublicLimits: () => Promise<OwnPublicLimit[]>;
  readonly #readKeyHashes: (limit: number, after: string) => Promise<string[]>;
  readonly #access: DocumentAccess;
  readonly #counter: ChangeCounter;
  readonly #usage: UsageWrites;

  constructor({ connection, clock }: MongodbDocumentStoreOptions) {
    const access = new DocumentAccess(connection);
    const counter = new ChangeCounter(access, clock);
    this.#access = access;
    this.#counter = counter;
    const open = <T extends Stored, UniqueIndex extends string>(
      declaration: CollectionDeclaration<T, UniqueIndex>,
    ) => new MongodbCollection(access, clock, declaration, (write) => counter.around(write));
    const organizations = open(COLLECTIONS.organizations);
    this.organizations = organizations;
    this.allOrganizations = () => organizations.everything();
    this.users = open(COLLECTIONS.users);
    const memberships = open(COLLECTIONS.memberships);
    this.memberships = memberships;
    this.membershipsOf = (userId) => memberships.oldestFirst('userId', userId);
    const websites = open(COLLECTIONS.websites);
    this.websites = websites;
    const apiKeys = open(COLLECTIONS.apiKeys);
    this.apiKeys = apiKeys;
    const apiKeyUsage = open(COLLECTIONS.apiKeyUsage);
    this.apiKeyUsage = apiKeyUsage;
    this.invitations = open(COLLECTIONS.invitations);
    this.auditRecords = open(COLLECTIONS.auditRecords);
    this.provisionedEntries = open(COLLECTIONS.provisionedEntries);
    this.profiles = open(COLLECTIONS.profiles);
    this.visitorProfiles = open(COLLECTIONS.visitorProfiles);
    this.links = open(COLLECTIONS.links);
    this.flags = open(COLLECTIONS.flags);
    this.targetGroups = open(COLLECTIONS.targetGroups);
    this.integrations = open(COLLECTIONS.integrations);
    const organizationUsage = open(COLLECTIONS.organizationUsage);
    this.organizationUsage = organizationUsage;
    const cleanups = open(COLLECTIONS.cleanups);
    this.cleanups = cleanups;
    this.allCleanups = () => cleanups.everything();
    this.sessions = open(COLLECTIONS.sessions);
    this.#usage = new UsageWrites(access, clock, {
      apiKeys: apiKeys.model,
      apiKeyUsage: apiKeyUsage.model,
      organizations: organizations.model,
      organizationUsage: organizationUsage.model,
    });
    this.ownPublicLimits = () => access.run(() => readOwnPublicLimits(organizations.model, websites.model));
    this.#readKeyHashes = (limit, after) =>
      access.run(() => readKeyHashes(apiKeys.model, { limit, after, now: new Date(clock.now()) }));
  }

  async apiKeyHashes({ limit, after = '' }: { limit: number; after?: string }): Promise<string[]> {
    if (!Number.isInteger(limit) || limit < 1 || limit > MOST_HASHES) {
      throw new RangeError(`limit must be 1..${MOST_HASHES}, got ${limit}`);
    }
    return this.#readKeyHashes(limit, after);
  }

  async recordApiKeyUses(uses: readonly ApiKeyUse[]): Promise<void> {
    if (uses.length > 0) await this.#usage.recordApiKeyUses(uses);
  }

  async addUsage(increments: readonly UsageIncrement[]): Promise<void> {
    await this.#usage.addUsage(increments);
  }

  async foreignChanges(): Promise<number> {
    return this.#counter.foreignChanges();
  }

  async ping(): Promise<void> {
    await this.#counter.foreignChanges();
  }

  async close(): Promise<void> {
    // What was not answered is lost with the process when the server does not answer now either.
    await this.#usage.settle().catch(() => undefined);
    await this.#access.close();
  }
}

/** The store over an open connection; nothing is read or written yet. */
export function createMongodbDocumentStore(options: MongodbDocumentStoreOptions): MongodbDocumentStore {
  return new MongodbDocumentStore(options);
}
