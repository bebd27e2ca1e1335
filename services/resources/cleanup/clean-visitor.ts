/** Removes everything about a visitor: its events, and the record of which person it is. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Cleanup } from '../../shared/model/cleanup.ts';
import { visitorProfileDocumentId } from '../../shared/model/profile.ts';
import type { CleanupWork, Removed } from './cleanup-work.ts';

/** From one website, or from the organization with all of its websites. */
export async function cleanVisitor(
  { organizationId, websiteId, anonymousId }: Cleanup,
  { documents, events, signal }: CleanupWork,
): Promise<Removed> {
  if (anonymousId === null) throw new TypeError('a clean-up of a visitor names none');
  let removed = 0;
  for (const website of websiteId === null ? await everywhere() : [websiteId]) {
    const id = visitorProfileDocumentId({ organizationId, websiteId: website }, anonymousId);
    if (await documents.visitorProfiles.remove(organizationId, id)) removed++;
    await nextTurn();
    signal.throwIfAborted();
  }
  return {
    documents: removed,
    events: await events.erase({ organizationId, websiteId, anonymousId }),
  };

  async function everywhere(): Promise<(string | null)[]> {
    return [null, ...(await documents.websites.all(organizationId)).map((website) => website.id)];
  }
}
