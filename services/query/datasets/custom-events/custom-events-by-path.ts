/** Dataset: where custom events happen. */
import { count, text } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { dimension } from '../../catalogue/dimensions.ts';
import { CUSTOM_EVENT_FILTERS } from '../../catalogue/event-filters.ts';
import { CUSTOM_EVENTS, EVENT_NAMES, EVENTS, VISITORS } from '../../catalogue/measures.ts';

export const customEventsByPath: Dataset = {
  names: ['custom_events_by_path'],
  description: 'Custom events by path.',
  kind: 'list',
  unit: 'events',
  scope: CUSTOM_EVENTS,
  filters: CUSTOM_EVENT_FILTERS,
  dimensions: [dimension('name', 'path')],
  extraDimensions: CUSTOM_EVENT_FILTERS,
  measures: {
    total_events: EVENTS,
    unique_event_types: EVENT_NAMES,
    unique_users: VISITORS,
  },
  columns: [
    text('name', 'Path of the page.'),
    count('total_events', 'Custom events on the page.'),
    count('unique_event_types', 'Distinct event names.'),
    count('unique_users', 'Distinct visitors.'),
  ],
  order: { column: 'total_events', direction: 'desc' },
  defaultLimit: 100,
};
