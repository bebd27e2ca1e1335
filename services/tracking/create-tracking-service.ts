/** Assembles the tracking service: takes events in and answers once they are durable. */
import type { Express } from 'express';
import { createServiceApp, type ServiceOptions } from '../shared/http/create-service-app.ts';
import { createReadClient } from './client/read-client.ts';
import { createKeylessSites } from './ingest/keyless-sites.ts';
import type { TrackingParts, TrackingPorts } from './ports.ts';
import { createKnownLinks } from './redirect/known-links.ts';
import { trackingRoutes } from './routes.ts';
import { createTrackerScript } from './script/tracker-script.ts';

const SHORTEST_SECRET_BYTES = 32;

/** The express app; it listens nowhere and closes no port. @throws RangeError when the visitor secret is too short */
export function createTrackingService(ports: TrackingPorts, options: ServiceOptions): Express {
  if (ports.visitorSecret.length < SHORTEST_SECRET_BYTES) {
    throw new RangeError(
      `visitorSecret has ${ports.visitorSecret.length} bytes; at least ${SHORTEST_SECRET_BYTES} are needed`,
    );
  }
  const parts: TrackingParts = {
    ...ports,
    sites: createKeylessSites(ports.documents, ports.clock, ports.bus),
    knownLinks: createKnownLinks(ports),
    script: createTrackerScript(ports.trackerScript),
    readClient: createReadClient(),
  };
  return createServiceApp({
    routes: trackingRoutes,
    ports: parts,
    ...options,
    health: () => ports.events.ping(),
  });
}
