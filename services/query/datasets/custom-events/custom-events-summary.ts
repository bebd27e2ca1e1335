/** Dataset: the totals of the custom events. */
import { count } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { CUSTOM_EVENT_FILTERS } from '../../catalogue/event-filters.ts';
import {
  CUSTOM_EVENTS,
  EVENT_NAMES,
  EVENTS,
  PATHS,
  SESSION_IDS,
  VISITORS,
} from '../../catalogue/measures.ts';

export const customEventsSummary: Dataset = {
  names: ['custom_events_summary'],
  description: 'Totals of the custom events in range.',
  kind: 'row',
  unit: 'events',
  scope: CUSTOM_EVENTS,
  filters: CUSTOM_EVENT_FILTERS,
  dimensions: [],
  extraDimensions: [],
  measures: {
    total_events: EVENTS,
    unique_event_types: EVENT_NAMES,
    unique_users: VISITORS,
    unique_sessions: SESSION_IDS,
    unique_pages: PATHS,
  },
  columns: [
    count('total_events', 'Custom events.'),
    count('unique_event_types', 'Distinct event names.'),
    count('unique_users', 'Distinct visitors.'),
    count('unique_sessions', 'Distinct sessions.'),
    count('unique_pages', 'Distinct paths.'),
  ],
  order: null,
  defaultLimit: 100,
};
