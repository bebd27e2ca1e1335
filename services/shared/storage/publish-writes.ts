/** A document store whose writes are told on the bus, so that no writer has to think of those who remember. */
import type { Stored } from '../model/stored.ts';
import type { Bus, Invalidation } from '../ports/bus.ts';
import type { Collection, DocumentStore } from '../ports/document-store.ts';

/** What a write says; `stored` is the document as written, null when it is gone or its state is not known. */
type Tell<T> = (id: { organizationId: string; id: string }, stored: T | null) => Invalidation;

/** Fields that change often and decide nothing: a write of these alone is not told. */
const QUIET_FIELDS: ReadonlySet<string> = new Set(['lastUsedAt']);

/** The store, telling `bus` of each write to what gateways remember, before the write's promise resolves. Each collection not marked as unremembered is told of. */
export function publishWrites(documents: DocumentStore, bus: Bus): DocumentStore {
  return {
    organizations: telling(documents.organizations, bus, ({ id }) => ({ kind: 'organization', id })),
    users: telling(documents.users, bus, ({ id }) => ({ kind: 'user', id })),
    memberships: telling(documents.memberships, bus, (id) => ({ kind: 'membership', ...id })),
    websites: telling(documents.websites, bus, (id) => ({ kind: 'website', ...id })),
    apiKeys: telling(documents.apiKeys, bus, (id, stored) => ({
      kind: 'apiKey',
      ...id,
      keyHash: stored?.keyHash ?? null,
    })),
    apiKeyUsage: documents.apiKeyUsage,
    invitations: documents.invitations,
    auditRecords: documents.auditRecords,
    provisionedEntries: documents.provisionedEntries,
    profiles: documents.profiles,
    visitorProfiles: documents.visitorProfiles,
    links: telling(documents.links, bus, (id, stored) => ({
      kind: 'link',
      ...id,
      slug: stored?.slug ?? null,
    })),
    flags: telling(documents.flags, bus, (id) => ({ kind: 'flag', ...id })),
    targetGroups: telling(documents.targetGroups, bus, (id) => ({ kind: 'targetGroup', ...id })),
    integrations: documents.integrations,
    organizationUsage: documents.organizationUsage,
    cleanups: documents.cleanups,
    sessions: telling(documents.sessions, bus, ({ id }) => ({ kind: 'session', id })),
    membershipsOf: (userId) => documents.membershipsOf(userId),
    recordApiKeyUses: (uses) => documents.recordApiKeyUses(uses),
    addUsage: (increments) => documents.addUsage(increments),
    allCleanups: () => documents.allCleanups(),
    allOrganizations: () => documents.allOrganizations(),
    apiKeyHashes: (page) => documents.apiKeyHashes(page),
    ownPublicLimits: () => documents.ownPublicLimits(),
    foreignChanges: () => documents.foreignChanges(),
    ping: () => documents.ping(),
    close: () => documents.close(),
  };
}

function telling<T extends Stored, UniqueIndex extends string>(
  collection: Collection<T, UniqueIndex>,
  bus: Bus,
  tell: Tell<T>,
): Collection<T, UniqueIndex> {
  /** A write that failed may have been committed: it is told like one that was. */
  async function told<R>(
    id: { organizationId: string; id: string },
    write: Promise<R>,
    storedOf: (result: R) => T | null,
    changed: (result: R) => boolean,
  ): Promise<R> {
    let result: R;
    try {
      result = await write;
    } catch (fault) {
      bus.publish(tell(id, null));
      throw fault;
    }
    if (changed(result)) bus.publish(tell(id, storedOf(result)));
    return result;
  }

  return {
    insert: (document) => {
      const { organizationId, id } = document as unknown as Stored;
      return told(
        { organizationId, id },
        collection.insert(document),
        (stored) => stored,
        () => true,
      );
    },
    get: (organizationId, id) => collection.get(organizationId, id),
    findUnique: (index, values) => collection.findUnique(index, values),
    list: (organizationId, page) => collection.list(organizationId, page),
    sorted: (organizationId, page) => collection.sorted(organizationId, page),
    all: (organizationId) => collection.all(organizationId),
    update: (organizationId, id, version, changes) => {
      const write = collection.update(organizationId, id, version, changes);
      if (Object.keys(changes).every((field) => QUIET_FIELDS.has(field))) return write;
      return told(
        { organizationId, id },
        write,
        (stored) => stored,
        (stored) => stored !== null,
      );
    },
    remove: (organizationId, id) =>
      told(
        { organizationId, id },
        collection.remove(organizationId, id),
        () => null,
        (removed) => removed,
      ),
  };
}
