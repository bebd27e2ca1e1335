/** Opens the document store of a running server beside it, as its command line does, for as long as `work` takes. */
import { dataPathsOf } from '../../gateway/data-directory.ts';
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

/** Everything that is stored of every organization, save when keys were last used. */
export function everythingStored(dataDir: string): Promise<unknown> {
  return withStored(dataDir, async (documents) => {
    const found = [];
    for (const { id } of await documents.allOrganizations()) {
      const { apiKeyUsage: _, ...stored } = await storedDocuments(documents, id);
      found.push(stored);
    }
    return found;
  });
}
