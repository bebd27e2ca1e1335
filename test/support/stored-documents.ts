/** Everything that a store holds of one organization, versions and times included: equal before and after, nothing was written. */

import type { CollectionName } from '../../services/shared/model/collection-types.ts';
import { COLLECTIONS } from '../../services/shared/model/collections.ts';
import type { DocumentStore } from '../../services/shared/ports/document-store.ts';

/** The documents of an organization and of its members, by collection. */
export async function storedDocuments(
  documents: DocumentStore,
  organizationId: string,
): Promise<Record<string, unknown>> {
  const users = (await documents.memberships.all(organizationId)).map(({ userId }) => userId);
  const found: Record<string, unknown> = {};
  for (const name of Object.keys(COLLECTIONS) as CollectionName[]) {
    found[name] = await Promise.all([organizationId, ...users].map((tenant) => documents[name].all(tenant)));
  }
  return found;
}
