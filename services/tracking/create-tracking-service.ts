/** Assembles the tracking service: it ingests events and answers once they are durable. */
import type { Express } from 'express';
import { createServiceApp, type ServiceOptions } from '../shared/http/create-service-app.ts';
import { createReadClient } from './client/read-client.ts';
import { createKeylessWebsites } from './ingest/keyless-websites.ts';
import type { TrackingParts, TrackingPorts } from './ports.ts';
import { createKnownLinks } from './redirect/known-links.ts';
import { trackingRoutes } from './routes.ts';
import { createTrackerScript } from './script/tracker-script.ts';

/** The express app; it listens nowhere and closes no port. */
export function createTrackingService(ports: TrackingPorts, options: ServiceOptions): Express {
  const parts: TrackingParts = {
    ...ports,
    websites: createKeylessWebsites(ports.documents, ports.clock, ports.bus),
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
