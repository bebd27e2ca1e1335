/** Removes a website with everything that depends on it; run again, it removes what came since. */
import type { Cleanup } from '../../shared/model/cleanup.ts';
import { DECLARATIONS } from '../../shared/model/collections.ts';
import type { Stored } from '../../shared/model/stored.ts';
import type { CleanupWork, Removed } from './cleanup-work.ts';
import { type Removable, removeEach } from './remove-each.ts';

/**
 * Removes the website, what it owns by the list of collections (links, flags, profiles), and last its events. If a
 * provisioning file has since created a website with the same identifier, it is left alone with all that it has.
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
  for (const [name, { owner }] of DECLARATIONS) {
    if (owner !== 'website') continue;
    // The list gives this owner only to documents with a website.
    const hanging = documents[name] as Removable<Stored & { readonly websiteId: string | null }>;
    removed += await removeEach(hanging, removal);
  }
  return {
    documents: removed,
    events: await events.erase({ organizationId, websiteId, anonymousId: null }, signal),
  };
}
