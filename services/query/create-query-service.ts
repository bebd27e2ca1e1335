/** Makes the query service: the express app over its ports; it listens nowhere. */
import type { Express } from 'express';
import type { Logger } from 'pino';
import { createServiceApp } from '../shared/http/create-service-app.ts';
import type { VerifyIdentity } from '../shared/identity/verify-identity.ts';
import type { QueryPorts } from './query-ports.ts';
import { queryRoutes } from './routes.ts';
import { compilerFor } from './stages/compiler.ts';

/** @throws Error when no compiler exists for the engine of the event store. */
export function createQueryService(
  ports: QueryPorts,
  options: { readonly verifyIdentity: VerifyIdentity; readonly logger: Logger },
): Express {
  compilerFor(ports.events.engine);
  return createServiceApp({ routes: queryRoutes, ports, ...options });
}
