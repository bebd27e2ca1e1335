/** Records what of the provisioning file was applied. */
import { ApiError } from '../../shared/errors/api-error.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';

/** Sets the record `id` of a tenant to `textHash`. @throws ApiError CONFLICT when another process writes the same record */
export async function recordApplied(
  documents: DocumentStore,
  organizationId: string,
  id: string,
  textHash: string,
): Promise<void> {
  const existing = await documents.provisionedEntries.get(organizationId, id);
  if (!existing) {
    await documents.provisionedEntries.insert({ id, organizationId, textHash });
    return;
  }
  if (existing.textHash === textHash) return;
  const { version } = existing;
  const updated = await documents.provisionedEntries.update(organizationId, id, version, { textHash });
  if (!updated) throw new ApiError('CONFLICT', { text: 'Another process applies the provisioning file.' });
}
