/** Assembles the resources service: an express app over its ports that listens nowhere. */
import type { Express } from 'express';
import { createServiceApp, type ServiceOptions } from '../shared/http/create-service-app.ts';
import { type ResourcesPorts, resourcesRoutes } from './routes.ts';

/** The app. Requests without the gateway's identity token are refused on every path but `/health`. */
export function createResourcesService(ports: ResourcesPorts, options: ServiceOptions): Express {
  return createServiceApp({
    routes: resourcesRoutes,
    ports,
    ...options,
    health: () => ports.documents.ping(),
  });
}
