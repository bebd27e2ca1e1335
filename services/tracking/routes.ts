/** Every route of the tracking service. */
import type { Route } from '../shared/http/route.ts';
import type { TrackingParts } from './ports.ts';
import { trackRoute } from './track/track-route.ts';

export const trackingRoutes: readonly Route<TrackingParts>[] = [trackRoute];
