/** Deletes an organization with everything that belongs to it, for administration. */
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import type { Cleanups } from '../cleanup/cleanups.ts';
import { type OrganizationContents, organizationContents } from './organization-contents.ts';

export interface DeleteOrganizationPorts {
  readonly documents: DocumentStore;
  readonly ids: Ids;
  readonly cleanups: Pick<Cleanups, 'wake'>;
}

/**
 * Deletes it: from then on its keys and sessions are invalid, and the clean-up removes its contents. After the first
 * write, the background finishes the work if a fault occurs. Returns what is removed.
 * @throws ApiError NOT_FOUND, SERVICE_UNAVAILABLE
 */
export async function deleteOrganization(
  { documents, ids, cleanups }: DeleteOrganizationPorts,
  id: string,
): Promise<OrganizationContents> {
  const contents = await organizationContents(documents, id);
  const cleanup = { id: ids.create('cln'), organizationId: id, kind: 'organization' } as const;
  await documents.cleanups.insert({ ...cleanup, websiteId: null, anonymousId: null });
  try {
    // Every verdict on a key or a session reads the organization.
    await documents.organizations.remove(id, id);
  } finally {
    cleanups.wake();
  }
  return contents;
}
