/** Creates, changes and deletes websites; what hangs on a deleted one is cleaned up in the background. */
import type { Caller } from '../../shared/access/caller.ts';
import { organizationOf } from '../../shared/access/organization-of.ts';
import { requireWebsite } from '../../shared/access/website-access.ts';
import { ApiError } from '../../shared/errors/api-error.ts';
import type { Website, WebsiteSettings } from '../../shared/model/website.ts';
import { websiteSettingsSchema } from '../../shared/model/website.ts';
import { type Changes, type DocumentStore, DuplicateError } from '../../shared/ports/document-store.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import type { Cleanups } from '../cleanup/cleanups.ts';
import { type MatchingWrite, writeMatching } from '../write-matching.ts';
import { judgeWebsite } from './judge-website.ts';
import { type WebsiteChanges, websiteChangesSchema, websiteInputSchema } from './schema.ts';

export interface WriteWebsitePorts {
  readonly documents: DocumentStore;
  readonly ids: Ids;
  readonly cleanups: Pick<Cleanups, 'wake'>;
}

/** Which website, and which version of it when the caller says so. */
export interface WebsiteTarget {
  readonly caller: Caller;
  readonly id: string;
  readonly ifMatch: string | undefined;
}

/** @throws ApiError ACCESS_DENIED without global access, VALIDATION_ERROR with every fault at once, CONFLICT for a domain that is taken */
export async function createWebsite(
  { documents, ids }: WriteWebsitePorts,
  caller: Caller,
  asked: unknown,
): Promise<Website> {
  const organizationId = organizationOf(caller);
  if (caller.access.level !== 'global') {
    throw new ApiError('ACCESS_DENIED', {
      text: 'Creating a website needs global access: this key is limited to websites that exist.',
    });
  }
  const { name, domain, isPublic = false, settings = {} } = judgeWebsite(websiteInputSchema, asked);
  const website = { id: ids.create('web'), organizationId, name, domain, isPublic, settings };
  return telling(domain, () => documents.websites.insert(website));
}

/**
 * The website with what `asked` names changed, its settings one by one.
 * @throws ApiError ACCESS_DENIED for one that the caller does not reach, VALIDATION_ERROR, PRECONDITION_FAILED; CONFLICT
 *   for a domain that is taken, and when others keep being faster
 */
export async function changeWebsite(
  { documents }: WriteWebsitePorts,
  target: WebsiteTarget,
  asked: unknown,
): Promise<Website> {
  await requireWebsite(documents, target.caller, target.id);
  const { settings, ...changes } = judgeWebsite(websiteChangesSchema, asked);
  const changesOf = (existing: Website): Changes<Website> | null => {
    if (Object.keys(changes).length === 0 && settings === undefined) return null;
    return { ...changes, ...(settings && { settings: merged(existing.settings, settings) }) };
  };
  return telling(changes.domain, () => write(documents, target, changesOf));
}

/**
 * Deletes the website at once; what hangs on it follows. A fault behind the first write is finished in the background.
 * @throws ApiError ACCESS_DENIED, PRECONDITION_FAILED, CONFLICT, SERVICE_UNAVAILABLE
 */
export async function deleteWebsite(
  { documents, ids, cleanups }: WriteWebsitePorts,
  target: WebsiteTarget,
): Promise<void> {
  // Takes the version: of a change and a deletion under one If-Match one alone succeeds.
  const { organizationId, id } = await write(documents, target, () => ({}));
  const cleanup = { id: ids.create('cln'), organizationId, kind: 'website', websiteId: id } as const;
  await documents.cleanups.insert({ ...cleanup, anonymousId: null });
  try {
    await documents.websites.remove(organizationId, id);
  } finally {
    cleanups.wake();
  }
}

/** Writes by compare-and-set; a website that is gone meanwhile is as inaccessible as one that never was. */
async function write(
  documents: DocumentStore,
  { caller, id, ifMatch }: WebsiteTarget,
  changesOf: MatchingWrite<Website>['changesOf'],
): Promise<Website> {
  const reached = {
    get: () => requireWebsite(documents, caller, id),
    update: documents.websites.update.bind(documents.websites),
  };
  const organizationId = organizationOf(caller);
  const { document } = await writeMatching(reached, {
    organizationId,
    id,
    ifMatch,
    kind: 'website',
    changesOf,
  });
  return document;
}

function merged(existing: WebsiteSettings, asked: NonNullable<WebsiteChanges['settings']>): WebsiteSettings {
  const left = Object.entries({ ...existing, ...asked }).filter(([, value]) => value != null);
  return websiteSettingsSchema.parse(Object.fromEntries(left));
}

/** A taken domain as a conflict that names the field; which website has it is not for everybody to know. */
async function telling<T>(domain: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (fault) {
    if (!(fault instanceof DuplicateError) || fault.index !== 'organizationDomain') throw fault;
    const message = `Another website of the organization has the domain "${domain}".`;
    throw new ApiError('CONFLICT', { text: message, details: [{ field: 'domain', message }], cause: fault });
  }
}
