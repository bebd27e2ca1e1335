/** Creates, changes and removes short links; that a slug is given once is the store's promise, not a check before. */
import type { Caller } from '../../shared/access/caller.ts';
import { organizationOf } from '../../shared/access/organization-of.ts';
import type { RandomBytes } from '../../shared/credentials/api-key-text.ts';
import { ApiError } from '../../shared/errors/api-error.ts';
import type { Link } from '../../shared/model/link.ts';
import { type DocumentStore, DuplicateError } from '../../shared/ports/document-store.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import { notFound, writeMatching } from '../write-matching.ts';
import { judgeLink } from './judge-link.ts';
import { requireLink, requirePlace, requireReach } from './reach-link.ts';
import type { IsReservedSlug } from './reserved-slugs.ts';
import {
  type LinkChanges,
  type LinkInput,
  linkChangesSchema,
  linkInputSchema,
  storedFields,
} from './schema.ts';

export interface WriteLinkPorts {
  readonly documents: DocumentStore;
  readonly ids: Ids;
  readonly randomBytes: RandomBytes;
  readonly isReservedSlug: IsReservedSlug;
}

/** Which link, and which version of it when the caller says so. */
export interface LinkTarget {
  readonly caller: Caller;
  readonly id: string;
  readonly ifMatch: string | undefined;
}

/** Six bytes are eight characters of base64url, which are those of a slug. */
const RANDOM_SLUG_BYTES = 6;
/** How often another random slug is tried where one is taken; among 2^48 the second try is already rare. */
const MAX_TRIES = 5;

/** @throws ApiError VALIDATION_ERROR with every fault at once; ACCESS_DENIED; CONFLICT when the slug is taken */
export async function createLink(ports: WriteLinkPorts, caller: Caller, asked: LinkInput): Promise<Link> {
  const { documents, ids } = ports;
  const organizationId = organizationOf(caller);
  const { slug, websiteId = null, ...input } = judgeLink(linkInputSchema, asked, ports.isReservedSlug);
  await requirePlace(documents, caller, websiteId);
  const createdBy = caller.userId ?? caller.id;
  const insert = (given: string) =>
    documents.links.insert({
      id: ids.create('lnk'),
      organizationId,
      slug: given,
      websiteId,
      ...storedFields(input),
      createdBy,
    });
  return slug === undefined ? withRandomSlug(ports, insert) : refusingTaken(slug, () => insert(slug));
}

/**
 * The link with what `asked` names changed.
 * @throws ApiError VALIDATION_ERROR, NOT_FOUND, ACCESS_DENIED for where it is and for where it shall be,
 * PRECONDITION_FAILED, CONFLICT when the slug is taken
 */
export async function changeLink(
  ports: WriteLinkPorts,
  { caller, id, ifMatch }: LinkTarget,
  asked: LinkChanges,
): Promise<Link> {
  const { documents } = ports;
  const changes = judgeLink(linkChangesSchema, asked, ports.isReservedSlug);
  await requireLink(documents, caller, id);
  if (changes.websiteId !== undefined) await requirePlace(documents, caller, changes.websiteId);
  const write = () =>
    writeMatching(documents.links, {
      organizationId: organizationOf(caller),
      id,
      ifMatch,
      kind: 'link',
      changesOf(existing: Link) {
        // Somebody else may have moved it since.
        requireReach(caller, existing);
        return Object.keys(changes).length === 0 ? null : changes;
      },
    });
  const { document } = await refusingTaken(changes.slug ?? '', write);
  return document;
}

/** Removes the link; its clicks stay. @throws ApiError NOT_FOUND, ACCESS_DENIED, PRECONDITION_FAILED; CONFLICT when others keep changing it */
export async function removeLink(
  { documents }: Pick<WriteLinkPorts, 'documents'>,
  { caller, id, ifMatch }: LinkTarget,
): Promise<void> {
  const { organizationId } = await requireLink(documents, caller, id);
  // Takes the version: of a change and a deletion under one If-Match, and of two deletions, one alone succeeds.
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

/** Slugs are unique over all organizations: the text does not tell whose the other link is. */
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
