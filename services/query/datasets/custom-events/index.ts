/** The datasets of custom events, in the order that clients see. */
import type { Dataset } from '../../catalogue/dataset.ts';
import { customEventProperties } from './custom-event-properties.ts';
import { customEvents } from './custom-events.ts';
import { customEventsByPath } from './custom-events-by-path.ts';
import { customEventsRecent } from './custom-events-recent.ts';
import { customEventsSummary } from './custom-events-summary.ts';
import { customEventsTrends } from './custom-events-trends.ts';

export const customEventsDatasets: readonly Dataset[] = [
  customEvents,
  customEventsSummary,
  customEventsTrends,
  customEventsByPath,
  customEventProperties,
  customEventsRecent,
];
