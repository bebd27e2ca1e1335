/** Every route of the tracking service. */
import type { Route } from '../shared/http/route.ts';
import type { TrackingPorts } from './ports.ts';
import { trackRoute } from './track/track-route.ts';

export const trackingRoutes: readonly Route<TrackingPorts>[] = [trackRoute];
