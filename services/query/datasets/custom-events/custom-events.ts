/** Dataset: which custom events were sent. */
import { count, instant, share, text } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { dimension } from '../../catalogue/dimensions.ts';
import { CUSTOM_EVENT_FILTERS } from '../../catalogue/event-filters.ts';
import {
  CUSTOM_EVENTS,
  EVENTS,
  EVENTS_WITH_PROPERTIES,
  FIRST_EVENT,
  LAST_EVENT,
  SESSION_IDS,
  VISITORS,
} from '../../catalogue/measures.ts';

export const customEvents: Dataset = {
  names: ['custom_events'],
  description: 'Custom events by name.',
  kind: 'list',
  unit: 'events',
  scope: CUSTOM_EVENTS,
  filters: CUSTOM_EVENT_FILTERS,
  dimensions: [dimension('name', 'event_name')],
  extraDimensions: CUSTOM_EVENT_FILTERS,
  measures: {
    total_events: EVENTS,
    unique_users: VISITORS,
    unique_sessions: SESSION_IDS,
    first: FIRST_EVENT,
    last: LAST_EVENT,
    events_with_properties: EVENTS_WITH_PROPERTIES,
  },
  columns: [
    text('name', 'Name of the event.'),
    count('total_events', 'Events of the name.'),
    count('unique_users', 'Distinct visitors.'),
    count('unique_sessions', 'Distinct sessions.'),
    instant('first_occurrence', 'Instant of the first event in range.', 'first'),
    instant('last_occurrence', 'Instant of the last event in range.', 'last'),
    count('events_with_properties', 'Events that carry at least one property.'),
    share('total_events'),
  ],
  order: { column: 'total_events', direction: 'desc' },
  defaultLimit: 100,
};
