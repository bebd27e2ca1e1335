/** The port of documents: typed per collection, one contract for the embedded file and for a database server. */
import type { ApiKey } from '../model/api-key.ts';
import type { ApiKeyUsage, ApiKeyUse } from '../model/api-key-usage.ts';
import type { AuditRecord } from '../model/audit-record.ts';
import type { Cleanup } from '../model/cleanup.ts';
import type { Flag, TargetGroup } from '../model/flag.ts';
import type { Integration } from '../model/integration.ts';
import type { Invitation } from '../model/invitation.ts';
import type { Link } from '../model/link.ts';
import type { Organization } from '../model/organization.ts';
import type { OrganizationUsage, UsageIncrement } from '../model/organization-usage.ts';
import type { Profile, VisitorProfile } from '../model/profile.ts';
import type { ProvisionedEntry } from '../model/provisioned-entry.ts';
import type { Session } from '../model/session.ts';
import type { Stored } from '../model/stored.ts';
import type { Membership, User } from '../model/user.ts';
import type { Website } from '../model/website.ts';

/** What the caller gives of a new document; version and times are the store's. */
export type NewDocument<T extends Stored> = Omit<T, 'version' | 'createdAt' | 'updatedAt'>;

/** What the caller may change of a document. */
export type Changes<T extends Stored> = Partial<Omit<T, keyof Stored>>;

/** Which documents {@link Collection.list} gives. */
export interface ListPage {
  /** 1..100. */
  readonly limit: number;
  readonly after?: string;
  /** Default: ascending. */
  readonly order?: 'ascending' | 'descending';
}

/** Which documents {@link Collection.sorted} gives, and in which order. */
export interface SortedPage<T extends Stored> {
  /** 1..100. */
  readonly limit: number;
  /** A field that holds text in every document; by its bytes in UTF-8, equal ones by id. */
  readonly sortBy: keyof T & string;
  /** Default: ascending. */
  readonly order?: 'ascending' | 'descending';
  /** Only those behind this value of `sortBy` and this id. */
  readonly after?: readonly [value: string, id: string];
  /** Only those whose field is one of the values. */
  readonly where?: { readonly field: keyof T & string; readonly values: readonly string[] };
}

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
  /** Documents of a tenant in the order of their ids: at most `limit` (1..100), those behind the id `after`. */
  list(organizationId: string, page: ListPage): Promise<T[]>;
  /** Documents of a tenant in the order of one of their fields. */
  sorted(organizationId: string, page: SortedPage<T>): Promise<T[]>;
  /** Every document of a tenant by id ascending. */
  all(organizationId: string): Promise<T[]>;
  /** Compare-and-set: the new document, or null when it is gone or `version` is not its version. @throws DuplicateError */
  update(organizationId: string, id: string, version: number, changes: Changes<T>): Promise<T | null>;
  /** Whether something was there to remove. */
  remove(organizationId: string, id: string): Promise<boolean>;
}

/** An organization that carries a public limit of its own, with its websites. */
export interface OwnPublicLimit {
  readonly organizationId: string;
  readonly publicPerMinute: number;
  readonly websiteIds: readonly string[];
}

export interface DocumentStore {
  readonly organizations: Collection<Organization, 'slug'>;
  readonly users: Collection<User, 'email'>;
  readonly memberships: Collection<Membership, 'organizationUser'>;
  readonly websites: Collection<Website, 'organizationDomain'>;
  readonly apiKeys: Collection<ApiKey, 'keyHash' | 'previousKeyHash'>;
  readonly apiKeyUsage: Collection<ApiKeyUsage>;
  readonly invitations: Collection<Invitation, 'tokenHash'>;
  readonly auditRecords: Collection<AuditRecord>;
  readonly provisionedEntries: Collection<ProvisionedEntry>;
  readonly profiles: Collection<Profile>;
  readonly visitorProfiles: Collection<VisitorProfile>;
  readonly links: Collection<Link, 'slug'>;
  readonly flags: Collection<Flag, 'scopeKey'>;
  readonly targetGroups: Collection<TargetGroup>;
  readonly integrations: Collection<Integration>;
  readonly organizationUsage: Collection<OrganizationUsage>;
  readonly cleanups: Collection<Cleanup>;
  /** The tenant of a session is its user. */
  readonly sessions: Collection<Session>;
  /** Every membership of a user, the oldest first; for sessions, which act for one of several organizations. */
  membershipsOf(userId: string): Promise<Membership[]>;
  /** Writes down when keys were last used, all in one write; a use older than what is stored changes nothing, nor does one of a key that is gone. */
  recordApiKeyUses(uses: readonly ApiKeyUse[]): Promise<void>;
  /** Adds to the usage of organizations, all in one write; adds up whoever writes. What is of an organization that is gone is dropped. */
  addUsage(increments: readonly UsageIncrement[]): Promise<void>;
  /** Every clean-up of every organization that is still to be carried out, the oldest first. */
  allCleanups(): Promise<Cleanup[]>;
  /** Every organization by id ascending; for administration only. */
  allOrganizations(): Promise<Organization[]>;
  /** Hashes of all stored keys, live or not, and of rotated-out secrets within their grace, ascending: at most `limit` (1..10000), those after the hash `after`. */
  apiKeyHashes(page: { limit: number; after?: string }): Promise<string[]>;
  /** Every organization that carries `publicPerMinute`, by id ascending, with its websites; few do. */
  ownPublicLimits(): Promise<OwnPublicLimit[]>;
  /**
   * Differs from what it was before once another process committed a write to a collection that verdicts depend on (all
   * that `storage/collections.ts` does not mark as unremembered): while it stands still, those changed by this process alone.
   */
  foreignChanges(): Promise<number>;
  /** Rejects when the store cannot answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
