/** Finds where the events of an import go, or what an export reads. */
import { validationError } from '../../services/shared/errors/zod-details.ts';
import type { DocumentStore } from '../../services/shared/ports/document-store.ts';

/** Where the events of an import go; with `websiteId` null, events that name no website belong to the organization. */
export interface ImportTarget {
  readonly organizationId: string;
  readonly websiteId: string | null;
}

/** `organizationIds`: all, or the one that is named if it exists. @throws ApiError VALIDATION_ERROR */
export async function findImportTarget(
  documents: DocumentStore,
  { organizationId, websiteId }: Partial<ImportTarget>,
  organizationIds: (wanted?: string) => Promise<string[]>,
): Promise<ImportTarget> {
  const ids = await organizationIds(organizationId);
  if (websiteId) {
    const website = await documents.websites.findUnique('id', [websiteId]);
    if (website && ids.includes(website.organizationId)) {
      return { organizationId: website.organizationId, websiteId };
    }
    throw validationError([{ field: 'website', message: `There is no website "${websiteId}".` }]);
  }
  const [only, ...others] = ids;
  if (only !== undefined && others.length === 0) return { organizationId: only, websiteId: null };
  const message = `Required: there are ${ids.length} organizations. Name one, or a website.`;
  throw validationError([{ field: 'organization', message }]);
}
