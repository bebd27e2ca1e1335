/** Dataset: custom events over time. */
import { bucketDate, count } from '../../catalogue/columns.ts';
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

export const customEventsTrends: Dataset = {
  names: ['custom_events_trends'],
  description: 'Custom events over time; a session and a visitor count in every bucket they occur in.',
  kind: 'series',
  unit: 'events',
  scope: CUSTOM_EVENTS,
  filters: CUSTOM_EVENT_FILTERS,
  dimensions: [],
  extraDimensions: ['event_name', 'website_id'],
  measures: {
    total_events: EVENTS,
    unique_event_types: EVENT_NAMES,
    unique_users: VISITORS,
    unique_sessions: SESSION_IDS,
    unique_pages: PATHS,
  },
  columns: [
    bucketDate(),
    count('total_events', 'Custom events.'),
    count('unique_event_types', 'Distinct event names.'),
    count('unique_users', 'Distinct visitors.'),
    count('unique_sessions', 'Distinct sessions.'),
    count('unique_pages', 'Distinct paths.'),
  ],
  order: null,
  defaultLimit: 100,
};
