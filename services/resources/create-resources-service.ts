/** Assembles the resources service: an express app over its ports that listens nowhere. */
import type { Express } from 'express';
import type { Logger } from 'pino';
import { createServiceApp } from '../shared/http/create-service-app.ts';
import type { VerifyIdentity } from '../shared/identity/verify-identity.ts';
import { type ResourcesPorts, resourcesRoutes } from './routes.ts';

export interface ResourcesServiceOptions {
  readonly verifyIdentity: VerifyIdentity;
  readonly logger: Logger;
}

/** The app. Requests without the gateway's identity token are refused on every path. */
export function createResourcesService(ports: ResourcesPorts, options: ResourcesServiceOptions): Express {
  return createServiceApp({ routes: resourcesRoutes, ports, ...options });
}
