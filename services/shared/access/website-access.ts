/** The one rule who reaches which website; a missing website and a forbidden one look alike (contract.md section 2). */
import { ApiError } from '../errors/api-error.ts';
import type { Website } from '../model/website.ts';
import type { DocumentStore } from '../ports/document-store.ts';
import type { Caller } from './caller.ts';

/** Whether `caller` may reach a website of its organization by this identifier. */
export function reaches(caller: Caller, websiteId: string): boolean {
  return caller.access.level === 'global' || caller.access.websiteIds.includes(websiteId);
}

/** The website, or ACCESS_DENIED: unknown, another organization's and not-listed ones get the same answer. */
export async function requireWebsite(
  documents: DocumentStore,
  caller: Caller,
  websiteId: string,
): Promise<Website> {
  if (caller.organizationId !== null && reaches(caller, websiteId)) {
    const website = await documents.websites.get(caller.organizationId, websiteId);
    if (website) return website;
  }
  throw new ApiError('ACCESS_DENIED', {
    text: `The website "${websiteId}" is not accessible to this caller; GET /v1/query/websites lists those that are.`,
  });
}

/** Every website that `caller` reaches, by identifier ascending; listed websites that no longer exist are left out. */
export async function accessibleWebsites(documents: DocumentStore, caller: Caller): Promise<Website[]> {
  if (caller.organizationId === null) return [];
  if (caller.access.level === 'global') return documents.websites.all(caller.organizationId);
  const found = await Promise.all(
    [...new Set(caller.access.websiteIds)]
      .sort()
      .map((id) => documents.websites.get(caller.organizationId ?? '', id)),
  );
  return found.filter((website) => website !== null);
}
