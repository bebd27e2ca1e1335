/** Stage 3: from the selectors of a call and its caller to the events that may be read; everything else is refused. */
import type { Caller } from '../../shared/access/caller.ts';
import { accessibleWebsites, reaches, requireWebsite } from '../../shared/access/website-access.ts';
import { ApiError } from '../../shared/errors/api-error.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import type { FindLink } from '../query-ports.ts';
import type { Selectors } from './parse.ts';

/** The events that a call reads: those of some websites of one organization, and perhaps its own. */
export interface Reach {
  readonly organizationId: string;
  readonly websiteIds: readonly string[];
  /** Whether events of the organization that belong to no website are read too. */
  readonly organizationEvents: boolean;
  /** Only events of this short link. */
  readonly linkId?: string;
}

/**
 * Precedence: link, website, organization; a selector that loses is still checked for access.
 * @throws ApiError ACCESS_DENIED for a selector out of reach, existing or not.
 * @throws ApiError MISSING_PROJECT_ID without selector, unless the caller reaches everything or exactly one website.
 */
export async function resolveReach(
  selectors: Selectors,
  caller: Caller,
  documents: DocumentStore,
  findLink: FindLink,
): Promise<Reach> {
  const { linkId, websiteId, organizationId } = selectors;
  const callerOrganization = caller.organizationId;
  if (callerOrganization === null) throw new ApiError('ACCESS_DENIED');

  const ofLink = linkId === undefined ? null : await linkReach(linkId, caller, { documents, findLink });
  const reach = websiteId === undefined ? null : await websiteReach(documents, caller, websiteId);
  if (organizationId !== undefined) {
    const isReached = organizationId === callerOrganization && caller.access.level === 'global';
    if (!isReached) throw denied('organization', organizationId);
  }
  const named = ofLink ?? reach;
  if (named) return named;

  const websiteIds = (await accessibleWebsites(documents, caller)).map((website) => website.id);
  if (caller.access.level === 'global') {
    return { organizationId: callerOrganization, websiteIds, organizationEvents: true };
  }
  if (websiteIds.length !== 1) {
    throw new ApiError('MISSING_PROJECT_ID', {
      text: `Name what to query with website_id: this key reaches ${websiteIds.length} websites.`,
    });
  }
  return { organizationId: callerOrganization, websiteIds, organizationEvents: false };
}

/** A link of a website that the caller reaches and that is not deleted; one without website takes global access. */
async function linkReach(
  linkId: string,
  caller: Caller,
  { documents, findLink }: { readonly documents: DocumentStore; readonly findLink: FindLink },
): Promise<Reach> {
  const organizationId = caller.organizationId ?? '';
  const link = await findLink(organizationId, linkId);
  if (!link) throw denied('link', linkId);
  const { websiteId } = link;
  const isReached =
    websiteId === null
      ? caller.access.level === 'global'
      : reaches(caller, websiteId) && (await documents.websites.get(organizationId, websiteId)) !== null;
  if (!isReached) throw denied('link', linkId);
  return {
    organizationId,
    websiteIds: websiteId === null ? [] : [websiteId],
    organizationEvents: websiteId === null,
    linkId,
  };
}

async function websiteReach(documents: DocumentStore, caller: Caller, websiteId: string): Promise<Reach> {
  const website = await requireWebsite(documents, caller, websiteId);
  return { organizationId: website.organizationId, websiteIds: [website.id], organizationEvents: false };
}

function denied(kind: string, id: string): ApiError {
  return new ApiError('ACCESS_DENIED', {
    text: `The ${kind} ${JSON.stringify(id)} is not accessible to this caller.`,
  });
}
