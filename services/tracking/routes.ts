/** Every route of the tracking service. */
import type { Route } from '../shared/http/route.ts';
import { batchRoute } from './batch/batch-route.ts';
import { errorsRoute } from './errors/errors-route.ts';
import { eventsRoute } from './events/events-route.ts';
import { identifyRoute } from './identify/identify-route.ts';
import { legacyRoute } from './legacy/legacy-route.ts';
import { pixelRoute } from './pixel/pixel-route.ts';
import type { TrackingParts } from './ports.ts';
import { redirectRoute } from './redirect/redirect-route.ts';
import { scriptRoute } from './script/script-route.ts';
import { trackRoute } from './track/track-route.ts';
import { vitalsRoute } from './vitals/vitals-route.ts';

export const trackingRoutes: readonly Route<TrackingParts>[] = [
  trackRoute,
  identifyRoute,
  eventsRoute,
  vitalsRoute,
  errorsRoute,
  batchRoute,
  legacyRoute,
  pixelRoute,
  scriptRoute,
  redirectRoute,
];
