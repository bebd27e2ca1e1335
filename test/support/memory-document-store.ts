/** A document store in memory, for tests of what stands above the port; the port's own contract is tested on the real adapters. */
import type { ApiKey } from '../../services/shared/model/api-key.ts';
import type { ApiKeyUsage } from '../../services/shared/model/api-key-usage.ts';
import type { AuditRecord } from '../../services/shared/model/audit-record.ts';
import type { Cleanup } from '../../services/shared/model/cleanup.ts';
import type { Flag, TargetGroup } from '../../services/shared/model/flag.ts';
import type { Integration } from '../../services/shared/model/integration.ts';
import type { Invitation } from '../../services/shared/model/invitation.ts';
import type { Link } from '../../services/shared/model/link.ts';
import type { Organization } from '../../services/shared/model/organization.ts';
import {
  type OrganizationUsage,
  organizationUsageId,
} from '../../services/shared/model/organization-usage.ts';
import type { Profile, VisitorProfile } from '../../services/shared/model/profile.ts';
import type { ProvisionedEntry } from '../../services/shared/model/provisioned-entry.ts';
import type { Session } from '../../services/shared/model/session.ts';
import type { Stored } from '../../services/shared/model/stored.ts';
import type { Membership, User } from '../../services/shared/model/user.ts';
import type { Website } from '../../services/shared/model/website.ts';
import type { Clock } from '../../services/shared/ports/clock.ts';
import {
  type Changes,
  type Collection,
  type DocumentStore,
  DuplicateError,
  type NewDocument,
} from '../../services/shared/ports/document-store.ts';

type UniqueKeys<T, Index extends string> = Readonly<
  Record<Index, (document: T) => readonly (string | null)[]>
>;

function createCollection<T extends Stored, Index extends string>(
  clock: Clock,
  unique: UniqueKeys<T, Index>,
): Collection<T, Index> & { readonly documents: Map<string, T> } {
  const documents = new Map<string, T>();
  const extractors = Object.entries(unique) as [Index, (document: T) => readonly (string | null)[]][];
  const keyOf = (values: readonly (string | null)[]) => JSON.stringify(values);

  function refuseDuplicates(document: T): void {
    for (const [index, values] of extractors) {
      if (values(document).includes(null)) continue;
      for (const other of documents.values()) {
        if (other.id !== document.id && keyOf(values(other)) === keyOf(values(document))) {
          throw new DuplicateError(index);
        }
      }
    }
  }
  function of(organizationId: string): T[] {
    return [...documents.values()]
      .filter((document) => document.organizationId === organizationId)
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  return {
    documents,
    async insert(document: NewDocument<T>) {
      const now = new Date(clock.now()).toISOString();
      const stored = structuredClone({
        ...document,
        version: 1,
        createdAt: now,
        updatedAt: now,
      }) as unknown as T;
      if (documents.has(stored.id)) throw new DuplicateError('id');
      refuseDuplicates(stored);
      documents.set(stored.id, stored);
      return structuredClone(stored);
    },
    async get(organizationId, id) {
      const found = documents.get(id);
      return found?.organizationId === organizationId ? structuredClone(found) : null;
    },
    async findUnique(index, values) {
      const extract = index === 'id' ? (document: T) => [document.id] : unique[index as Index];
      const found = [...documents.values()].find((document) => keyOf(extract(document)) === keyOf(values));
      return found ? structuredClone(found) : null;
    },
    async list(organizationId, { limit, after, order = 'ascending' }) {
      if (limit < 1 || limit > 100) throw new RangeError(`limit is 1..100, not ${limit}`);
      const ordered = order === 'ascending' ? of(organizationId) : of(organizationId).reverse();
      const isBehind = (id: string, bound: string) => (order === 'ascending' ? id > bound : id < bound);
      const rows = ordered.filter(({ id }) => after === undefined || isBehind(id, after));
      return structuredClone(rows.slice(0, limit));
    },
    async sorted(organizationId, { limit, sortBy, order = 'ascending', after, where }) {
      if (limit < 1 || limit > 100) throw new RangeError(`limit is 1..100, not ${limit}`);
      const direction = order === 'ascending' ? 1 : -1;
      const keyOfDocument = (document: T) => [String(document[sortBy]), document.id] as const;
      const compare = (a: readonly [string, string], b: readonly [string, string]) =>
        direction *
        (Buffer.compare(Buffer.from(a[0]), Buffer.from(b[0])) ||
          Buffer.compare(Buffer.from(a[1]), Buffer.from(b[1])));
      const rows = of(organizationId)
        .filter((document) => where === undefined || where.values.includes(String(document[where.field])))
        .filter((document) => after === undefined || compare(keyOfDocument(document), after) > 0)
        .sort((a, b) => compare(keyOfDocument(a), keyOfDocument(b)));
      return structuredClone(rows.slice(0, limit));
    },
    async all(organizationId) {
      return structuredClone(of(organizationId));
    },
    async update(organizationId, id, version, changes: Changes<T>) {
      const found = documents.get(id);
      if (!found || found.organizationId !== organizationId || found.version !== version) return null;
      const updatedAt = new Date(clock.now()).toISOString();
      const stored = structuredClone({ ...found, ...changes, version: version + 1, updatedAt });
      refuseDuplicates(stored);
      documents.set(id, stored);
      return structuredClone(stored);
    },
    async remove(organizationId, id) {
      return documents.get(id)?.organizationId === organizationId && documents.delete(id);
    },
  };
}

/** An empty store; `text()` is everything it holds, as JSON, to look for what must not be there. */
export function createMemoryDocumentStore(clock: Clock): DocumentStore & { text(): string } {
  const collections = {
    organizations: createCollection<Organization, 'slug'>(clock, {
      slug: (organization) => [organization.slug ?? null],
    }),
    users: createCollection<User, 'email'>(clock, {
      email: (user) => [user.email],
    }),
    memberships: createCollection<Membership, 'organizationUser'>(clock, {
      organizationUser: (membership) => [membership.organizationId, membership.userId],
    }),
    websites: createCollection<Website, 'organizationDomain'>(clock, {
      organizationDomain: (website) => [website.organizationId, website.domain],
    }),
    apiKeys: createCollection<ApiKey, 'keyHash' | 'previousKeyHash'>(clock, {
      keyHash: (key) => [key.keyHash],
      previousKeyHash: (key) => [key.previousKeyHash],
    }),
    apiKeyUsage: createCollection<ApiKeyUsage, never>(clock, {}),
    invitations: createCollection<Invitation, 'tokenHash'>(clock, {
      tokenHash: (invitation) => [invitation.tokenHash],
    }),
    auditRecords: createCollection<AuditRecord, never>(clock, {}),
    provisionedEntries: createCollection<ProvisionedEntry, never>(clock, {}),
    profiles: createCollection<Profile, never>(clock, {}),
    visitorProfiles: createCollection<VisitorProfile, never>(clock, {}),
    links: createCollection<Link, 'slug'>(clock, { slug: (link) => [link.slug] }),
    flags: createCollection<Flag, 'scopeKey'>(clock, { scopeKey: (flag) => [flag.scopeId, flag.key] }),
    targetGroups: createCollection<TargetGroup, never>(clock, {}),
    integrations: createCollection<Integration, never>(clock, {}),
    organizationUsage: createCollection<OrganizationUsage, never>(clock, {}),
    cleanups: createCollection<Cleanup, never>(clock, {}),
    sessions: createCollection<Session, never>(clock, {}),
  };
  return {
    ...collections,
    async allOrganizations() {
      const found = [...collections.organizations.documents.values()];
      return structuredClone(found.sort((a, b) => (a.id < b.id ? -1 : 1)));
    },
    async membershipsOf(userId) {
      const found = [...collections.memberships.documents.values()].filter((one) => one.userId === userId);
      const key = ({ createdAt, id }: Membership) => `${createdAt} ${id}`;
      return structuredClone(found.sort((a, b) => (key(a) < key(b) ? -1 : 1)));
    },
    async recordApiKeyUses(uses) {
      for (const { apiKeyId, organizationId, lastUsedAt } of uses) {
        if (!collections.apiKeys.documents.has(apiKeyId)) continue;
        const known = await collections.apiKeyUsage.get(organizationId, apiKeyId);
        if (!known) await collections.apiKeyUsage.insert({ id: apiKeyId, organizationId, lastUsedAt });
        else if (known.lastUsedAt < lastUsedAt)
          await collections.apiKeyUsage.update(organizationId, apiKeyId, known.version, { lastUsedAt });
      }
    },
    async addUsage(increments) {
      for (const { organizationId, month, requests, events } of increments) {
        if (!collections.organizations.documents.has(organizationId)) continue;
        const id = organizationUsageId({ organizationId, month });
        const { documents } = collections.organizationUsage;
        const known = documents.get(id);
        const updatedAt = new Date(clock.now()).toISOString();
        // In one step: whoever else writes adds up.
        documents.set(id, {
          ...{ id, organizationId, month, updatedAt, createdAt: known?.createdAt ?? updatedAt },
          version: (known?.version ?? 0) + 1,
          requests: (known?.requests ?? 0) + requests,
          events: (known?.events ?? 0) + events,
        });
      }
    },
    async allCleanups() {
      const found = [...collections.cleanups.documents.values()];
      return structuredClone(found.sort((a, b) => (a.id < b.id ? -1 : 1)));
    },
    async apiKeyHashes({ limit, after }) {
      if (limit < 1 || limit > 10_000) throw new RangeError(`limit is 1..10000, not ${limit}`);
      const now = new Date(clock.now()).toISOString();
      const hashes = [...collections.apiKeys.documents.values()]
        .flatMap(({ keyHash, previousKeyHash, previousValidUntil }) =>
          previousKeyHash !== null && (previousValidUntil ?? '') > now
            ? [keyHash, previousKeyHash]
            : [keyHash],
        )
        .sort();
      return hashes.filter((hash) => after === undefined || hash > after).slice(0, limit);
    },
    async ownPublicLimits() {
      const organizations = [...collections.organizations.documents.values()];
      const websites = [...collections.websites.documents.values()];
      return organizations
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .flatMap(({ id, limits: { publicPerMinute } }) => {
          const websiteIds = websites.filter((one) => one.organizationId === id).map((one) => one.id);
          return publicPerMinute === undefined ? [] : [{ organizationId: id, publicPerMinute, websiteIds }];
        });
    },
    foreignChanges: async () => 0,
    async ping() {},
    async close() {},
    text: () =>
      JSON.stringify(Object.values(collections).map((collection) => [...collection.documents.values()])),
  };
}
