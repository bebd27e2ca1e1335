/** Stage 3: from the selectors of a call and its caller to the events that may be read; everything else is refused. */
import type { Caller } from '../../shared/access/caller.ts';
import { accessibleWebsites, reaches, requireWebsite } from '../../shared/access/website-access.ts';
import { ApiError } from '../../shared/errors/api-error.ts';
import type { Website } from '../../shared/model/website.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import type { FindLink, QueryPorts } from '../query-ports.ts';
import type { Selectors } from './names.ts';

/** The events that a call reads: those of some websites of one organization, and perhaps the organization's own. */
export interface Reach {
  readonly organizationId: string;
  readonly websiteIds: readonly string[];
  /** The same websites, with what they are called; absent under a link, where nothing shows it. */
  readonly websites?: readonly Pick<Website, 'id' | 'name' | 'domain'>[];
  /** Whether the organization's events without a website are read too. */
  readonly organizationEvents: boolean;
  /** Only events of this short link. */
  readonly linkId?: string;
}

/** Without a store of links, none is found. */
const noLink: FindLink = async () => null;

/** What every request object may read, in order; equal selectors share one object. @throws as {@link resolveReach} */
export async function resolveReaches(
  requests: readonly { readonly selectors: Selectors; readonly tellsWebsitesApart?: boolean }[],
  caller: Caller,
  { documents, findLink = noLink }: Pick<QueryPorts, 'documents' | 'findLink'>,
): Promise<Reach[]> {
  const known = new Map<string, Reach>();
  const reaches: Reach[] = [];
  for (const { selectors, tellsWebsitesApart = false } of requests) {
    const { linkId, websiteId, organizationId } = selectors;
    const key = JSON.stringify([linkId, websiteId, organizationId, tellsWebsitesApart]);
    const ports = { documents, findLink };
    const reach = known.get(key) ?? (await resolveReach(selectors, caller, ports, tellsWebsitesApart));
    known.set(key, reach);
    reaches.push(reach);
  }
  return reaches;
}

/**
 * Precedence: link, website, organization; a selector that loses is still checked for access.
 * @throws ApiError ACCESS_DENIED for a selector out of reach, existing or not.
 * `tellsWebsitesApart`: whether all that is asked does, so that without selector the websites of a key are meant.
 * @throws ApiError MISSING_PROJECT_ID else, unless the caller reaches everything or exactly one website.
 */
async function resolveReach(
  selectors: Selectors,
  caller: Caller,
  { documents, findLink }: Required<Pick<QueryPorts, 'documents' | 'findLink'>>,
  tellsWebsitesApart: boolean,
): Promise<Reach> {
  const { linkId, websiteId, organizationId } = selectors;
  const callerOrganization = caller.organizationId;
  if (callerOrganization === null) throw new ApiError('ACCESS_DENIED');

  const ofLink = linkId === undefined ? null : await linkReach(linkId, caller, { documents, findLink });
  const reach = websiteId === undefined ? null : await websiteReach(documents, caller, websiteId);
  requireOrganization(organizationId, caller);
  const named = ofLink ?? reach;
  if (named) return named;

  const websites = await accessibleWebsites(documents, caller);
  const websiteIds = websites.map((website) => website.id);
  if (caller.access.level === 'global') {
    return { organizationId: callerOrganization, websiteIds, websites, organizationEvents: true };
  }
  if (websiteIds.length !== 1 && !tellsWebsitesApart) {
    throw new ApiError('MISSING_PROJECT_ID', {
      text: `Name what to query with website_id: this key reaches ${websiteIds.length} websites.`,
    });
  }
  return { organizationId: callerOrganization, websiteIds, websites, organizationEvents: false };
}

/** @throws ApiError ACCESS_DENIED for a named organization that is not the caller's, and for a website-specific key */
export function requireOrganization(named: string | undefined, caller: Caller): void {
  if (named === undefined) return;
  const isReached = named === caller.organizationId && caller.access.level === 'global';
  if (!isReached) throw denied('organization', named);
}

/** An existing link of a website that the caller reaches; a link without a website requires global access. */
export async function linkReach(
  linkId: string,
  caller: Caller,
  { documents, findLink = noLink }: Pick<QueryPorts, 'documents' | 'findLink'>,
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
  const { organizationId, id } = website;
  return { organizationId, websiteIds: [id], websites: [website], organizationEvents: false };
}

function denied(kind: string, id: string): ApiError {
  return new ApiError('ACCESS_DENIED', {
    text: `The ${kind} ${JSON.stringify(id)} is not accessible to this caller.`,
  });
}
