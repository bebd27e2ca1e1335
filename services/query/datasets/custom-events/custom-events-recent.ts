/** Dataset: custom events one by one. */
import { instant, json, text } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { detail, dimension } from '../../catalogue/dimensions.ts';
import { CUSTOM_EVENT_FILTERS } from '../../catalogue/event-filters.ts';
import { CUSTOM_EVENTS, LAST_EVENT } from '../../catalogue/measures.ts';

export const customEventsRecent: Dataset = {
  names: ['custom_events_recent'],
  description: 'Custom events one by one, the latest first.',
  kind: 'list',
  unit: 'eachEvent',
  scope: CUSTOM_EVENTS,
  filters: CUSTOM_EVENT_FILTERS,
  dimensions: [
    detail('event_name'),
    detail('namespace'),
    dimension('path'),
    detail('source'),
    detail('properties'),
    detail('anonymous_id'),
    detail('session_id'),
  ],
  extraDimensions: [],
  measures: {
    at: LAST_EVENT,
  },
  columns: [
    text('event_name', 'Name of the event.'),
    text('namespace', 'Namespace, or null.'),
    text('path', 'Path of the page.'),
    text('source', 'Source, or null.'),
    json('properties', 'Properties of the event, or null.'),
    text('anonymous_id', 'Visitor, or null.'),
    text('session_id', 'Session, or null.'),
    instant('timestamp', 'Instant of the event.', 'at'),
  ],
  order: { column: 'timestamp', direction: 'desc' },
  defaultLimit: 50,
};
