/** Every route of the resources service, by feature. */
import type { Route } from '../shared/http/route.ts';
import type { DocumentStore } from '../shared/ports/document-store.ts';
import { websiteRoutes } from './websites/routes.ts';

/** What the resources service needs. */
export interface ResourcesPorts {
  readonly documents: DocumentStore;
}

export const resourcesRoutes: readonly Route<ResourcesPorts>[] = [...websiteRoutes];
