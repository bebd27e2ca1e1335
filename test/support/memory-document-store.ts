/** A document store in memory, for tests of what stands above the port; the port's own contract is tested on the real adapters. */

import { newActivity } from '../../services/shared/model/activity.ts';
import type {
  CollectionName,
  DocumentIn,
  SortedByIn,
  UniqueIn,
} from '../../services/shared/model/collection-types.ts';
import { DECLARATIONS } from '../../services/shared/model/collections.ts';
import { INSTALLATION } from '../../services/shared/model/configuration-record.ts';
import type { CollectionDeclaration } from '../../services/shared/model/define-collection.ts';
import { organizationUsageId } from '../../services/shared/model/organization-usage.ts';
import type { Stored } from '../../services/shared/model/stored.ts';
import type { Membership, User } from '../../services/shared/model/user.ts';
import type { Clock } from '../../services/shared/ports/clock.ts';
import {
  type Changes,
  type Collection,
  type DocumentStore,
  DuplicateError,
  type NewDocument,
  type Position,
} from '../../services/shared/ports/document-store.ts';
import {
  comparePositions,
  lookThrough,
  positionOf,
  valueAt,
} from '../../services/shared/storage/look-through.ts';

type MemoryCollection<T extends Stored, Index extends string, SortedBy extends string> = Collection<
  T,
  Index,
  SortedBy
> & { readonly documents: Map<string, T> };

type MemoryCollections = {
  readonly [Name in CollectionName]: MemoryCollection<DocumentIn<Name>, UniqueIn<Name>, SortedByIn<Name>>;
};

function createCollection<T extends Stored>(
  clock: Clock,
  unique: CollectionDeclaration['unique'] = {},
): MemoryCollection<T, string, string> {
  const documents = new Map<string, T>();
  const valuesOf = (document: T, fields: readonly string[]) =>
    fields.map((field) => valueAt(document, field) ?? null);
  const keyOf = (values: readonly unknown[]) => JSON.stringify(values);

  function refuseDuplicates(document: T): void {
    for (const [index, fields] of Object.entries(unique)) {
      const values = valuesOf(document, fields);
      if (values.includes(null)) continue;
      for (const other of documents.values()) {
        if (other.id !== document.id && keyOf(valuesOf(other, fields)) === keyOf(values)) {
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
    async insertWithin(document, most) {
      const { organizationId } = document as unknown as Stored;
      return of(organizationId).length < most ? this.insert(document) : null;
    },
    async get(organizationId, id) {
      const found = documents.get(id);
      return found?.organizationId === organizationId ? structuredClone(found) : null;
    },
    async findUnique(index, values) {
      const fields = index === 'id' ? ['id'] : (unique[index] ?? []);
      const found = [...documents.values()].find(
        (document) => keyOf(valuesOf(document, fields)) === keyOf(values),
      );
      return found ? structuredClone(found) : null;
    },
    async list(organizationId, { limit, after, order = 'ascending' }) {
      if (limit < 1 || limit > 100) throw new RangeError(`limit is 1..100, not ${limit}`);
      const ordered = order === 'ascending' ? of(organizationId) : of(organizationId).reverse();
      const isBehind = (id: string, bound: string) => (order === 'ascending' ? id > bound : id < bound);
      const rows = ordered.filter(({ id }) => after === undefined || isBehind(id, after));
      return structuredClone(rows.slice(0, limit));
    },
    async search(organizationId, search) {
      const { sortBy, order = 'ascending' } = search;
      const direction = order === 'ascending' ? 1 : -1;
      const compare = (a: Position, b: Position) => direction * comparePositions(a, b);
      const { where = [] } = search;
      const ordered = of(organizationId).sort((a, b) =>
        compare(positionOf(a, sortBy), positionOf(b, sortBy)),
      );
      const behind = (after: Position | undefined, limit: number) =>
        ordered
          .filter((document) => after === undefined || compare(positionOf(document, sortBy), after) > 0)
          .slice(0, limit);
      return lookThrough<T>(search, where, {
        documents: async (after, limit) => structuredClone(behind(after, limit)),
        glimpses: async (after, limit) =>
          behind(after, limit).map((document) => ({
            position: positionOf(document, sortBy),
            values: where.map(({ field }) => document[field]),
            texts: (search.text?.fields ?? []).map((path) => valueAt(document, path)),
          })),
        byIds: async (ids) => structuredClone(ordered.filter(({ id }) => ids.includes(id))),
      });
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
  const collections = Object.fromEntries(
    DECLARATIONS.map(([name, { unique }]) => [name, createCollection(clock, unique)]),
  ) as unknown as MemoryCollections;
  return {
    ...collections,
    async websitesOf(organizationId) {
      const found = await collections.websites.all(organizationId);
      return found.map(({ id, name, domain, isPublic, createdAt }) => ({
        id,
        name,
        domain,
        isPublic,
        createdAt,
      }));
    },
    async allOrganizations() {
      const found = [...collections.organizations.documents.values()];
      return structuredClone(found.sort((a, b) => (a.id < b.id ? -1 : 1)));
    },
    async flagsIn(organizationId, scopeId) {
      const found = [...collections.flags.documents.values()].filter(
        (one) => one.organizationId === organizationId && one.scopeId === scopeId,
      );
      return structuredClone(found.sort((a, b) => (a.key < b.key ? -1 : 1)));
    },
    async membershipsOf(userId) {
      const found = [...collections.memberships.documents.values()].filter((one) => one.userId === userId);
      const key = ({ createdAt, id }: Membership) => `${createdAt} ${id}`;
      return structuredClone(found.sort((a, b) => (key(a) < key(b) ? -1 : 1)));
    },
    async usersOf(email) {
      const found = [...collections.users.documents.values()].filter((one) => one.email === email);
      const key = ({ createdAt, id }: User) => `${createdAt} ${id}`;
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
    async addActivity(increments) {
      const { documents } = collections.activity;
      for (const increment of increments) {
        const { organizationId: of } = increment;
        if (of !== INSTALLATION && !collections.organizations.documents.has(of)) continue;
        const activity = newActivity(increment);
        const known = documents.get(activity.id);
        const updatedAt = new Date(clock.now()).toISOString();
        const counts = { ...known?.counts };
        for (const [name, count] of Object.entries(increment.counts))
          counts[name] = (counts[name] ?? 0) + count;
        const version = (known?.version ?? 0) + 1;
        documents.set(activity.id, {
          ...activity,
          counts,
          version,
          updatedAt,
          createdAt: known?.createdAt ?? updatedAt,
        });
        for (const [id, { organizationId, expiresAt }] of documents) {
          if (organizationId === increment.organizationId && expiresAt <= updatedAt) documents.delete(id);
        }
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
