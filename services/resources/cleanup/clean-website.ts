/** Removes a website with what hangs on it; again: what came since. */
import type { Cleanup } from '../../shared/model/cleanup.ts';
import type { CleanupWork, Removed } from './cleanups.ts';
import { removeEach } from './remove-each.ts';

/**
 * The website, its links, flags and profiles, and last its events. A website that was made under the same identifier
 * since, by a provisioning file, is left alone with all that it has.
 */
export async function cleanWebsite(
  { organizationId, websiteId, createdAt }: Cleanup,
  { documents, events, signal }: CleanupWork,
): Promise<Removed> {
  if (websiteId === null) throw new TypeError('a clean-up of a website names none');
  const website = await documents.websites.get(organizationId, websiteId);
  if (website !== null && website.createdAt > createdAt) return { documents: 0, events: 0 };
  const isMeant = (document: { readonly websiteId: string | null }) => document.websiteId === websiteId;
  const removal = { organizationId, isMeant, signal };

  let removed = website !== null && (await documents.websites.remove(organizationId, websiteId)) ? 1 : 0;
  removed += await removeEach(documents.links, removal);
  removed += await removeEach(documents.flags, removal);
  removed += await removeEach(documents.visitorProfiles, removal);
  removed += await removeEach(documents.profiles, removal);
  return {
    documents: removed,
    events: await events.erase({ organizationId, websiteId, anonymousId: null }, signal),
  };
}
