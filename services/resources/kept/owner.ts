/** Who sees what users keep on a website: own things their user alone, shared ones everybody who reaches the website. */
import type { Caller } from '../../shared/access/caller.ts';
import { organizationOf } from '../../shared/access/organization-of.ts';
import { reaches } from '../../shared/access/website-access.ts';
import { ApiError, type ErrorDetail } from '../../shared/errors/api-error.ts';
import type { Stored } from '../../shared/model/stored.ts';
import type { Collection, DocumentStore } from '../../shared/ports/document-store.ts';
import { removeEach } from '../cleanup/remove-each.ts';
import { notFound } from '../write-matching.ts';

/** What a user keeps: `ownerId` is that user, or the organization that it is shared with. */
export interface Kept extends Stored {
  readonly websiteId: string;
  readonly ownerId: string;
}

export function isShared({ ownerId, organizationId }: Pick<Kept, 'ownerId' | 'organizationId'>): boolean {
  return ownerId === organizationId;
}

/** The owner of what this caller writes. A key has no user, so {@link ownerFaults} refuses what would be its own. */
export function ownerFor(caller: Caller, shared: boolean): string {
  return shared ? organizationOf(caller) : (caller.userId ?? organizationOf(caller));
}

/** A key keeps nothing of its own: nobody could see it. `shared`: what the body says, or what stands for it. */
export function ownerFaults(caller: Caller, shared: unknown): ErrorDetail[] {
  if (caller.userId !== null || shared === true) return [];
  return [{ field: 'shared', message: 'A key has no user who could own it. Allowed: true.' }];
}

/** The owners whose things the caller sees. */
export function visibleOwners(caller: Caller): string[] {
  return [organizationOf(caller), ...(caller.userId === null ? [] : [caller.userId])];
}

/**
 * One of the organization. Another user's own is as if it did not exist.
 * @throws ApiError NOT_FOUND; ACCESS_DENIED for one outside the websites of a website-specific key
 */
export async function requireKept<T extends Kept>(
  collection: Pick<Collection<T>, 'get'>,
  caller: Caller,
  { id, kind }: { readonly id: string; readonly kind: string },
): Promise<T> {
  const found = await collection.get(organizationOf(caller), id);
  if (!found) throw notFound(kind, id);
  requireVisible(caller, found, kind);
  return found;
}

/** @throws as {@link requireKept} */
export function requireVisible(caller: Caller, { id, ownerId, websiteId }: Kept, kind: string): void {
  if (!visibleOwners(caller).includes(ownerId)) throw notFound(kind, id);
  requireWebsiteOf(caller, { id, websiteId }, kind);
}

/** @throws ApiError ACCESS_DENIED for what belongs to none of the websites of a website-specific key */
export function requireWebsiteOf(
  caller: Caller,
  { id, websiteId }: Pick<Kept, 'id' | 'websiteId'>,
  kind: string,
): void {
  if (reaches(caller, websiteId)) return;
  throw new ApiError('ACCESS_DENIED', {
    text: `The ${kind} "${id}" belongs to none of the websites that this key reaches.`,
  });
}

/** Removes what a user alone saw: nobody could find it once the user left. */
export async function removeOwned(
  { views, annotations }: Pick<DocumentStore, 'views' | 'annotations'>,
  organizationId: string,
  userId: string,
): Promise<void> {
  const isMeant = ({ ownerId }: Kept) => ownerId === userId;
  const { signal } = new AbortController();
  await removeEach<Kept>(views, { organizationId, isMeant, signal });
  await removeEach<Kept>(annotations, { organizationId, isMeant, signal });
}
