/** A document store that announces its writes on the bus, so that writers need not think of those who cache. */
import { DECLARATIONS } from '../model/collections.ts';
import type { Told } from '../model/define-collection.ts';
import type { Stored } from '../model/stored.ts';
import type { Bus, Invalidation } from '../ports/bus.ts';
import type { Collection, Collections, DocumentStore } from '../ports/document-store.ts';

/** Fields that change often and decide nothing: a write of these alone is not announced. */
const QUIET_FIELDS: ReadonlySet<string> = new Set(['lastUsedAt']);

/**
 * The store; it announces each write to the caches on `bus` before the write's promise resolves, as the list of
 * collections says.
 */
export function publishWrites(documents: DocumentStore, bus: Bus): DocumentStore {
  const collections = DECLARATIONS.map(([name, { told }]) => {
    const collection = documents[name] as unknown as Collection<Stored>;
    return [name, told === undefined ? collection : telling(collection, bus, told)] as const;
  });
  return {
    ...(Object.fromEntries(collections) as unknown as Collections),
    flagsIn: (organizationId, scopeId) => documents.flagsIn(organizationId, scopeId),
    websitesOf: (organizationId) => documents.websitesOf(organizationId),
    membershipsOf: (userId) => documents.membershipsOf(userId),
    usersOf: (email) => documents.usersOf(email),
    recordApiKeyUses: (uses) => documents.recordApiKeyUses(uses),
    addUsage: (increments) => documents.addUsage(increments),
    addActivity: (increments) => documents.addActivity(increments),
    allCleanups: () => documents.allCleanups(),
    allOrganizations: () => documents.allOrganizations(),
    apiKeyHashes: (page) => documents.apiKeyHashes(page),
    ownPublicLimits: () => documents.ownPublicLimits(),
    foreignChanges: () => documents.foreignChanges(),
    ping: () => documents.ping(),
    close: () => documents.close(),
  };
}

/** What a write announces; `stored` is the document as written, null when it is gone or its state is unknown. */
function tell(
  { kind, names }: Told,
  id: { readonly organizationId: string; readonly id: string },
  stored: Stored | null,
): Invalidation {
  const known: Readonly<Record<string, unknown>> = { ...stored, ...id };
  const fields = names.map((name) => [name, known[name] ?? null]);
  return { kind, ...Object.fromEntries(fields) } as Invalidation;
}

function telling<T extends Stored>(collection: Collection<T>, bus: Bus, told: Told): Collection<T> {
  /** A failed write may have been committed: it is announced like a successful one. */
  async function watched<R>(
    id: { organizationId: string; id: string },
    write: Promise<R>,
    storedOf: (result: R) => T | null,
    changed: (result: R) => boolean,
  ): Promise<R> {
    let result: R;
    try {
      result = await write;
    } catch (fault) {
      bus.publish(tell(told, id, null));
      throw fault;
    }
    if (changed(result)) bus.publish(tell(told, id, storedOf(result)));
    return result;
  }

  return {
    insert: (document) => {
      const { organizationId, id } = document as unknown as Stored;
      return watched(
        { organizationId, id },
        collection.insert(document),
        (stored) => stored,
        () => true,
      );
    },
    insertWithin: (document, most) => {
      const { organizationId, id } = document as unknown as Stored;
      return watched(
        { organizationId, id },
        collection.insertWithin(document, most),
        (stored) => stored,
        (stored) => stored !== null,
      );
    },
    get: (organizationId, id) => collection.get(organizationId, id),
    findUnique: (index, values) => collection.findUnique(index, values),
    list: (organizationId, page) => collection.list(organizationId, page),
    search: (organizationId, search) => collection.search(organizationId, search),
    all: (organizationId) => collection.all(organizationId),
    update: (organizationId, id, version, changes) => {
      const write = collection.update(organizationId, id, version, changes);
      if (Object.keys(changes).every((field) => QUIET_FIELDS.has(field))) return write;
      return watched(
        { organizationId, id },
        write,
        (stored) => stored,
        (stored) => stored !== null,
      );
    },
    remove: (organizationId, id) =>
      watched(
        { organizationId, id },
        collection.remove(organizationId, id),
        () => null,
        (removed) => removed,
      ),
  };
}
