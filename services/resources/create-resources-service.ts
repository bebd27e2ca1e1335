/** Assembles the resources service: an express app over its ports, which does not listen. */
import { organizationOf } from '../shared/access/organization-of.ts';
import { actorOf, recordAudit } from '../shared/audit/record-audit.ts';
import { createServiceApp, type ServiceApp } from '../shared/http/create-service-app.ts';
import type { ServiceOptions } from '../shared/http/service-options.ts';
import type { Bus } from '../shared/ports/bus.ts';
import { createKnownClients } from './flags/known-clients.ts';
import { createIsReservedSlug } from './links/reserved-slugs.ts';
import { createOneAtATime } from './members/one-at-a-time.ts';
import { type ResourcesPorts, resourcesRoutes } from './routes.ts';

/** What is built outside: the ports and, from `servedSegments`, which slugs are reserved. */
export type GivenResourcesPorts = Omit<ResourcesPorts, 'oneAtATime' | 'isReservedSlug' | 'knownClients'> & {
  readonly bus: Bus;
  /** The first segment of every served path. */
  readonly servedSegments: () => readonly string[];
};

/**
 * The app; it listens to `bus` as long as the bus lives. Every path but `/health` refuses requests without the gateway's
 * identity token.
 */
export function createResourcesService(
  { servedSegments, ...given }: GivenResourcesPorts,
  options: ServiceOptions,
): ServiceApp {
  const ports: ResourcesPorts = {
    ...given,
    oneAtATime: createOneAtATime(),
    isReservedSlug: createIsReservedSlug(servedSegments),
    knownClients: createKnownClients(given),
  };
  return createServiceApp({
    routes: resourcesRoutes,
    ports,
    ...options,
    recordWrite: ({ caller, ...write }) =>
      recordAudit(ports, {
        ...write,
        organizationId: organizationOf(caller),
        actor: actorOf(caller),
      }),
    health: () => ports.documents.ping(),
  });
}
