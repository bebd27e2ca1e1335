/** Creates, changes and deletes websites; what depends on a deleted one is cleaned up in the background. */
import type { Caller } from '../../shared/access/caller.ts';
import { organizationOf } from '../../shared/access/organization-of.ts';
import { requireWebsite } from '../../shared/access/website-access.ts';
import { ApiError } from '../../shared/errors/api-error.ts';
import type { Website, WebsiteSettings } from '../../shared/model/website.ts';
import { websiteSettingsSchema } from '../../shared/model/website.ts';
import { type Changes, type DocumentStore, DuplicateError } from '../../shared/ports/document-store.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import type { Cleanups } from '../cleanup/cleanups.ts';
import type { Changed, ResourceTarget } from '../define-resource.ts';
import { type BoundPorts, boundOf, insertBounded } from '../document-bounds.ts';
import { type MatchingWrite, writeMatching } from '../write-matching.ts';
import type { WebsiteChanges, WebsiteInput } from './schema.ts';

export interface WriteWebsitePorts extends BoundPorts {
  readonly ids: Ids;
  readonly cleanups: Pick<Cleanups, 'wake'>;
}

/** The organization in which the caller may create websites. @throws ApiError ACCESS_DENIED without global access */
export function creatingOrganizationOf(caller: Caller): string {
  const organizationId = organizationOf(caller);
  if (caller.access.level !== 'global') {
    throw new ApiError('ACCESS_DENIED', {
      text: 'Creating a website needs global access: this key is limited to websites that exist.',
    });
  }
  return organizationId;
}

/** @throws ApiError ACCESS_DENIED without global access, CONFLICT for a domain that is taken and at the bound */
export async function createWebsite(
  ports: WriteWebsitePorts,
  caller: Caller,
  { name, domain, isPublic = false, settings = {} }: WebsiteInput,
): Promise<Website> {
  const organizationId = creatingOrganizationOf(caller);
  const website = { id: ports.ids.create('web'), organizationId, name, domain, isPublic, settings };
  const bound = { kind: 'websites', most: await boundOf(ports, organizationId, 'websites') };
  return telling(domain, () => insertBounded(ports.documents.websites, website, bound));
}

/**
 * The website with the named fields changed, its settings one by one.
 * @throws ApiError ACCESS_DENIED for one that the caller does not reach, PRECONDITION_FAILED; CONFLICT
 *   for a domain that is taken, and when others keep being faster
 */
export async function changeWebsite(
  { documents }: Pick<WriteWebsitePorts, 'documents'>,
  target: ResourceTarget,
  { settings, ...changes }: WebsiteChanges,
): Promise<Changed<Website>> {
  const changesOf = (existing: Website): Changes<Website> | null => {
    if (Object.keys(changes).length === 0 && settings === undefined) return null;
    return { ...changes, ...(settings && { settings: merged(existing.settings, settings) }) };
  };
  return telling(changes.domain, () => write(documents, target, changesOf));
}

/**
 * Deletes the website at once; what depends on it follows. After the first write, the background finishes the work if a
 * fault occurs.
 * @throws ApiError ACCESS_DENIED, PRECONDITION_FAILED, CONFLICT, SERVICE_UNAVAILABLE
 */
export async function deleteWebsite(
  { documents, ids, cleanups }: Pick<WriteWebsitePorts, 'documents' | 'ids' | 'cleanups'>,
  target: ResourceTarget,
): Promise<void> {
  // Uses the version: of a change and a deletion with the same If-Match, only one succeeds.
  const { document } = await write(documents, target, () => ({}));
  const { organizationId, id } = document;
  const cleanup = { id: ids.create('cln'), organizationId, kind: 'website', websiteId: id } as const;
  await documents.cleanups.insert({ ...cleanup, anonymousId: null });
  try {
    await documents.websites.remove(organizationId, id);
  } finally {
    cleanups.wake();
  }
}

/** Writes by compare-and-set; a website deleted meanwhile is as inaccessible as one that never existed. */
async function write(
  documents: DocumentStore,
  { caller, id, ifMatch }: ResourceTarget,
  changesOf: MatchingWrite<Website>['changesOf'],
): Promise<Changed<Website>> {
  const reached = {
    get: () => requireWebsite(documents, caller, id),
    update: documents.websites.update.bind(documents.websites),
  };
  const organizationId = organizationOf(caller);
  return writeMatching(reached, { organizationId, id, ifMatch, kind: 'website', changesOf });
}

function merged(existing: WebsiteSettings, asked: NonNullable<WebsiteChanges['settings']>): WebsiteSettings {
  const left = Object.entries({ ...existing, ...asked }).filter(([, value]) => value != null);
  return websiteSettingsSchema.parse(Object.fromEntries(left));
}

/** A taken domain as a conflict that names the field; not everybody may know which website has it. */
async function telling<T>(domain: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (fault) {
    if (!(fault instanceof DuplicateError) || fault.index !== 'organizationDomain') throw fault;
    const message = `Another website of the organization has the domain "${domain}".`;
    throw new ApiError('CONFLICT', { text: message, details: [{ field: 'domain', message }], cause: fault });
  }
}
