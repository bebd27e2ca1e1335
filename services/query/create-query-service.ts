/** Makes the query service: the express app over its ports; it does not listen. */
import { createServiceApp, type ServiceApp } from '../shared/http/create-service-app.ts';
import type { ServiceOptions } from '../shared/http/service-options.ts';
import type { QueryPorts } from './query-ports.ts';
import { queryRoutes } from './routes.ts';

export function createQueryService(ports: QueryPorts, options: ServiceOptions): ServiceApp {
  return createServiceApp({
    routes: queryRoutes,
    ports,
    ...options,
    health: () => Promise.all([ports.events.ping(), ports.documents.ping()]),
  });
}
