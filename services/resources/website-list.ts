/** Lists of what hangs on websites: the query string that names one, and what a caller sees of them (contract.md section 7). */
import { z } from 'zod';
import type { Caller } from '../shared/access/caller.ts';
import { organizationOf } from '../shared/access/organization-of.ts';
import { requireWebsite } from '../shared/access/website-access.ts';
import type { DocumentStore } from '../shared/ports/document-store.ts';
import { sortedQuerySchema } from './sorted-page.ts';
import { selectedWebsite } from './website-selector.ts';

/** `many`: what the list holds, such as `links`. */
export function websiteListSchema<Column extends string>(
  sortBy: readonly [Column, ...Column[]],
  many: string,
) {
  return sortedQuerySchema(sortBy).extend({
    website_id: z.string().min(1).max(64).optional().describe(`Only the ${many} of this website.`),
    websiteId: z.string().min(1).max(64).optional().describe('The same as website_id.'),
  });
}
export type WebsiteListQuery = z.infer<ReturnType<typeof websiteListSchema>>;

/**
 * Those of the named website; without one, of all websites that the caller reaches.
 * @throws ApiError ACCESS_DENIED for a website out of reach; VALIDATION_ERROR when two are named
 */
export async function ofWebsites(
  documents: Pick<DocumentStore, 'websites'>,
  caller: Caller,
  query: WebsiteListQuery,
) {
  const websiteId = selectedWebsite(query);
  if (websiteId !== null) await requireWebsite(documents, caller, websiteId);
  const reached = caller.access.level === 'global' ? null : caller.access.websiteIds;
  const values = websiteId === null ? reached : [websiteId];
  const organizationId = organizationOf(caller);
  return values === null
    ? { organizationId }
    : { organizationId, where: [{ field: 'websiteId' as const, values }] };
}
