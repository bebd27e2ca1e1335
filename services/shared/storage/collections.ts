/** The collections of the document port as data, so that every document store makes its tables and indexes from one list. */
import type { z } from 'zod';
import { apiKeySchema } from '../model/api-key.ts';
import { apiKeyUsageSchema } from '../model/api-key-usage.ts';
import { auditRecordSchema } from '../model/audit-record.ts';
import { cleanupSchema } from '../model/cleanup.ts';
import { flagSchema, targetGroupSchema } from '../model/flag.ts';
import { integrationSchema } from '../model/integration.ts';
import { invitationSchema } from '../model/invitation.ts';
import { linkSchema } from '../model/link.ts';
import { organizationSchema } from '../model/organization.ts';
import { organizationUsageSchema } from '../model/organization-usage.ts';
import { profileSchema, visitorProfileSchema } from '../model/profile.ts';
import { provisionedEntrySchema } from '../model/provisioned-entry.ts';
import { sessionSchema } from '../model/session.ts';
import type { Stored } from '../model/stored.ts';
import { membershipSchema, userSchema } from '../model/user.ts';
import { websiteSchema } from '../model/website.ts';
import type { Collection, DocumentStore } from '../ports/document-store.ts';

/** A field of a document, or by dots one within it. */
type IndexField<T extends Stored> = (keyof T & string) | `${keyof T & string}.${string}`;
/** Fields of a document, in the order of the index. */
export type IndexFields<T extends Stored> = readonly [IndexField<T>, ...IndexField<T>[]];

/**
 * One collection. `id` is unique across tenants in every collection, and every collection is read by
 * (organizationId, id); both need no declaration here.
 */
export interface CollectionDeclaration<T extends Stored, UniqueIndex extends string> {
  /** Name of the table or of the database collection. */
  readonly name: string;
  /** What a stored document must be; also what it is checked by when it is read. */
  readonly schema: z.ZodType<T>;
  /** Unique indexes by the name that {@link Collection.findUnique} and DuplicateError use; null equals no other null. */
  readonly unique: Readonly<Record<UniqueIndex, IndexFields<T>>>;
  /**
   * No verdict depends on these documents: the change counter does not count their writes and the bus does not tell of
   * them (`publish-writes.ts`; a test holds the two equal).
   */
  readonly unremembered?: true;
  /** Further indexes by name. */
  readonly indexes: Readonly<Record<string, IndexFields<T>>>;
}

/** The members of the port that are collections. */
export type CollectionName = {
  [Name in keyof DocumentStore]: DocumentStore[Name] extends Collection<infer _T, infer _U> ? Name : never;
}[keyof DocumentStore];

type DeclarationOf<C> =
  C extends Collection<infer T, infer UniqueIndex> ? CollectionDeclaration<T, UniqueIndex> : never;

/** Every collection by its name in the port. */
export const COLLECTIONS: { readonly [Name in CollectionName]: DeclarationOf<DocumentStore[Name]> } = {
  organizations: {
    name: 'organizations',
    schema: organizationSchema,
    unique: {
      // A slug names one organization; those without one do not take part.
      slug: ['slug'],
    },
    indexes: {
      // The few with a public limit of their own: every gateway, every few seconds.
      publicPerMinute: ['limits.publicPerMinute'],
    },
  },
  users: {
    name: 'users',
    schema: userSchema,
    unique: {
      // Login and provisioning: the user of an address, whatever organization they belong to.
      email: ['email'],
    },
    indexes: {},
  },
  memberships: {
    name: 'memberships',
    schema: membershipSchema,
    unique: {
      // Role of a user in an organization: session checks, members of an organization.
      organizationUser: ['organizationId', 'userId'],
    },
    indexes: {
      // Login and refresh: the organizations of a user.
      user: ['userId'],
    },
  },
  websites: {
    name: 'websites',
    schema: websiteSchema,
    unique: {
      // One website per domain within an organization; provisioning and the first start look it up.
      organizationDomain: ['organizationId', 'domain'],
    },
    indexes: {},
  },
  apiKeys: {
    name: 'api_keys',
    schema: apiKeySchema,
    unique: {
      // Every request with a key: the key of a hash, whose tenant is not yet known.
      keyHash: ['keyHash'],
      // The same for a secret that was rotated out; keys without one do not take part.
      previousKeyHash: ['previousKeyHash'],
    },
    indexes: {},
  },
  apiKeyUsage: {
    name: 'api_key_usage',
    schema: apiKeyUsageSchema,
    unique: {},
    unremembered: true,
    indexes: {},
  },
  invitations: {
    name: 'invitations',
    schema: invitationSchema,
    unique: {
      // Acceptance: the invitation of a token, whose tenant is not yet known.
      tokenHash: ['tokenHash'],
    },
    unremembered: true,
    indexes: {},
  },
  auditRecords: {
    name: 'audit_records',
    schema: auditRecordSchema,
    unique: {},
    unremembered: true,
    indexes: {},
  },
  provisionedEntries: {
    name: 'provisioned_entries',
    schema: provisionedEntrySchema,
    unique: {},
    unremembered: true,
    indexes: {},
  },
  profiles: {
    name: 'profiles',
    schema: profileSchema,
    unique: {},
    unremembered: true,
    indexes: {},
  },
  visitorProfiles: {
    name: 'visitor_profiles',
    schema: visitorProfileSchema,
    unique: {},
    unremembered: true,
    indexes: {},
  },
  links: {
    name: 'links',
    schema: linkSchema,
    unique: {
      // Every redirect: the link of a slug, whose tenant is not known.
      slug: ['slug'],
    },
    indexes: {
      // The list of a website's links, and what hangs on a website that goes.
      organizationWebsite: ['organizationId', 'websiteId'],
    },
  },
  flags: {
    name: 'flags',
    schema: flagSchema,
    unique: {
      // One flag per key within a website, or within the organization's own.
      scopeKey: ['scopeId', 'key'],
    },
    indexes: {
      organizationWebsite: ['organizationId', 'websiteId'],
    },
  },
  targetGroups: {
    name: 'target_groups',
    schema: targetGroupSchema,
    unique: {},
    indexes: {},
  },
  integrations: {
    name: 'integrations',
    schema: integrationSchema,
    unique: {},
    unremembered: true,
    indexes: {},
  },
  organizationUsage: {
    name: 'organization_usage',
    schema: organizationUsageSchema,
    unique: {},
    unremembered: true,
    indexes: {},
  },
  cleanups: {
    name: 'cleanups',
    schema: cleanupSchema,
    unique: {},
    unremembered: true,
    indexes: {},
  },
  sessions: {
    name: 'sessions',
    schema: sessionSchema,
    unique: {},
    indexes: {},
  },
};
