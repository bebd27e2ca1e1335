/** The port of documents: typed per collection, one contract for the embedded file and for a database server. */
import type { ApiKey } from '../model/api-key.ts';
import type { Organization } from '../model/organization.ts';
import type { ProvisionedEntry } from '../model/provisioned-entry.ts';
import type { Stored } from '../model/stored.ts';
import type { Membership, User } from '../model/user.ts';
import type { Website } from '../model/website.ts';

/** What the caller gives of a new document; version and times are the store's. */
export type NewDocument<T extends Stored> = Omit<T, 'version' | 'createdAt' | 'updatedAt'>;

/** What the caller may change of a document. */
export type Changes<T extends Stored> = Partial<Omit<T, keyof Stored>>;

/** A unique value is taken. */
export class DuplicateError extends Error {
  /** The name of the unique index, as declared in `storage/collections.ts`. */
  readonly index: string;
  constructor(index: string) {
    super(`a document with this ${index} exists`);
    this.name = 'DuplicateError';
    this.index = index;
  }
}

/** One collection. The tenant is a required argument of every function that is not a look-up by a unique value. */
export interface Collection<T extends Stored, UniqueIndex extends string = never> {
  /** Durable when it resolves. @throws DuplicateError when the id or a unique value is taken. */
  insert(document: NewDocument<T>): Promise<T>;
  get(organizationId: string, id: string): Promise<T | null>;
  /** Across tenants, by a declared unique index; for credentials and provisioning, whose tenant is not yet known. */
  findUnique(index: UniqueIndex | 'id', values: readonly string[]): Promise<T | null>;
  /** Documents of a tenant by id ascending: at most `limit` (1..100), those after the id `after`. */
  list(organizationId: string, page: { limit: number; after?: string }): Promise<T[]>;
  /** Every document of a tenant by id ascending. */
  all(organizationId: string): Promise<T[]>;
  /** Compare-and-set: the new document, or null when it is gone or `version` is not its version. @throws DuplicateError */
  update(organizationId: string, id: string, version: number, changes: Changes<T>): Promise<T | null>;
  /** Whether something was there to remove. */
  remove(organizationId: string, id: string): Promise<boolean>;
}

export interface DocumentStore {
  readonly organizations: Collection<Organization>;
  readonly users: Collection<User, 'email'>;
  readonly memberships: Collection<Membership, 'organizationUser'>;
  readonly websites: Collection<Website, 'organizationDomain'>;
  readonly apiKeys: Collection<ApiKey, 'keyHash'>;
  readonly provisionedEntries: Collection<ProvisionedEntry>;
  /** Every organization by id ascending; for administration only. */
  allOrganizations(): Promise<Organization[]>;
  /** Hashes of all stored keys, live or not, ascending: at most `limit` (1..10000), those after the hash `after`. */
  apiKeyHashes(page: { limit: number; after?: string }): Promise<string[]>;
  /**
   * Differs from what it was before once another process committed a write: while it stands still, nothing changed but
   * by this process.
   */
  foreignChanges(): Promise<number>;
  /** Rejects when the store cannot answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
