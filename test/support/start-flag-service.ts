/** The resources service with two websites, and the callers that the suites of flags ask as. */
import type { Caller } from '../../services/shared/access/caller.ts';
import { KEY_CALLER, type ResourcesService, startResourcesService } from './start-resources-service.ts';

/** A key of another organization. */
export const FOREIGN: Caller = { ...KEY_CALLER, id: 'key_two', organizationId: 'org_two' };

/** Started, with the websites web_shop and web_blog of org_one. */
export async function startFlagService(): Promise<ResourcesService> {
  const service = await startResourcesService();
  for (const name of ['shop', 'blog']) {
    await service.documents.websites.insert({
      ...{ id: `web_${name}`, organizationId: 'org_one', name, domain: `${name}.example.com` },
      ...{ isPublic: false, settings: {} },
    });
  }
  return service;
}
