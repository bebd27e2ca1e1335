/** The one rule for who reaches which short link (contract.md sections 2 and 7). */
import type { Caller } from '../../shared/access/caller.ts';
import { organizationOf } from '../../shared/access/organization-of.ts';
import { reaches, requireWebsite } from '../../shared/access/website-access.ts';
import { ApiError } from '../../shared/errors/api-error.ts';
import type { Link } from '../../shared/model/link.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import { notFound } from '../write-matching.ts';

/**
 * A link of the caller's organization.
 * @throws ApiError NOT_FOUND when there is none, or when it belongs to another organization; ACCESS_DENIED for one
 * outside the websites of a website-specific key
 */
export async function requireLink(
  { links }: Pick<DocumentStore, 'links'>,
  caller: Caller,
  id: string,
): Promise<Link> {
  const link = await links.get(organizationOf(caller), id);
  if (!link) throw notFound('link', id);
  requireReach(caller, link);
  return link;
}

/** @throws ApiError ACCESS_DENIED for a link outside the websites of a website-specific key */
export function requireReach(caller: Caller, link: Link): void {
  if (caller.access.level === 'global') return;
  if (link.websiteId !== null && reaches(caller, link.websiteId)) return;
  throw new ApiError('ACCESS_DENIED', {
    text: `The link "${link.id}" belongs to none of the websites that this key reaches.`,
  });
}

/**
 * @throws ApiError ACCESS_DENIED unless the caller may put links there; null: outside every website, which requires
 * global access
 */
export async function requirePlace(
  documents: DocumentStore,
  caller: Caller,
  websiteId: string | null,
): Promise<void> {
  if (websiteId !== null) {
    await requireWebsite(documents, caller, websiteId);
  } else if (caller.access.level !== 'global') {
    throw new ApiError('ACCESS_DENIED', {
      text: 'This key reaches single websites: name one of them as websiteId.',
    });
  }
}
