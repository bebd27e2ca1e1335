/** Assembles the tracking service: it ingests events and answers once they are durable. */
import { createServiceApp, type ServiceApp } from '../shared/http/create-service-app.ts';
import type { ServiceOptions } from '../shared/http/service-options.ts';
import { createReadClient } from './client/read-client.ts';
import { createKnownWebsites } from './ingest/known-websites.ts';
import type { TrackingParts, TrackingPorts } from './ports.ts';
import { createKnownLinks } from './redirect/known-links.ts';
import { trackingRoutes } from './routes.ts';
import { createTrackerScript } from './script/tracker-script.ts';

/** The express app; it listens nowhere and closes no port. */
export function createTrackingService(ports: TrackingPorts, options: ServiceOptions): ServiceApp {
  const parts: TrackingParts = {
    ...ports,
    websites: createKnownWebsites(ports.documents, ports.clock, ports.bus),
    knownLinks: createKnownLinks(ports),
    script: createTrackerScript(ports.trackerScript),
    readClient: createReadClient(ports.locate),
  };
  return createServiceApp({
    routes: trackingRoutes,
    ports: parts,
    ...options,
    health: () => ports.events.ping(),
  });
}
