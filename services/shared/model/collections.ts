/** Every kind of stored document, declared once: stores, bus, clean-ups, deletion counts and identifier types derive from this list. */

import { activitySchema } from './activity.ts';
import { annotationSchema } from './annotation.ts';
import { apiKeySchema } from './api-key.ts';
import { apiKeyUsageSchema } from './api-key-usage.ts';
import { auditRecordSchema } from './audit-record.ts';
import { cleanupSchema } from './cleanup.ts';
import { configurationPinSchema, configurationRecordSchema } from './configuration-record.ts';
import { type CollectionDeclaration, defineCollection } from './define-collection.ts';
import { flagSchema, targetGroupSchema } from './flag.ts';
import { funnelSchema } from './funnel.ts';
import { gatewaySnapshotSchema } from './gateway-snapshot.ts';
import { goalSchema } from './goal.ts';
import { integrationSchema } from './integration.ts';
import { invitationSchema } from './invitation.ts';
import { keylessUsageSchema } from './keyless-usage.ts';
import { linkSchema } from './link.ts';
import { organizationSchema } from './organization.ts';
import { organizationUsageSchema } from './organization-usage.ts';
import { passwordResetSchema } from './password-reset.ts';
import { profileSchema, visitorProfileSchema } from './profile.ts';
import { provisionedEntrySchema } from './provisioned-entry.ts';
import { savedViewSchema } from './saved-view.ts';
import { sessionSchema } from './session.ts';
import { shareSchema } from './share.ts';
import { membershipSchema, userSchema } from './user.ts';
import { visitorSaltSchema } from './visitor-salt.ts';
import { websiteSchema } from './website.ts';

/**
 * Raise it by one whenever this list or the shape of a document changes; a test fails otherwise. Stores that are opened or
 * migrated bring data of an earlier version up to it, and refuse data of a newer one.
 */
export const COLLECTIONS_VERSION = 22;

/**
 * By their names in the port. An organization's documents are removed in this order: first those that admit people or
 * data, last the audit records.
 */
export const COLLECTIONS = {
  organizations: defineCollection(organizationSchema, {
    name: 'organizations',
    idPrefix: 'org',
    unique: {
      // A slug names one organization; organizations without one are not in this index.
      slug: ['slug'],
    },
    indexes: {
      // The few with a public limit of their own: read by every gateway, every few seconds.
      publicPerMinute: ['limits.publicPerMinute'],
    },
    told: { kind: 'organization', names: ['id'] },
  }),
  users: defineCollection(userSchema, {
    name: 'users',
    idPrefix: 'usr',
    unique: {
      // One account of an address in each home. The address alone is looked up by login, provisioning and invitations.
      emailHome: ['email', 'home'],
    },
    told: { kind: 'user', names: ['id'] },
  }),
  websites: defineCollection(websiteSchema, {
    name: 'websites',
    idPrefix: 'web',
    unique: {
      // One website per domain within an organization; looked up by provisioning and the first start.
      organizationDomain: ['organizationId', 'domain'],
    },
    lists: [['createdAt'], ['name'], ['domain']],
    told: { kind: 'website', names: ['organizationId', 'id'] },
    owner: 'organization',
    counted: 'website',
  }),
  apiKeys: defineCollection(apiKeySchema, {
    name: 'api_keys',
    idPrefix: 'key',
    unique: {
      // Read by every request with a key: finds the key of a hash, whose tenant is not yet known.
      keyHash: ['keyHash'],
      // The same for a secret that was rotated out; keys without one are not in this index.
      previousKeyHash: ['previousKeyHash'],
    },
    lists: [['createdAt'], ['name']],
    told: { kind: 'apiKey', names: ['organizationId', 'id', 'keyHash'] },
    owner: 'organization',
    counted: 'API key',
  }),
  memberships: defineCollection(membershipSchema, {
    name: 'memberships',
    idPrefix: 'mem',
    unique: {
      // The role of a user in an organization: session checks, and members of an organization.
      organizationUser: ['organizationId', 'userId'],
    },
    indexes: {
      // Login and refresh: the organizations of a user.
      user: ['userId'],
    },
    told: { kind: 'membership', names: ['organizationId', 'id'] },
    counted: 'member',
  }),
  invitations: defineCollection(invitationSchema, {
    name: 'invitations',
    idPrefix: 'inv',
    unique: {
      // Acceptance: finds the invitation of a token, whose tenant is not yet known.
      tokenHash: ['tokenHash'],
    },
    owner: 'organization',
    counted: 'invitation',
  }),
  passwordResets: defineCollection(passwordResetSchema, {
    name: 'password_resets',
    // Its use: the reset of a token, whose tenant is not yet known.
    unique: { tokenHash: ['tokenHash'] },
    owner: 'organization',
  }),
  links: defineCollection(linkSchema, {
    name: 'links',
    idPrefix: 'lnk',
    unique: {
      // Every redirect: finds the link of a slug, whose tenant is not known.
      slug: ['slug'],
    },
    indexes: {
      // What goes with a deleted website.
      organizationWebsite: ['organizationId', 'websiteId'],
    },
    lists: [
      ['createdAt'],
      ['name'],
      ['slug'],
      ['websiteId', 'createdAt'],
      ['websiteId', 'name'],
      ['websiteId', 'slug'],
    ],
    told: { kind: 'link', names: ['organizationId', 'id', 'slug'] },
    owner: 'website',
    counted: 'link',
  }),
  flags: defineCollection(flagSchema, {
    name: 'flags',
    idPrefix: 'flg',
    unique: {
      // One flag per key within a website, or within the organization itself.
      scopeKey: ['scopeId', 'key'],
    },
    indexes: {
      organizationWebsite: ['organizationId', 'websiteId'],
    },
    lists: [
      ['createdAt'],
      ['key'],
      ['name'],
      ['websiteId', 'createdAt'],
      ['websiteId', 'key'],
      ['websiteId', 'name'],
    ],
    told: { kind: 'flag', names: ['organizationId', 'id'] },
    owner: 'website',
    counted: 'flag',
  }),
  goals: defineCollection(goalSchema, {
    name: 'goals',
    idPrefix: 'gol',
    // Those of a website by position: also every query that counts them.
    lists: [
      ['position'],
      ['name'],
      ['createdAt'],
      ['websiteId', 'position'],
      ['websiteId', 'name'],
      ['websiteId', 'createdAt'],
    ],
    owner: 'website',
    counted: 'goal',
  }),
  funnels: defineCollection(funnelSchema, {
    name: 'funnels',
    idPrefix: 'fnl',
    lists: [['createdAt'], ['name'], ['websiteId', 'createdAt'], ['websiteId', 'name']],
    owner: 'website',
    counted: 'funnel',
  }),
  targetGroups: defineCollection(targetGroupSchema, {
    name: 'target_groups',
    idPrefix: 'tgt',
    lists: [['createdAt'], ['name']],
    told: { kind: 'targetGroup', names: ['organizationId', 'id'] },
    owner: 'organization',
    counted: 'target group',
  }),
  integrations: defineCollection(integrationSchema, {
    name: 'integrations',
    idPrefix: 'int',
    lists: [['createdAt'], ['name'], ['type']],
    owner: 'organization',
    counted: 'integration',
  }),
  views: defineCollection(savedViewSchema, {
    name: 'saved_views',
    idPrefix: 'viw',
    lists: [['createdAt'], ['name'], ['websiteId', 'createdAt'], ['websiteId', 'name']],
    owner: 'website',
    counted: 'saved view',
  }),
  annotations: defineCollection(annotationSchema, {
    name: 'annotations',
    idPrefix: 'ann',
    lists: [['at'], ['createdAt'], ['websiteId', 'at'], ['websiteId', 'createdAt']],
    owner: 'website',
    counted: 'annotation',
  }),
  shares: defineCollection(shareSchema, {
    name: 'shares',
    idPrefix: 'shr',
    // Every call of a reader: the share of a token, whose tenant is not yet known.
    unique: { tokenHash: ['tokenHash'] },
    lists: [
      ['createdAt'],
      ['name'],
      ['websiteId', 'createdAt'],
      ['websiteId', 'name'],
      ['view', 'createdAt'],
    ],
    owner: 'website',
    counted: 'share',
  }),
  apiKeyUsage: defineCollection(apiKeyUsageSchema, { name: 'api_key_usage', owner: 'organization' }),
  visitorProfiles: defineCollection(visitorProfileSchema, {
    name: 'visitor_profiles',
    // The visitors of a person: disclosure and erasure.
    lists: [['profileId']],
    owner: 'website',
  }),
  profiles: defineCollection(profileSchema, {
    name: 'profiles',
    // A person's documents, wherever they are known: disclosure and erasure.
    lists: [['profileId']],
    owner: 'website',
  }),
  organizationUsage: defineCollection(organizationUsageSchema, {
    name: 'organization_usage',
    owner: 'organization',
  }),
  keylessUsage: defineCollection(keylessUsageSchema, { name: 'keyless_usage', owner: 'website' }),
  activity: defineCollection(activitySchema, {
    name: 'activity',
    // A subject's counts over a range: usage and ingest of an organization. Those that are too old.
    lists: [['startsAt'], ['series', 'startsAt'], ['expiresAt']],
    owner: 'website',
    searchMayLag: true,
  }),
  provisionedEntries: defineCollection(provisionedEntrySchema, {
    name: 'provisioned_entries',
    owner: 'organization',
  }),
  auditRecords: defineCollection(auditRecordSchema, {
    name: 'audit_records',
    idPrefix: 'aud',
    lists: [['action']],
    owner: 'organization',
    searchMayLag: true,
  }),
  // These belong to the installation, whose tenants are `SALT_TENANT` and `INSTALLATION`.
  visitorSalts: defineCollection(visitorSaltSchema, { name: 'visitor_salts' }),
  configurations: defineCollection(configurationRecordSchema, { name: 'configurations' }),
  configurationPins: defineCollection(configurationPinSchema, { name: 'configuration_pins' }),
  gatewaySnapshots: defineCollection(gatewaySnapshotSchema, { name: 'gateway_snapshots', idPrefix: 'gwy' }),
  cleanups: defineCollection(cleanupSchema, { name: 'cleanups', idPrefix: 'cln' }),
  // The tenant of a session is its user.
  sessions: defineCollection(sessionSchema, {
    name: 'sessions',
    idPrefix: 'ses',
    told: { kind: 'session', names: ['id'] },
  }),
} as const;

/** Every declaration by its name, in the order above. */
export const DECLARATIONS = Object.entries(COLLECTIONS) as readonly (readonly [
  keyof typeof COLLECTIONS,
  CollectionDeclaration,
])[];
