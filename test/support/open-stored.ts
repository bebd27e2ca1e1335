/** Opens the document store of a running server beside it, as its command line does, for as long as `work` takes. */
import { dataPathsOf } from '../../config/data-directory.ts';
import type { CollectionName } from '../../services/shared/model/collection-types.ts';
import { systemClock } from '../../services/shared/ports/clock.ts';
import type { DocumentStore } from '../../services/shared/ports/document-store.ts';
import { createSqliteDocumentStore } from '../../services/shared/storage/sqlite/sqlite-document-store.ts';
import { openSharedDocuments } from './distributed/shared-documents.ts';
import { storedDocuments } from './stored-documents.ts';

/** `dataDir` is that of the server: where it runs as separate processes, it says which database they share. */
export async function withStored<T>(
  dataDir: string,
  work: (documents: DocumentStore) => Promise<T>,
): Promise<T> {
  const documents =
    (await openSharedDocuments(dataDir)) ??
    createSqliteDocumentStore({ path: dataPathsOf(dataDir).documents, clock: systemClock });
  try {
    return await work(documents);
  } finally {
    await documents.close();
  }
}

/**
 * What a server writes some time after the request that it is about: what is counted, and clean-ups, which are carried out
 * once more and then removed. A clean-up that should not be there shows in what it removes.
 */
const WRITTEN_LATER: ReadonlySet<string> = new Set<CollectionName>([
  'apiKeyUsage',
  'organizationUsage',
  'keylessUsage',
  'activity',
  'cleanups',
]);

/** What requests store of every organization: equal before and after, they wrote nothing. */
export function everythingStored(dataDir: string): Promise<unknown> {
  return withStored(dataDir, async (documents) => {
    const found = [];
    for (const { id } of await documents.allOrganizations()) {
      const stored = Object.entries(await storedDocuments(documents, id));
      found.push(Object.fromEntries(stored.filter(([name]) => !WRITTEN_LATER.has(name))));
    }
    return found;
  });
}
