/** Creates, changes and removes short links; the store guarantees that a slug is used once, not a check beforehand. */
import type { Caller } from '../../shared/access/caller.ts';
import { organizationOf } from '../../shared/access/organization-of.ts';
import type { RandomBytes } from '../../shared/credentials/api-key-text.ts';
import { ApiError } from '../../shared/errors/api-error.ts';
import type { Link } from '../../shared/model/link.ts';
import { DuplicateError } from '../../shared/ports/document-store.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import type { Changed, ResourceTarget } from '../define-resource.ts';
import { type BoundPorts, boundOf, insertBounded } from '../document-bounds.ts';
import { notFound, writeMatching } from '../write-matching.ts';
import { requireLink, requirePlace, requireReach } from './reach-link.ts';
import type { IsReservedSlug } from './reserved-slugs.ts';
import { type ParsedLinkChanges, type ParsedLinkInput, storedFields } from './schema.ts';

export interface WriteLinkPorts extends BoundPorts {
  readonly ids: Ids;
  readonly randomBytes: RandomBytes;
  readonly isReservedSlug: IsReservedSlug;
}

/** Six bytes make eight characters of base64url, all of them allowed in a slug. */
const RANDOM_SLUG_BYTES = 6;
/** How often another random slug is tried when one is taken; among 2^48, even a second try is rare. */
const MAX_TRIES = 5;

/** @throws ApiError ACCESS_DENIED; CONFLICT when the slug is taken and at the bound */
export async function createLink(
  ports: WriteLinkPorts,
  caller: Caller,
  { slug, websiteId = null, ...input }: ParsedLinkInput,
): Promise<Link> {
  const { documents, ids } = ports;
  const organizationId = organizationOf(caller);
  await requirePlace(documents, caller, websiteId);
  const createdBy = caller.userId ?? caller.id;
  const bound = { kind: 'links', most: await boundOf(ports, organizationId, 'links') };
  const insert = (given: string) =>
    insertBounded(
      documents.links,
      {
        id: ids.create('lnk'),
        organizationId,
        slug: given,
        websiteId,
        ...storedFields(input),
        createdBy,
      },
      bound,
    );
  return slug === undefined ? withRandomSlug(ports, insert) : refusingTaken(slug, () => insert(slug));
}

/**
 * The link with the fields in `changes` changed.
 * @throws ApiError NOT_FOUND, ACCESS_DENIED for its old and its new place, PRECONDITION_FAILED, CONFLICT when the slug
 * is taken
 */
export async function changeLink(
  ports: WriteLinkPorts,
  { caller, id, ifMatch }: ResourceTarget,
  changes: ParsedLinkChanges,
): Promise<Changed<Link>> {
  const { documents } = ports;
  await requireLink(documents, caller, id);
  if (changes.websiteId !== undefined) await requirePlace(documents, caller, changes.websiteId);
  const write = () =>
    writeMatching(documents.links, {
      organizationId: organizationOf(caller),
      id,
      ifMatch,
      kind: 'link',
      changesOf(existing: Link) {
        // Another request may have moved it since.
        requireReach(caller, existing);
        return Object.keys(changes).length === 0 ? null : changes;
      },
    });
  return refusingTaken(changes.slug ?? '', write);
}

/** Removes the link; its clicks stay. @throws ApiError NOT_FOUND, ACCESS_DENIED, PRECONDITION_FAILED; CONFLICT when others keep changing it */
export async function removeLink(
  { documents }: Pick<WriteLinkPorts, 'documents'>,
  { caller, id, ifMatch }: ResourceTarget,
): Promise<void> {
  const { organizationId } = await requireLink(documents, caller, id);
  // Uses the version: of a change and a deletion with the same If-Match, and of two deletions, only one succeeds.
  await writeMatching(documents.links, {
    organizationId,
    id,
    ifMatch,
    kind: 'link',
    changesOf(existing: Link) {
      requireReach(caller, existing);
      return {};
    },
  });
  if (!(await documents.links.remove(organizationId, id))) throw notFound('link', id);
}

async function withRandomSlug(
  { randomBytes, isReservedSlug }: WriteLinkPorts,
  insert: (slug: string) => Promise<Link>,
): Promise<Link> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const slug = Buffer.from(randomBytes(RANDOM_SLUG_BYTES)).toString('base64url');
    if (isReservedSlug(slug)) continue;
    try {
      return await insert(slug);
    } catch (fault) {
      if (!isTaken(fault)) throw fault;
    }
  }
  throw new ApiError('CONFLICT', { text: 'No free slug was found at random; name one.' });
}

/** Slugs are unique over all organizations: the text does not reveal whose the other link is. */
async function refusingTaken<T>(slug: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (fault) {
    if (!isTaken(fault)) throw fault;
    throw new ApiError('CONFLICT', {
      text: `The slug "${slug}" is taken; choose another one.`,
      cause: fault,
    });
  }
}

function isTaken(fault: unknown): boolean {
  return fault instanceof DuplicateError && fault.index === 'slug';
}
