/** The port of documents: typed per collection, one contract for the embedded file and for a database server. */

import type { ActivityIncrement } from '../model/activity.ts';
import type { ApiKeyUse } from '../model/api-key-usage.ts';
import type { Cleanup } from '../model/cleanup.ts';
import type { CollectionName, DocumentIn, SortedByIn, UniqueIn } from '../model/collection-types.ts';
import type { Flag } from '../model/flag.ts';
import type { Organization } from '../model/organization.ts';
import type { UsageIncrement } from '../model/organization-usage.ts';
import type { FieldPath, Stored } from '../model/stored.ts';
import type { Membership, User } from '../model/user.ts';
import type { Website } from '../model/website.ts';

/** The caller's part of a new document; the store adds version and times. */
export type NewDocument<T extends Stored> = Omit<T, 'version' | 'createdAt' | 'updatedAt'>;

/** What the caller may change in a document. */
export type Changes<T extends Stored> = Partial<Omit<T, keyof Stored>>;

/** Which documents {@link Collection.list} returns. */
export interface ListPage {
  /** 1..100. */
  readonly limit: number;
  readonly after?: string;
  /** Default: ascending. */
  readonly order?: 'ascending' | 'descending';
}

/**
 * How many documents one call of {@link Collection.search} looks at, at most: a few milliseconds of work, in slices
 * between which other requests continue. A larger tenant is searched by several calls.
 */
export const MOST_LOOKED_AT = 1_000;

/** The position of a document in a list: the value that is sorted by, and its id. */
export type Position = readonly [value: string, id: string];

/** Which documents {@link Collection.search} returns, and in which order. */
export interface Search<T extends Stored, SortedBy extends string = never> {
  /** 1..100. */
  readonly limit: number;
  /** An indexed field that holds text in every document; sorted by its UTF-8 bytes, ties by id. */
  readonly sortBy: SortedBy | 'id';
  /** Default: ascending. */
  readonly order?: 'ascending' | 'descending';
  /** Only those after this position. */
  readonly after?: Position;
  /** Only those whose fields each have one of the values; a single value of an indexed field is found by that index. */
  readonly where?: readonly { readonly field: keyof T & string; readonly values: readonly string[] }[];
  /** Only those where one of the fields, which hold texts or lists of texts, contains the text, ignoring case. */
  readonly text?: { readonly contains: string; readonly fields: readonly FieldPath<T>[] };
}

/** What one call found. */
export interface Found<T extends Stored> {
  readonly documents: T[];
  /**
   * Where the next call continues, by `after`; null when nothing follows. A position together with fewer documents than
   * asked for, even none, means that {@link MOST_LOOKED_AT} were looked at.
   */
  readonly next: Position | null;
}

/** The fields of a website that long lists show. */
export type WebsiteSummary = Pick<Website, 'id' | 'name' | 'domain' | 'isPublic' | 'createdAt'>;

/** A unique value is taken. */
export class DuplicateError extends Error {
  /** The name of the unique index, as declared in `model/collections.ts`. */
  readonly index: string;
  constructor(index: string) {
    super(`a document with this ${index} exists`);
    this.name = 'DuplicateError';
    this.index = index;
  }
}

/** One collection. Every function takes the tenant, except look-ups by a unique value. */
export interface Collection<
  T extends Stored,
  UniqueIndex extends string = never,
  SortedBy extends string = never,
> {
  /** Durable when it resolves. @throws DuplicateError when the id or a unique value is taken. */
  insert(document: NewDocument<T>): Promise<T>;
  /**
   * Inserts while the tenant has fewer than `most` documents; null when it has `most`. However many processes write at
   * the same time, never more than `most` stay.
   */
  insertWithin(document: NewDocument<T>, most: number): Promise<T | null>;
  get(organizationId: string, id: string): Promise<T | null>;
  /** Across tenants, by a declared unique index; for credentials and provisioning, where the tenant is not yet known. */
  findUnique(index: UniqueIndex | 'id', values: readonly string[]): Promise<T | null>;
  /** Documents of a tenant in the order of their ids: at most `limit` (1..100), those after the id `after`. */
  list(organizationId: string, page: ListPage): Promise<T[]>;
  /** Documents of a tenant sorted by one of their fields, found by indexes; looks at a bounded number of them. */
  search(organizationId: string, search: Search<T, SortedBy>): Promise<Found<T>>;
  /** Every document of a tenant by id ascending. */
  all(organizationId: string): Promise<T[]>;
  /** Compare-and-set: the new document, or null when it is gone or has another version. @throws DuplicateError */
  update(organizationId: string, id: string, version: number, changes: Changes<T>): Promise<T | null>;
  /** Whether there was something to remove. */
  remove(organizationId: string, id: string): Promise<boolean>;
}

/** An organization with a public limit of its own, and its websites. */
export interface OwnPublicLimit {
  readonly organizationId: string;
  readonly publicPerMinute: number;
  readonly websiteIds: readonly string[];
}

/** Every collection of the list by its name. */
export type Collections = {
  readonly [Name in CollectionName]: Collection<DocumentIn<Name>, UniqueIn<Name>, SortedByIn<Name>>;
};

export interface DocumentStore extends Collections {
  /**
   * Every flag of a scope (a website, or an organization by itself) in the order of their keys, read at once: a scope has
   * few.
   */
  flagsIn(organizationId: string, scopeId: string): Promise<Flag[]>;
  /**
   * Every website of an organization by id ascending. Gateways and services may get a cached answer: what another
   * process created, changed or deleted shows within 5 seconds, this process's own writes at once.
   */
  websitesOf(organizationId: string): Promise<readonly WebsiteSummary[]>;
  /** Every membership of a user, the oldest first; for sessions, which act for one of several organizations. */
  membershipsOf(userId: string): Promise<Membership[]>;
  /** Every account of an email, oldest first; for logins and for code that admits a user, which know only the email. */
  usersOf(email: string): Promise<User[]>;
  /**
   * Stores when keys were last used, all in one write. A use older than the stored one changes nothing, and neither does
   * one of a deleted key.
   */
  recordApiKeyUses(uses: readonly ApiKeyUse[]): Promise<void>;
  /**
   * Adds to the usage of organizations, all in one write; concurrent writers add up. Usage of a deleted organization is
   * dropped.
   */
  addUsage(increments: readonly UsageIncrement[]): Promise<void>;
  /**
   * Adds to counts over time, all in one write; concurrent writers add up. Those of a deleted organization are dropped, not
   * those of the installation; and so are documents of the same organizations that nobody asks for any more.
   */
  addActivity(increments: readonly ActivityIncrement[]): Promise<void>;
  /** Every clean-up of every organization that is still to be done, oldest first. */
  allCleanups(): Promise<Cleanup[]>;
  /** Every organization by id ascending; for administration only. */
  allOrganizations(): Promise<Organization[]>;
  /**
   * Hashes of all stored keys, valid or not, and of rotated-out secrets within their grace, ascending: at most `limit`
   * (1..10000), those after the hash `after`.
   */
  apiKeyHashes(page: { limit: number; after?: string }): Promise<string[]>;
  /** Every organization with `publicPerMinute`, by id ascending, with its websites; there are few. */
  ownPublicLimits(): Promise<OwnPublicLimit[]>;
  /**
   * Changes once another process committed a write to a collection that verdicts depend on (those that
   * `model/collections.ts` announces). While it stays the same, only this process changed them.
   */
  foreignChanges(): Promise<number>;
  /** Rejects when the store cannot answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
