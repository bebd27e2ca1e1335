/** Assembles the tracking service: takes events in and answers once they are durable. */
import type { Express } from 'express';
import type { Logger } from 'pino';
import { createServiceApp } from '../shared/http/create-service-app.ts';
import type { VerifyIdentity } from '../shared/identity/verify-identity.ts';
import type { TrackingPorts } from './ports.ts';
import { trackingRoutes } from './routes.ts';

const SHORTEST_SECRET_BYTES = 32;

export interface TrackingServiceOptions {
  readonly verifyIdentity: VerifyIdentity;
  readonly logger: Logger;
}

/** The express app; it listens nowhere and closes no port. @throws RangeError when the visitor secret is too short */
export function createTrackingService(ports: TrackingPorts, options: TrackingServiceOptions): Express {
  if (ports.visitorSecret.length < SHORTEST_SECRET_BYTES) {
    throw new RangeError(
      `visitorSecret has ${ports.visitorSecret.length} bytes; at least ${SHORTEST_SECRET_BYTES} are needed`,
    );
  }
  return createServiceApp({ routes: trackingRoutes, ports, ...options });
}
